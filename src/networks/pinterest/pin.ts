import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { CommitInput, Staged } from "../contract/commit.ts";
import type { PinterestOptions } from "./options.ts";
import { altOf } from "./rules.ts";
import { names, stagedText } from "./staged.ts";

/** The Pin as it is made. https://github.com/pinterest/api-description, `PinCreate` (2025-12) */
export function pinBody({ part, staged }: CommitInput<PinterestOptions>): JsonObject {
  const { board_id, board_section_id, dominant_color, ai_disclosures: labels } = part.options;
  const alt = altOf(part.media);
  return {
    board_id,
    ...(board_section_id === undefined ? {} : { board_section_id }),
    ...(part.title ? { title: part.title } : {}),
    ...(part.text === "" ? {} : { description: part.text }),
    ...(part.link === null ? {} : { link: part.link.url }),
    ...(alt === null ? {} : { alt_text: alt }),
    ...(dominant_color === undefined ? {} : { dominant_color }),
    ...(labels === undefined ? {} : { ai_disclosures: { values: labels } }),
    media_source: sourceOf(part, staged),
  };
}

/** Same source, `PinMediaSource`. */
function sourceOf({ media, options }: CommitInput<PinterestOptions>["part"], staged: Staged): JsonObject {
  if (media[0]?.type === "video")
    return { source_type: "video_id", media_id: must(staged, names.media), ...coverOf(options, staged) };
  const urls = media.map((_, index) => must(staged, names.address(index)));
  if (urls.length > 1) return { source_type: "multiple_image_urls", items: urls.map((url) => ({ url })) };
  return { source_type: "image_url", url: must(staged, names.address(0)) };
}

/** Without one the server refuses the Pin. https://github.com/gitroomhq/postiz-app (2026-08) */
function coverOf({ cover_image_key_frame_time = 0 }: PinterestOptions, staged: Staged): JsonObject {
  const cover = stagedText(staged, names.cover);
  return cover === null ? { cover_image_key_frame_time } : { cover_image_url: cover };
}

function must(staged: Staged, name: string): string {
  const value = stagedText(staged, name);
  if (value === null) throw new PublishingError("internal_error", `${name} was not staged.`);
  return value;
}
