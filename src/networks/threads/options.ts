import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { webAddress } from "../../wire/parse.ts";

const digits = z.string().regex(/^\d{1,40}$/, "An id: digits.");

/** https://docs.rs/threads-rs/0.1.1/threads_rs/constants (2026-03) */
const topic = z
  .string()
  .transform((text) => text.replace(/^#/, ""))
  .pipe(z.string().regex(/^[^.&#\r\n]{1,50}$/, "1 to 50 characters without . and &."));

const answer = z.string().min(1).max(25);

/** https://github.com/fbsamples/threads_api (2025-12); how long an answer is: https://docs.rs/threads-rs/0.1.1/threads_rs/constants (2026-03) */
const poll = documentedObject({
  /** The first answer. Each has at most 25 characters. */
  option_a: answer.describe("The first answer. Each has at most 25 characters."),
  /** The second answer. */
  option_b: answer.describe("The second answer."),
  /** The third answer. */
  option_c: answer.optional().describe("The third answer."),
  /** The fourth answer. */
  option_d: answer.optional().describe("The fourth answer."),
}).refine(({ option_c, option_d }) => option_d === undefined || option_c !== undefined, {
  path: ["option_c"],
  error: "Set option_c before option_d.",
});

const place = {
  offset: z.int().min(0).max(10_000),
  length: z.int().min(1).max(10_000),
};

/** https://developers.facebook.com/documentation/threads/create-posts/text-attachments (2026-07) */
const textAttachment = documentedObject({
  /** The text, at most 10,000 characters. */
  plaintext: z.string().min(1).max(10_000).describe("The text, at most 10,000 characters."),
  /** A link below it. */
  link_attachment_url: webAddress.optional().describe("A link below it."),
  /** Styles of parts of the text. */
  text_with_styling_info: z
    .array(
      documentedObject({
        /** Start of the range, in UTF-16 units. */
        offset: place.offset.describe("Start of the range, in UTF-16 units."),
        /** Its length, in UTF-16 units. */
        length: place.length.describe("Its length, in UTF-16 units."),
        /** Its style. */
        styling_info: z
          .array(z.enum(["bold", "italic", "highlight", "underline", "strikethrough"]))
          .min(1)
          .describe("Its style."),
      }),
    )
    .min(1)
    .max(100)
    .optional()
    .describe("Styles of parts of the text."),
});

/** https://developers.facebook.com/documentation/threads/create-posts/spoilers (2026-07) */
const textEntity = documentedObject({
  /** The kind of attachment. */
  entity_type: z.literal("SPOILER").describe("The kind of attachment."),
  /** Its start in the text, in UTF-16 units. */
  offset: place.offset.describe("Its start in the text, in UTF-16 units."),
  /** Its length, in UTF-16 units. */
  length: place.length.describe("Its length, in UTF-16 units."),
});

export const options = documentedObject({
  /** The topic of the post, 1 to 50 characters without `.` and `&`. Default: the first hashtag in the text. */
  topic_tag: topic
    .optional()
    .describe("The topic of the post, 1 to 50 characters without `.` and `&`. Default: the first hashtag in the text."),
  /** Who may reply. Default: everyone. */
  reply_control: z
    .enum(["everyone", "accounts_you_follow", "mentioned_only", "parent_post_author_only", "followers_only"])
    .optional()
    .describe("Who may reply. Default: everyone."),
  /** True: replies appear only after the account approves them. Not on ghost posts. */
  enable_reply_approvals: z
    .boolean()
    .optional()
    .describe("True: replies appear only after the account approves them. Not on ghost posts."),
  /** Id of a post that is quoted. */
  quote_post_id: digits.optional().describe("Id of a post that is quoted."),
  /** True: the files are hidden until a viewer taps them. */
  is_spoiler_media: z.boolean().optional().describe("True: the files are hidden until a viewer taps them."),
  /** Parts of the text that are hidden until a viewer taps them, at most 10. In a thread: of its first post. */
  text_entities: z
    .array(textEntity)
    .min(1)
    .max(10)
    .optional()
    .describe(
      "Parts of the text that are hidden until a viewer taps them, at most 10. In a thread: of its first post.",
    ),
  /** A long text below the post. Posts without files and polls. */
  text_attachment: textAttachment.optional().describe("A long text below the post. Posts without files and polls."),
  /** A poll with 2 to 4 answers. Only for posts without files, link and long text. */
  poll_attachment: poll
    .optional()
    .describe("A poll with 2 to 4 answers. Only for posts without files, link and long text."),
  /** A GIF of GIPHY. Posts without files. */
  gif_attachment: documentedObject({
    /** Its id at GIPHY. */
    gif_id: z
      .string()
      .regex(/^\w{1,100}$/, "The id of a GIF at GIPHY.")
      .describe("Its id at GIPHY."),
    /** The provider. Default GIPHY, the only one supported. */
    provider: z.literal("GIPHY").optional().describe("The provider. Default GIPHY, the only one supported."),
  })
    .optional()
    .describe("A GIF of GIPHY. Posts without files."),
  /** True: the post disappears after 24 hours. Text only, without a thread. */
  is_ghost_post: z
    .boolean()
    .optional()
    .describe("True: the post disappears after 24 hours. Text only, without a thread."),
  /** Id of a place, from `choices`. Requires the scope threads_location_tagging. */
  location_id: digits
    .optional()
    .describe("Id of a place, from `choices`. Requires the scope threads_location_tagging."),
  /**
   * Countries in which the post is shown, two letters each: `DE`. Only for accounts that Threads allows to choose them.
   */
  allowlisted_country_codes: z
    .array(z.string().regex(/^[A-Z]{2}$/, "A country in two capital letters, such as DE."))
    .min(1)
    .max(250)
    .optional()
    .describe(
      "Countries in which the post is shown, two letters each: `DE`. Only for accounts that Threads allows to choose them.",
    ),
  /** True: the post is also shared as a story on Instagram. Requires the scope threads_share_to_instagram. */
  crossreshare_to_ig: z
    .boolean()
    .optional()
    .describe("True: the post is also shared as a story on Instagram. Requires the scope threads_share_to_instagram."),
  /** True: the same, on a dark background. */
  crossreshare_to_ig_dark_mode: z.boolean().optional().describe("True: the same, on a dark background."),
});

export type ThreadsOptions = z.infer<typeof options>;
