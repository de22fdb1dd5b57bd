import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";

/** https://developers.tiktok.com/doc/content-posting-api-reference-query-creator-info (2026-11) */
const privacyLevels = ["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "FOLLOWER_OF_CREATOR", "SELF_ONLY"] as const;

/** A 32-bit number. https://developers.tiktok.com/doc/content-posting-api-reference-direct-post (2026-11) */
const maxTimestampMs = 2_147_483_647;

export const options = documentedObject({
  /**
   * Who sees the post. Required but for drafts: TikTok demands that the person chooses it, from what `choices` lists
   * for the account, with nothing chosen beforehand.
   */
  privacy_level: z
    .enum(privacyLevels)
    .optional()
    .describe(
      "Who sees the post. Required but for drafts: TikTok demands that the person chooses it, from what `choices` lists for the account, with nothing chosen beforehand.",
    ),
  /** Nobody can comment on it. Default false. */
  disable_comment: z.boolean().optional().describe("Nobody can comment on it. Default false."),
  /** Videos: nobody can make a duet with it. Default false. */
  disable_duet: z.boolean().optional().describe("Videos: nobody can make a duet with it. Default false."),
  /** Videos: nobody can make a stitch of it. Default false. */
  disable_stitch: z.boolean().optional().describe("Videos: nobody can make a stitch of it. Default false."),
  /** Videos: the moment whose picture is the cover, milliseconds. Default: the first picture. */
  video_cover_timestamp_ms: z
    .int()
    .min(0)
    .max(maxTimestampMs)
    .optional()
    .describe("Videos: the moment whose picture is the cover, milliseconds. Default: the first picture."),
  /** Photos: which of them is the cover, from 0. Default 0. */
  photo_cover_index: z
    .int()
    .min(0)
    .max(34)
    .optional()
    .describe("Photos: which of them is the cover, from 0. Default 0."),
  /** Photos: TikTok adds music that it recommends. Default false. */
  auto_add_music: z.boolean().optional().describe("Photos: TikTok adds music that it recommends. Default false."),
  /** It is a paid partnership with somebody else; it cannot be seen by the person alone. Default false. */
  brand_content_toggle: z
    .boolean()
    .optional()
    .describe("It is a paid partnership with somebody else; it cannot be seen by the person alone. Default false."),
  /** It promotes the person's own business. Default false. */
  brand_organic_toggle: z.boolean().optional().describe("It promotes the person's own business. Default false."),
  /** Videos: it is labelled as made with AI. Default false. */
  is_aigc: z.boolean().optional().describe("Videos: it is labelled as made with AI. Default false."),
  /**
   * True: it is a draft in the person's TikTok inbox, where they finish and publish it. Of photos TikTok keeps title
   * and text, of videos neither; no other option goes with it. Default false.
   */
  inbox: z
    .boolean()
    .optional()
    .describe(
      "True: it is a draft in the person's TikTok inbox, where they finish and publish it. Of photos TikTok keeps title and text, of videos neither; no other option goes with it. Default false.",
    ),
});

export type TiktokOptions = z.infer<typeof options>;
