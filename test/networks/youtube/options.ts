import type { OptionExamples } from "../option-examples.ts";

export const options: OptionExamples = {
  privacy_status: { value: "unlisted" },
  made_for_kids: { value: true },
  tags: { value: ["bread"] },
  category_id: { value: "22" },
  license: { value: "creativeCommon" },
  synthetic_media: { value: true },
  paid_promotion: { value: true },
  language: { value: "en" },
  audio_language: { value: "de" },
  notify_subscribers: { value: false },
  embeddable: { value: false },
  public_stats: { value: false },
  thumbnail: { value: ({ photo }) => photo },
  playlist_id: { value: ({ sandbox, account }) => sandbox.youtube.addPlaylist(account, "Bread") },
  first_comment: { value: "First" },
};
