import type { MediaRule } from "../../networks/contract/limits.ts";
import type { MeasuredMedia } from "./faults.ts";

/** True: the file is animated, or may be. A GIF shows that only at its end, which may be unread. */
export function isAnimation({
  mime_type,
  is_animated,
  frames,
}: Pick<MeasuredMedia, "mime_type" | "is_animated" | "frames">): boolean {
  if (is_animated !== undefined) return is_animated;
  return frames === undefined ? mime_type === "image/gif" : frames > 1;
}

/** The rule for a file, with its differences for animated images; undefined: the format is not accepted. */
export function ruleFor(item: MeasuredMedia, rules: readonly MediaRule[]): MediaRule | undefined {
  const rule = rules.find(({ mime }) => mime === item.mime_type);
  return rule?.moving !== undefined && isAnimation(item) ? { ...rule, ...rule.moving } : rule;
}
