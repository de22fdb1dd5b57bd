import type { JsonObject } from "../../wire/json.ts";
import type { Part } from "../contract/plan.ts";
import { defined } from "../shared/defined.ts";
import type { PostKind } from "./api.ts";
import type { Creator } from "./creator.ts";
import type { TiktokOptions } from "./options.ts";

/** Features that the account has disabled for all posts. TikTok requires them in each post. */
export type Disabled = { comment: boolean; duet: boolean; stitch: boolean };

export function disabledOn(creator: Creator): Disabled {
  const { comment_disabled, duet_disabled, stitch_disabled } = creator;
  return { comment: comment_disabled === true, duet: duet_disabled === true, stitch: stitch_disabled === true };
}

export function kindOf({ media: [first] }: Pick<Part, "media">): PostKind {
  return first?.type === "image" ? "photo" : "video";
}

/** The metadata of a video. https://developers.tiktok.com/doc/content-posting-api-reference-direct-post (2026-11) */
export function videoInfo({ text, options }: Part<TiktokOptions>, disabled: Disabled): JsonObject {
  return defined({
    title: text || undefined,
    privacy_level: options.privacy_level ?? "",
    disable_comment: disabled.comment || options.disable_comment === true,
    disable_duet: disabled.duet || options.disable_duet === true,
    disable_stitch: disabled.stitch || options.disable_stitch === true,
    video_cover_timestamp_ms: options.video_cover_timestamp_ms,
    ...brands(options),
    is_aigc: options.is_aigc,
  });
}

/** The metadata of photos. https://developers.tiktok.com/doc/content-posting-api-reference-photo-post (2026-11) */
export function photoInfo(part: Part<TiktokOptions>, disabled: Disabled): JsonObject {
  const { options } = part;
  return {
    ...photoWords(part),
    privacy_level: options.privacy_level ?? "",
    disable_comment: disabled.comment || options.disable_comment === true,
    auto_add_music: options.auto_add_music === true,
    ...brands(options),
  };
}

/** The only fields that TikTok keeps of a draft. Same source. */
export function photoWords({ title, text }: Part<TiktokOptions>): JsonObject {
  return defined({ title: title ?? undefined, description: text || undefined });
}

/** Required by the reference, but omitted in its examples. Same source. */
function brands({ brand_content_toggle = false, brand_organic_toggle = false }: TiktokOptions): JsonObject {
  return { brand_content_toggle, brand_organic_toggle };
}
