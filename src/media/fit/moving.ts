import type { MediaRule } from "../../networks/contract/limits.ts";
import type { MeasuredMedia } from "./faults.ts";

/** Whether a GIF moves is at its end, which may be out of reach: what is not known to be still is an animation. */
export function isAnimation({
  mime_type,
  is_animated,
  frames,
}: Pick<MeasuredMedia, "mime_type" | "is_animated" | "frames">): boolean {
  if (is_animated !== undefined) return is_animated;
  return frames === undefined ? mime_type === "image/gif" : frames > 1;
}

/** The rule for a file, with what differs where it is a picture that moves; undefined: such files are not taken. */
export function ruleFor(item: MeasuredMedia, rules: readonly MediaRule[]): MediaRule | undefined {
  const rule = rules.find(({ mime }) => mime === item.mime_type);
  return rule?.moving !== undefined && isAnimation(item) ? { ...rule, ...rule.moving } : rule;
}
