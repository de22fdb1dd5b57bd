import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { webAddress } from "../../wire/parse.ts";

/**
 * 140 and 30 characters: from two tools, not from LinkedIn (unconfirmed). The rest:
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/poll-post-api (2026-08)
 */
const pollSchema = documentedObject({
  /** The question, at most 140 characters. */
  question: z.string().min(1).max(140).describe("The question, at most 140 characters."),
  /** The answers: 2 to 4, of at most 30 characters each. */
  options: z
    .array(z.string().min(1).max(30, "An answer must have at most 30 characters."))
    .min(2)
    .max(4)
    .describe("The answers: 2 to 4, of at most 30 characters each."),
  /** How long the poll is open: `ONE_DAY`, `THREE_DAYS`, `SEVEN_DAYS` or `FOURTEEN_DAYS`. */
  duration: z
    .enum(["ONE_DAY", "THREE_DAYS", "SEVEN_DAYS", "FOURTEEN_DAYS"])
    .describe("How long the poll is open: `ONE_DAY`, `THREE_DAYS`, `SEVEN_DAYS` or `FOURTEEN_DAYS`."),
});

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/documents-api (2026-08) */
const documentSchema = documentedObject({
  /** URL of a PDF, PPT, PPTX, DOC or DOCX file of at most 100 MB and 300 pages. */
  url: webAddress.describe("URL of a PDF, PPT, PPTX, DOC or DOCX file of at most 100 MB and 300 pages."),
  /** The document's title. */
  title: z.string().min(1).max(400).describe("The document's title."),
});

function urns(kind: string) {
  const pattern = new RegExp(`^urn:li:${kind}:\\d{1,19}$`);
  return z
    .array(z.string().regex(pattern, `Must be URNs such as urn:li:${kind}:1.`))
    .min(1)
    .max(100);
}

/** The field names are (unconfirmed). https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api (2026-08) */
const audienceSchema = documentedObject({
  /** Places, such as `urn:li:geo:103644278`. */
  geo_locations: urns("geo").optional().describe("Places, such as `urn:li:geo:103644278`."),
  /** Industries, such as `urn:li:industry:4`. */
  industries: urns("industry").optional().describe("Industries, such as `urn:li:industry:4`."),
  /** Seniorities, such as `urn:li:seniority:3`. */
  seniorities: urns("seniority").optional().describe("Seniorities, such as `urn:li:seniority:3`."),
  /** Job functions, such as `urn:li:function:22`. */
  job_functions: urns("function").optional().describe("Job functions, such as `urn:li:function:22`."),
  /** Company sizes, such as `SIZE_11_TO_50`. */
  staff_count_ranges: z
    .array(z.string().regex(/^SIZE_[A-Z0-9_]{1,30}$/, "Must be sizes such as SIZE_11_TO_50."))
    .min(1)
    .max(20)
    .optional()
    .describe("Company sizes, such as `SIZE_11_TO_50`."),
});

/** The URN of a post, or its URL, which contains the URN. */
const postAddress = z
  .string()
  .max(300)
  .regex(
    /^(?:https:\/\/www\.linkedin\.com\/feed\/update\/)?urn:li:(?:share|ugcPost):\d{1,19}\/?$/,
    "Must be a post, such as urn:li:share:1, or its URL: https://www.linkedin.com/feed/update/urn:li:share:1.",
  );

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api (2026-08) */
export const options = documentedObject({
  /**
   * The post's visibility: `PUBLIC` (default), `LOGGED_IN` (members of LinkedIn), or `CONNECTIONS` (a member's own).
   */
  visibility: z
    .enum(["PUBLIC", "LOGGED_IN", "CONNECTIONS"])
    .optional()
    .describe(
      "The post's visibility: `PUBLIC` (default), `LOGGED_IN` (members of LinkedIn), or `CONNECTIONS` (a member's own).",
    ),
  /** Where it is shown. `MAIN_FEED` is the default. With `NONE`, only users with its URL see it. */
  feed_distribution: z
    .enum(["MAIN_FEED", "NONE"])
    .optional()
    .describe("Where it is shown. `MAIN_FEED` is the default. With `NONE`, only users with its URL see it."),
  /** The audience, which must have more than 300 members: those who match every given field. Organisations only. */
  audience: audienceSchema
    .optional()
    .describe(
      "The audience, which must have more than 300 members: those who match every given field. Organisations only.",
    ),
  /** True: resharing the post is disabled. Default false. */
  disable_reshares: z.boolean().optional().describe("True: resharing the post is disabled. Default false."),
  /** A poll below the text; not together with files, a link or a document. */
  poll: pollSchema.optional().describe("A poll below the text; not together with files, a link or a document."),
  /** A document shown page by page below the text; not together with files, a link or a poll. */
  document: documentSchema
    .optional()
    .describe("A document shown page by page below the text; not together with files, a link or a poll."),
  /** The post to reshare, such as `urn:li:share:1` or its URL: it is shown below the text. */
  reshare_of: postAddress
    .optional()
    .describe("The post to reshare, such as `urn:li:share:1` or its URL: it is shown below the text."),
  /** URL of the video's subtitles (SubRip, `.srt`). */
  captions_url: webAddress.optional().describe("URL of the video's subtitles (SubRip, `.srt`)."),
  /** A comment by the account under the post. Requires an app with LinkedIn's permission to comment. */
  first_comment: z
    .string()
    .min(1)
    .optional()
    .describe("A comment by the account under the post. Requires an app with LinkedIn's permission to comment."),
});

export type LinkedinOptions = z.infer<typeof options>;

/** The URN of the post to reshare. Null: none. */
export function reshareOf({ reshare_of }: LinkedinOptions): string | null {
  return /urn:li:(?:share|ugcPost):\d{1,19}/.exec(reshare_of ?? "")?.[0] ?? null;
}
