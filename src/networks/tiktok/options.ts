import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";

/** https://developers.tiktok.com/doc/content-posting-api-reference-query-creator-info (2026-11) */
const privacyLevels = ["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "FOLLOWER_OF_CREATOR", "SELF_ONLY"] as const;

/** A 32-bit number. https://developers.tiktok.com/doc/content-posting-api-reference-direct-post (2026-11) */
const maxTimestampMs = 2_147_483_647;

export const options = documentedObject({
  /**
   * The post's visibility. Required except for drafts: TikTok demands that the user chooses it from the account's
   * `choices`, without a preselected value.
   */
  privacy_level: z
    .enum(privacyLevels)
    .optional()
    .describe(
      "The post's visibility. Required except for drafts: TikTok demands that the user chooses it from the account's `choices`, without a preselected value.",
    ),
  /** True: comments are disabled. Default false. */
  disable_comment: z.boolean().optional().describe("True: comments are disabled. Default false."),
  /** Videos: true disables duets. Default false. */
  disable_duet: z.boolean().optional().describe("Videos: true disables duets. Default false."),
  /** Videos: true disables stitches. Default false. */
  disable_stitch: z.boolean().optional().describe("Videos: true disables stitches. Default false."),
  /** Videos: offset of the frame used as the cover, milliseconds. Default: the first frame. */
  video_cover_timestamp_ms: z
    .int()
    .min(0)
    .max(maxTimestampMs)
    .optional()
    .describe("Videos: offset of the frame used as the cover, milliseconds. Default: the first frame."),
  /** Photos: index of the cover photo, from 0. Default 0. */
  photo_cover_index: z.int().min(0).max(34).optional().describe("Photos: index of the cover photo, from 0. Default 0."),
  /** Photos: true lets TikTok add recommended music. Default false. */
  auto_add_music: z.boolean().optional().describe("Photos: true lets TikTok add recommended music. Default false."),
  /** True: it is a paid partnership with a third party; the post must not be private. Default false. */
  brand_content_toggle: z
    .boolean()
    .optional()
    .describe("True: it is a paid partnership with a third party; the post must not be private. Default false."),
  /** True: it promotes the user's own business. Default false. */
  brand_organic_toggle: z.boolean().optional().describe("True: it promotes the user's own business. Default false."),
  /** Videos: true labels it as made with AI. Default false. */
  is_aigc: z.boolean().optional().describe("Videos: true labels it as made with AI. Default false."),
  /**
   * True: it is sent as a draft to the user's TikTok inbox, where they finish and publish it. TikTok keeps title and
   * text of photos, neither of videos; no other option may be set. Default false.
   */
  inbox: z
    .boolean()
    .optional()
    .describe(
      "True: it is sent as a draft to the user's TikTok inbox, where they finish and publish it. TikTok keeps title and text of photos, neither of videos; no other option may be set. Default false.",
    ),
});

export type TiktokOptions = z.infer<typeof options>;
