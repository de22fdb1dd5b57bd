import * as z from "zod";
import { countText } from "../../text/count.ts";
import { documentedObject } from "../../wire/documented-object.ts";
import { webAddress } from "../../wire/parse.ts";
import { xId } from "./api.ts";

/** How X counts a text. https://docs.x.com/fundamentals/counting-characters (2026-08) */
const weighted = { max: 25, unit: "weighted", url_length: 23 } as const;

/** 2 to 4 answers of 25 characters, 5 minutes to a week. https://github.com/xdevplatform/docs/blob/main/openapi.json (2026-08) */
const pollSchema = documentedObject({
  /** The answers: 2 to 4, of at most 25 characters each. */
  options: z
    .array(
      z
        .string()
        .min(1)
        .refine(
          (text) => countText(text, weighted) <= weighted.max,
          `An answer must have at most ${weighted.max} characters.`,
        ),
    )
    .min(2)
    .max(4)
    .describe("The answers: 2 to 4, of at most 25 characters each."),
  /** How long the poll is open, minutes: 5 to 10,080 (a week). */
  duration_minutes: z.int().min(5).max(10_080).describe("How long the poll is open, minutes: 5 to 10,080 (a week)."),
});

/** https://github.com/xdevplatform/docs/blob/main/openapi.json, `POST /2/media/subtitles` (2026-08) */
const subtitlesSchema = documentedObject({
  /** URL of a SubRip (`.srt`) or WebVTT (`.vtt`) file of at most 512 KiB. */
  url: webAddress.describe("URL of a SubRip (`.srt`) or WebVTT (`.vtt`) file of at most 512 KiB."),
  /** Their language, in two letters: `en`. */
  language: z
    .string()
    .regex(/^[a-z]{2}$/, "A language in two lower-case letters, such as en.")
    .describe("Their language, in two letters: `en`."),
  /** The name that viewers see: `English`. */
  name: z.string().min(1).max(100).describe("The name that viewers see: `English`."),
});

/** The id at the end of a post's address, or an id. */
const postAddress = z
  .string()
  .max(300)
  .regex(
    /^(?:\d{1,19}|https:\/\/(?:www\.)?(?:x|twitter)\.com\/\w{1,15}\/status\/\d{1,19}(?:[/?#].*)?)$/,
    "Must be the id of a post, or its URL on https://x.com.",
  );

export const options = documentedObject({
  /**
   * Who may reply: `following` (whom the account follows), `mentionedUsers`, `subscribers` or `verified`, mentioned
   * users always may. Default: everyone.
   */
  reply_settings: z
    .enum(["following", "mentionedUsers", "subscribers", "verified"])
    .optional()
    .describe(
      "Who may reply: `following` (whom the account follows), `mentionedUsers`, `subscribers` or `verified`, mentioned users always may. Default: everyone.",
    ),
  /** A poll below the text; not together with files. On the first part of a thread. */
  poll: pollSchema
    .optional()
    .describe("A poll below the text; not together with files. On the first part of a thread."),
  /** The community to post in: its id. The account must be a member. */
  community_id: xId.optional().describe("The community to post in: its id. The account must be a member."),
  /** True: a post in a community is also shown to the account's followers. Default false. */
  share_with_followers: z
    .boolean()
    .optional()
    .describe("True: a post in a community is also shown to the account's followers. Default false."),
  /** True: only paying subscribers see it. Default false. */
  subscribers_only: z.boolean().optional().describe("True: only paying subscribers see it. Default false."),
  /** True: every part is labelled as made with AI. Default false. */
  made_with_ai: z.boolean().optional().describe("True: every part is labelled as made with AI. Default false."),
  /** True: every part is labelled as a paid partnership. Default false. */
  paid_partnership: z
    .boolean()
    .optional()
    .describe("True: every part is labelled as a paid partnership. Default false."),
  /** The id of a place to show. X omits it without an error if the account's location is off. */
  place_id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, "Must be the id of a place on X.")
    .optional()
    .describe("The id of a place to show. X omits it without an error if the account's location is off."),
  /** A warning on all files, hidden until clicked: `adult_content`, `graphic_violence`, `other`. */
  sensitive: z
    .array(z.enum(["adult_content", "graphic_violence", "other"]))
    .min(1)
    .max(3)
    .optional()
    .describe("A warning on all files, hidden until clicked: `adult_content`, `graphic_violence`, `other`."),
  /** People in the photos, by their ids, at most 10. */
  tagged_user_ids: z.array(xId).min(1).max(10).optional().describe("People in the photos, by their ids, at most 10."),
  /** Subtitles of the video. */
  subtitles: z.array(subtitlesSchema).min(1).max(20).optional().describe("Subtitles of the video."),
  /**
   * The post to reply to: its id or its URL. Without an enterprise contract X accepts replies only to the account's own
   * posts, and to users who mentioned or quoted the account.
   */
  reply_to: postAddress
    .optional()
    .describe(
      "The post to reply to: its id or its URL. Without an enterprise contract X accepts replies only to the account's own posts, and to users who mentioned or quoted the account.",
    ),
});

export type XOptions = z.infer<typeof options>;

/** The id of the post that the option names; null: none. */
export function replyToOf({ reply_to }: XOptions): string | null {
  return reply_to === undefined ? null : (/(\d{1,19})(?:[/?#].*)?$/.exec(reply_to)?.[1] ?? null);
}
