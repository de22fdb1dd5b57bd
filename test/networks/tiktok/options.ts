import { type OptionExamples, withPhoto, withVideo } from "../option-examples.ts";

export const options: OptionExamples = {
  privacy_level: { value: "SELF_ONLY" },
  disable_comment: { value: true },
  disable_duet: { value: true },
  disable_stitch: { value: true },
  video_cover_timestamp_ms: { value: 1_000, post: withVideo },
  photo_cover_index: { value: 0, post: withPhoto },
  auto_add_music: { value: true, post: withPhoto },
  brand_content_toggle: { value: true, besides: { privacy_level: "PUBLIC_TO_EVERYONE" } },
  brand_organic_toggle: { value: true },
  is_aigc: { value: true },
  inbox: { options: () => ({ inbox: true }), post: withVideo },
};
