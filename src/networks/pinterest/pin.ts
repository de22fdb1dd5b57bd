import type { JsonObject } from "../../wire/json.ts";
import type { CommitInput, Staged } from "../contract/commit.ts";
import { defined } from "../shared/defined.ts";
import { neededText, stagedText } from "../shared/staged-text.ts";
import type { PinterestOptions } from "./options.ts";
import { altOf } from "./rules.ts";
import { names } from "./staged.ts";

/** The body of a Pin. https://github.com/pinterest/api-description, `PinCreate` (2025-12) */
export function pinBody({ part, staged }: CommitInput<PinterestOptions>): JsonObject {
  const { title, text, link, media, options } = part;
  const { board_id, board_section_id, dominant_color, ai_disclosures: labels } = options;
  return defined({
    board_id,
    board_section_id,
    title: title || undefined,
    description: text || undefined,
    link: link?.url,
    alt_text: altOf(media) ?? undefined,
    dominant_color,
    ai_disclosures: labels && { values: labels },
    media_source: sourceOf(part, staged),
  });
}

/** Same source, `PinMediaSource`. */
function sourceOf({ media, options }: CommitInput<PinterestOptions>["part"], staged: Staged): JsonObject {
  if (media[0]?.type === "video")
    return { source_type: "video_id", media_id: neededText(staged, names.media), ...coverOf(options, staged) };
  const urls = media.map((_, index) => neededText(staged, names.address(index)));
  if (urls.length > 1) return { source_type: "multiple_image_urls", items: urls.map((url) => ({ url })) };
  return { source_type: "image_url", url: neededText(staged, names.address(0)) };
}

/** The server rejects a video Pin without a cover. https://github.com/gitroomhq/postiz-app (2026-08) */
function coverOf({ cover_image_key_frame_time = 0 }: PinterestOptions, staged: Staged): JsonObject {
  const cover = stagedText(staged, names.cover);
  return cover === null ? { cover_image_key_frame_time } : { cover_image_url: cover };
}
