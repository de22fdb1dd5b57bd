import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { webAddress } from "../../wire/parse.ts";

/** https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media (2026-09) */
const username = z
  .string()
  .transform((name) => name.replace(/^@/, ""))
  .pipe(z.string().regex(/^[\w.]{1,30}$/, "The name of an account, as after the @."));

const share = z.number().min(0).max(1);
const volume = z.int().min(0).max(100);
const digits = z.string().regex(/^\d{1,40}$/, "An id of Instagram: digits.");

/** Which file of the post a tag is on. */
const item = z.int().min(0).max(9).optional();

const userTag = documentedObject({
  /** Whom the file shows. */
  username: username.describe("Whom the file shows."),
  /** Where in the picture, from the left: 0 to 1. Pictures of a post need it, stories may have it, films have none. */
  x: share
    .optional()
    .describe(
      "Where in the picture, from the left: 0 to 1. Pictures of a post need it, stories may have it, films have none.",
    ),
  /** Where in the picture, from the top: 0 to 1. */
  y: share.optional().describe("Where in the picture, from the top: 0 to 1."),
  /** Which file of the post it is, from 0. Default 0. */
  item: item.describe("Which file of the post it is, from 0. Default 0."),
});

const productTag = documentedObject({
  /** Its id in the shop's catalog, as `choices` lists it. */
  product_id: digits.describe("Its id in the shop's catalog, as `choices` lists it."),
  /** Where in the picture, from the left: 0 to 1. Pictures need it, films have none. */
  x: share.optional().describe("Where in the picture, from the left: 0 to 1. Pictures need it, films have none."),
  /** Where in the picture, from the top: 0 to 1. */
  y: share.optional().describe("Where in the picture, from the top: 0 to 1."),
  /** Which file of the post it is, from 0. Default 0. */
  item: item.describe("Which file of the post it is, from 0. Default 0."),
});

export const options = documentedObject({
  /** A comment of the account's own under the post. Not under stories. */
  first_comment: z
    .string()
    .min(1)
    .optional()
    .describe("A comment of the account's own under the post. Not under stories."),
  /** False: nobody can comment on the post. Default true. */
  comment_enabled: z.boolean().optional().describe("False: nobody can comment on the post. Default true."),
  /** Up to 3 accounts that are invited to show the post as theirs, too. Not for stories. */
  collaborators: z
    .array(username)
    .min(1)
    .max(3)
    .optional()
    .describe("Up to 3 accounts that are invited to show the post as theirs, too. Not for stories."),
  /** Whom the files show, 20 at most. */
  user_tags: z.array(userTag).min(1).max(20).optional().describe("Whom the files show, 20 at most."),
  /**
   * Products of the account's shop that the files show: 20 at most on a file, 30 on a reel. Not for stories, and only
   * where the account was connected with Facebook's login, which needs `instagram_shopping_tag_products`
   * (`furtherScopes`).
   */
  product_tags: z
    .array(productTag)
    .min(1)
    .max(200)
    .optional()
    .describe(
      "Products of the account's shop that the files show: 20 at most on a file, 30 on a reel. Not for stories, and only where the account was connected with Facebook's login, which needs `instagram_shopping_tag_products` (`furtherScopes`).",
    ),
  /** Id of a Facebook Page that has a place: where it was. Not for stories. */
  location_id: z
    .string()
    .regex(/^\d{1,40}$/, "The id of a Facebook Page: digits.")
    .optional()
    .describe("Id of a Facebook Page that has a place: where it was. Not for stories."),
  /** Reels: false shows it among the reels only, not among the posts. Default true. */
  share_to_feed: z
    .boolean()
    .optional()
    .describe("Reels: false shows it among the reels only, not among the posts. Default true."),
  /** Reels: address of a JPEG as cover. Wins over thumbnail_url and thumb_offset. */
  cover_url: webAddress
    .max(2048)
    .optional()
    .describe("Reels: address of a JPEG as cover. Wins over thumbnail_url and thumb_offset."),
  /** Reels: the moment whose picture is the cover, milliseconds. Default 0. */
  thumb_offset: z
    .int()
    .min(0)
    .max(900_000)
    .optional()
    .describe("Reels: the moment whose picture is the cover, milliseconds. Default 0."),
  /** Reels: what the sound is called. It can be named once. */
  audio_name: z.string().min(1).max(255).optional().describe("Reels: what the sound is called. It can be named once."),
  /** Reels: shown first to people who do not follow the account. */
  trial_params: documentedObject({
    /** How it comes to the followers: by hand, or by itself when it does well. */
    graduation_strategy: z
      .enum(["MANUAL", "SS_PERFORMANCE"])
      .describe("How it comes to the followers: by hand, or by itself when it does well."),
  })
    .optional()
    .describe("Reels: shown first to people who do not follow the account."),
  /** Reels: the music behind it. Only where the account was connected with Facebook's login. */
  audio_configuration: documentedObject({
    /** Its id at Instagram, as `choices` lists it. */
    audio_id: digits.describe("Its id at Instagram, as `choices` lists it."),
    /** How loud it is: 0 to 100. */
    audio_volume: volume.optional().describe("How loud it is: 0 to 100."),
    /** How loud the film's own sound is: 0 to 100. */
    video_volume: volume.optional().describe("How loud the film's own sound is: 0 to 100."),
  })
    .optional()
    .describe("Reels: the music behind it. Only where the account was connected with Facebook's login."),
  /** It is labelled as made with AI. */
  is_ai_generated: z.boolean().optional().describe("It is labelled as made with AI."),
  /** It is labelled as a paid partnership. Only where the account was connected with Facebook's login. */
  is_paid_partnership: z
    .boolean()
    .optional()
    .describe("It is labelled as a paid partnership. Only where the account was connected with Facebook's login."),
  /** Ids of the accounts that paid for it, at most 2. */
  branded_content_sponsor_ids: z
    .array(digits)
    .min(1)
    .max(2)
    .optional()
    .describe("Ids of the accounts that paid for it, at most 2."),
});

export type InstagramOptions = z.infer<typeof options>;
