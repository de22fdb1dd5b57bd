import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { webAddress } from "../../wire/parse.ts";

/** https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media (2026-09) */
const username = z
  .string()
  .transform((name) => name.replace(/^@/, ""))
  .pipe(z.string().regex(/^[\w.]{1,30}$/, "Must be an account's name, without the @."));

const share = z.number().min(0).max(1);
const volume = z.int().min(0).max(100);
const digits = z.string().regex(/^\d{1,40}$/, "Must be an Instagram id: digits.");

/** Which file of the post a tag is on. */
const item = z.int().min(0).max(9).optional();

const userTag = documentedObject({
  /** Name of the account that the file shows. */
  username: username.describe("Name of the account that the file shows."),
  /**
   * Position in the image from the left: 0 to 1. Required for images of a post, optional for stories, not for videos.
   */
  x: share
    .optional()
    .describe(
      "Position in the image from the left: 0 to 1. Required for images of a post, optional for stories, not for videos.",
    ),
  /** Position in the image from the top: 0 to 1. */
  y: share.optional().describe("Position in the image from the top: 0 to 1."),
  /** Index of the file in the post, from 0. Default 0. */
  item: item.describe("Index of the file in the post, from 0. Default 0."),
});

const productTag = documentedObject({
  /** Its id in the shop's catalog, from `choices`. */
  product_id: digits.describe("Its id in the shop's catalog, from `choices`."),
  /** Position in the image from the left: 0 to 1. Required for images, not for videos. */
  x: share.optional().describe("Position in the image from the left: 0 to 1. Required for images, not for videos."),
  /** Position in the image from the top: 0 to 1. */
  y: share.optional().describe("Position in the image from the top: 0 to 1."),
  /** Index of the file in the post, from 0. Default 0. */
  item: item.describe("Index of the file in the post, from 0. Default 0."),
});

export const options = documentedObject({
  /** A comment by the account under the post. Not under stories. */
  first_comment: z.string().min(1).optional().describe("A comment by the account under the post. Not under stories."),
  /** False: comments on the post are disabled. Default true. */
  comment_enabled: z.boolean().optional().describe("False: comments on the post are disabled. Default true."),
  /** Up to 3 accounts to invite as collaborators. Not for stories. */
  collaborators: z
    .array(username)
    .min(1)
    .max(3)
    .optional()
    .describe("Up to 3 accounts to invite as collaborators. Not for stories."),
  /** Accounts that the files show, at most 20. */
  user_tags: z.array(userTag).min(1).max(20).optional().describe("Accounts that the files show, at most 20."),
  /**
   * Products of the account's shop that the files show: at most 20 per file, 30 per reel. Not for stories. Requires a
   * connection by Facebook Login with the scope `instagram_shopping_tag_products` (`furtherScopes`).
   */
  product_tags: z
    .array(productTag)
    .min(1)
    .max(200)
    .optional()
    .describe(
      "Products of the account's shop that the files show: at most 20 per file, 30 per reel. Not for stories. Requires a connection by Facebook Login with the scope `instagram_shopping_tag_products` (`furtherScopes`).",
    ),
  /** Location: id of a Facebook Page that has a place. Not for stories. */
  location_id: z
    .string()
    .regex(/^\d{1,40}$/, "The id of a Facebook Page: digits.")
    .optional()
    .describe("Location: id of a Facebook Page that has a place. Not for stories."),
  /** Reels: false shows it only in the reels tab, not among the posts. Default true. */
  share_to_feed: z
    .boolean()
    .optional()
    .describe("Reels: false shows it only in the reels tab, not among the posts. Default true."),
  /** Reels: URL of a JPEG cover image. Takes precedence over thumbnail_url and thumb_offset. */
  cover_url: webAddress
    .max(2048)
    .optional()
    .describe("Reels: URL of a JPEG cover image. Takes precedence over thumbnail_url and thumb_offset."),
  /** Reels: offset of the frame used as the cover, milliseconds. Default 0. */
  thumb_offset: z
    .int()
    .min(0)
    .max(900_000)
    .optional()
    .describe("Reels: offset of the frame used as the cover, milliseconds. Default 0."),
  /** Reels: name of the audio. It can be set only once. */
  audio_name: z.string().min(1).max(255).optional().describe("Reels: name of the audio. It can be set only once."),
  /** Reels: shown first to people who do not follow the account. */
  trial_params: documentedObject({
    /** How it is shared with the followers: manually, or automatically when it performs well. */
    graduation_strategy: z
      .enum(["MANUAL", "SS_PERFORMANCE"])
      .describe("How it is shared with the followers: manually, or automatically when it performs well."),
  })
    .optional()
    .describe("Reels: shown first to people who do not follow the account."),
  /** Reels: background music. Requires a connection by Facebook Login. */
  audio_configuration: documentedObject({
    /** Its id at Instagram, from `choices`. */
    audio_id: digits.describe("Its id at Instagram, from `choices`."),
    /** Volume of the music: 0 to 100. */
    audio_volume: volume.optional().describe("Volume of the music: 0 to 100."),
    /** Volume of the video's own audio: 0 to 100. */
    video_volume: volume.optional().describe("Volume of the video's own audio: 0 to 100."),
  })
    .optional()
    .describe("Reels: background music. Requires a connection by Facebook Login."),
  /** True: the post is labelled as made with AI. */
  is_ai_generated: z.boolean().optional().describe("True: the post is labelled as made with AI."),
  /** True: the post is labelled as a paid partnership. Requires a connection by Facebook Login. */
  is_paid_partnership: z
    .boolean()
    .optional()
    .describe("True: the post is labelled as a paid partnership. Requires a connection by Facebook Login."),
  /** Ids of the sponsor accounts, at most 2. */
  branded_content_sponsor_ids: z
    .array(digits)
    .min(1)
    .max(2)
    .optional()
    .describe("Ids of the sponsor accounts, at most 2."),
});

export type InstagramOptions = z.infer<typeof options>;
