import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { webAddress } from "../../wire/parse.ts";

/** 140 and 30 characters: two tools say so, and LinkedIn does not (unconfirmed). The rest: https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/poll-post-api (2026-08) */
const pollSchema = documentedObject({
  /** What is asked, at most 140 characters. */
  question: z.string().min(1).max(140).describe("What is asked, at most 140 characters."),
  /** The answers: 2 to 4, of at most 30 characters each. */
  options: z
    .array(z.string().min(1).max(30, "An answer has at most 30 characters."))
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
  /** Address of a PDF, PPT, PPTX, DOC or DOCX file of at most 100 MB and 300 pages. */
  url: webAddress.describe("Address of a PDF, PPT, PPTX, DOC or DOCX file of at most 100 MB and 300 pages."),
  /** What stands above it. */
  title: z.string().min(1).max(400).describe("What stands above it."),
});

function urns(kind: string) {
  const pattern = new RegExp(`^urn:li:${kind}:\\d{1,19}$`);
  return z
    .array(z.string().regex(pattern, `Give names such as urn:li:${kind}:1.`))
    .min(1)
    .max(100);
}

/** The names of the fields: (unconfirmed). https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api (2026-08) */
const audienceSchema = documentedObject({
  /** Places, as `urn:li:geo:103644278`. */
  geo_locations: urns("geo").optional().describe("Places, as `urn:li:geo:103644278`."),
  /** Industries, as `urn:li:industry:4`. */
  industries: urns("industry").optional().describe("Industries, as `urn:li:industry:4`."),
  /** Ranks, as `urn:li:seniority:3`. */
  seniorities: urns("seniority").optional().describe("Ranks, as `urn:li:seniority:3`."),
  /** What people do, as `urn:li:function:22`. */
  job_functions: urns("function").optional().describe("What people do, as `urn:li:function:22`."),
  /** How many people their company has, as `SIZE_11_TO_50`. */
  staff_count_ranges: z
    .array(z.string().regex(/^SIZE_[A-Z0-9_]{1,30}$/, "Give sizes such as SIZE_11_TO_50."))
    .min(1)
    .max(20)
    .optional()
    .describe("How many people their company has, as `SIZE_11_TO_50`."),
});

/** The name of a post, or its address, which holds the name. */
const postAddress = z
  .string()
  .max(300)
  .regex(
    /^(?:https:\/\/www\.linkedin\.com\/feed\/update\/)?urn:li:(?:share|ugcPost):\d{1,19}\/?$/,
    "A post, as urn:li:share:1, or its address: https://www.linkedin.com/feed/update/urn:li:share:1.",
  );

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api (2026-08) */
export const options = documentedObject({
  /** Who sees the post: `PUBLIC` (default), `LOGGED_IN` (members of LinkedIn), or `CONNECTIONS` (a member's own). */
  visibility: z
    .enum(["PUBLIC", "LOGGED_IN", "CONNECTIONS"])
    .optional()
    .describe(
      "Who sees the post: `PUBLIC` (default), `LOGGED_IN` (members of LinkedIn), or `CONNECTIONS` (a member's own).",
    ),
  /** Where it is shown: `MAIN_FEED` (default), or `NONE`, so that only who has its address sees it. */
  feed_distribution: z
    .enum(["MAIN_FEED", "NONE"])
    .optional()
    .describe("Where it is shown: `MAIN_FEED` (default), or `NONE`, so that only who has its address sees it."),
  /** To whom it is shown, which must be more than 300 members: those who fit each that is given. Organisations only. */
  audience: audienceSchema
    .optional()
    .describe(
      "To whom it is shown, which must be more than 300 members: those who fit each that is given. Organisations only.",
    ),
  /** Nobody can share the post on. Default false. */
  disable_reshares: z.boolean().optional().describe("Nobody can share the post on. Default false."),
  /** A poll below the text; not beside files, a link or a document. */
  poll: pollSchema.optional().describe("A poll below the text; not beside files, a link or a document."),
  /** A document to leaf through below the text; not beside files, a link or a poll. */
  document: documentSchema
    .optional()
    .describe("A document to leaf through below the text; not beside files, a link or a poll."),
  /** The post to share on, as `urn:li:share:1` or its address: it stands below the text. */
  reshare_of: postAddress
    .optional()
    .describe("The post to share on, as `urn:li:share:1` or its address: it stands below the text."),
  /** Address of subtitles (SubRip, `.srt`) of the film. */
  captions_url: webAddress.optional().describe("Address of subtitles (SubRip, `.srt`) of the film."),
  /** A comment of the account's own under the post. For logins by an app that LinkedIn lets comment. */
  first_comment: z
    .string()
    .min(1)
    .optional()
    .describe("A comment of the account's own under the post. For logins by an app that LinkedIn lets comment."),
});

export type LinkedinOptions = z.infer<typeof options>;

/** The name of the post that the option is about; null: none. */
export function reshareOf({ reshare_of }: LinkedinOptions): string | null {
  return /urn:li:(?:share|ugcPost):\d{1,19}/.exec(reshare_of ?? "")?.[0] ?? null;
}
