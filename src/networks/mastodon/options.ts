import * as z from "zod";
import { countGraphemes } from "../../text/graphemes.ts";
import { documentedObject } from "../../wire/documented-object.ts";

export const visibilities = ["public", "unlisted", "private", "direct"] as const;

/** 4 answers of 50 characters, 5 minutes to a month. https://docs.joinmastodon.org/entities/Instance/ (2026-07) */
const pollSchema = documentedObject({
  /** The answers: 2 to 4, of at most 50 characters each. */
  options: z
    .array(
      z
        .string()
        .min(1)
        .refine((text) => countGraphemes(text) <= 50, "An answer must have at most 50 characters."),
    )
    .min(2)
    .max(4)
    .describe("The answers: 2 to 4, of at most 50 characters each."),
  /** How long the poll is open, seconds: 300 (5 minutes) to 2,629,746 (a month). */
  expires_in: z
    .number()
    .int()
    .min(300)
    .max(2_629_746)
    .describe("How long the poll is open, seconds: 300 (5 minutes) to 2,629,746 (a month)."),
  /** More than one answer may be chosen. Default false. */
  multiple: z.boolean().default(false).describe("More than one answer may be chosen. Default false."),
  /** Votes are hidden until the poll ends. Default false. */
  hide_totals: z.boolean().default(false).describe("Votes are hidden until the poll ends. Default false."),
});

/** −1 … 1 on each axis. https://docs.joinmastodon.org/methods/media/ (2026-07) */
const axis = z.number().min(-1).max(1);

export const options = documentedObject({
  /**
   * The post's visibility: `public` (default), `unlisted` (everyone, but not in public timelines), `private`
   * (followers), `direct` (those mentioned).
   */
  visibility: z
    .enum(visibilities)
    .default("public")
    .describe(
      "The post's visibility: `public` (default), `unlisted` (everyone, but not in public timelines), `private` (followers), `direct` (those mentioned).",
    ),
  /**
   * Visibility of the thread's parts after the first. Default: `unlisted` if the first is `public`, so that a thread
   * does not fill the timelines; otherwise the same as the first.
   */
  thread_visibility: z
    .enum(visibilities)
    .optional()
    .describe(
      "Visibility of the thread's parts after the first. Default: `unlisted` if the first is `public`, so that a thread does not fill the timelines; otherwise the same as the first.",
    ),
  /**
   * Content warning, shown instead of every part's text until opened. Its characters count toward the limit of the
   * text.
   */
  spoiler_text: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Content warning, shown instead of every part's text until opened. Its characters count toward the limit of the text.",
    ),
  /** Files are hidden until clicked. Default: the account's own setting. */
  sensitive: z.boolean().optional().describe("Files are hidden until clicked. Default: the account's own setting."),
  /** Language of the text, ISO 639: `en`. Default: the account's own setting. */
  language: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Z]{2})?$/, "A language code, such as en or zh-TW.")
    .optional()
    .describe("Language of the text, ISO 639: `en`. Default: the account's own setting."),
  /** The post to quote: its id on the account's own instance, which must run Mastodon 4.5 or later. */
  quoted_status_id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("The post to quote: its id on the account's own instance, which must run Mastodon 4.5 or later."),
  /** Who may quote the post, on Mastodon 4.5 and later. Default: the account's own setting. */
  quote_approval_policy: z
    .enum(["public", "followers", "nobody"])
    .optional()
    .describe("Who may quote the post, on Mastodon 4.5 and later. Default: the account's own setting."),
  /** A poll below the first part; not together with files. */
  poll: pollSchema.optional().describe("A poll below the first part; not together with files."),
  /** For each file, in order, the point that cropped previews keep visible; null: the center. */
  focus: z
    .array(
      documentedObject({
        /** −1 left … 1 right. */
        x: axis.describe("−1 left … 1 right."),
        /** −1 bottom … 1 top. */
        y: axis.describe("−1 bottom … 1 top."),
      }).nullable(),
    )
    .min(1)
    .max(20)
    .optional()
    .describe("For each file, in order, the point that cropped previews keep visible; null: the center."),
});

export type MastodonOptions = z.infer<typeof options>;
export type Visibility = MastodonOptions["visibility"];

/** The visibility of the part at `index`. */
export function visibilityOf({ visibility, thread_visibility }: MastodonOptions, index: number): Visibility {
  if (index === 0) return visibility;
  return thread_visibility ?? (visibility === "public" ? "unlisted" : visibility);
}
