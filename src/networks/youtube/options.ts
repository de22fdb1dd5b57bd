import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { webAddress } from "../../wire/parse.ts";

/** Languages as browsers name them. https://www.rfc-editor.org/rfc/rfc5646 (2026-11) */
const language = z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, "A language code, such as en or pt-BR.");

/** https://developers.google.com/youtube/v3/docs/videos (2026-09) */
const id = z.string().regex(/^[\w-]{2,64}$/, "An id of YouTube's: letters, digits, - and _.");

export const privacyStatuses = ["public", "unlisted", "private"] as const;

export const options = documentedObject({
  /** Who sees the video: `public` (default), `unlisted` (whoever has its address), `private` (the channel alone). */
  privacy_status: z
    .enum(privacyStatuses)
    .default("public")
    .describe(
      "Who sees the video: `public` (default), `unlisted` (whoever has its address), `private` (the channel alone).",
    ),
  /** The video is made for children: the law demands that it is said. Default false. */
  made_for_kids: z
    .boolean()
    .default(false)
    .describe("The video is made for children: the law demands that it is said. Default false."),
  /** Words that it is found by: 500 characters in all, where one with a blank counts two more. */
  tags: z
    .array(z.string().trim().min(1).max(500))
    .max(500)
    .optional()
    .describe("Words that it is found by: 500 characters in all, where one with a blank counts two more."),
  /** Its category, as `choices` lists them for the channel's country. Default `22`, People & Blogs. */
  category_id: z
    .string()
    .regex(/^\d{1,4}$/, "The id of a category, such as 22.")
    .default("22")
    .describe("Its category, as `choices` lists them for the channel's country. Default `22`, People & Blogs."),
  /** How others may use it: `youtube` (YouTube's standard licence, default) or `creativeCommon` (CC BY). */
  license: z
    .enum(["youtube", "creativeCommon"])
    .optional()
    .describe("How others may use it: `youtube` (YouTube's standard licence, default) or `creativeCommon` (CC BY)."),
  /** It shows something realistic that was made or changed by AI. Default: nothing is said. */
  synthetic_media: z
    .boolean()
    .optional()
    .describe("It shows something realistic that was made or changed by AI. Default: nothing is said."),
  /** Somebody paid for something shown in it. Default false. */
  paid_promotion: z.boolean().optional().describe("Somebody paid for something shown in it. Default false."),
  /** Language of title and description: `en`, `pt-BR`. */
  language: language.optional().describe("Language of title and description: `en`, `pt-BR`."),
  /** Language that is spoken in it: `en`, `pt-BR`. */
  audio_language: language.optional().describe("Language that is spoken in it: `en`, `pt-BR`."),
  /** Tell the channel's subscribers. Default true. */
  notify_subscribers: z.boolean().optional().describe("Tell the channel's subscribers. Default true."),
  /** Other sites may show it. Default true. */
  embeddable: z.boolean().optional().describe("Other sites may show it. Default true."),
  /** Everybody sees its extended statistics. Default true. */
  public_stats: z.boolean().optional().describe("Everybody sees its extended statistics. Default true."),
  /**
   * Address of its thumbnail, JPEG or PNG; the channel must have a verified phone number. Default: the file's cover.
   */
  thumbnail: webAddress
    .optional()
    .describe(
      "Address of its thumbnail, JPEG or PNG; the channel must have a verified phone number. Default: the file's cover.",
    ),
  /** A playlist of the channel that it is added to, as `choices` lists them. */
  playlist_id: id.optional().describe("A playlist of the channel that it is added to, as `choices` lists them."),
  /** A comment of the channel's own under it. */
  first_comment: z.string().trim().min(1).optional().describe("A comment of the channel's own under it."),
});

export type YoutubeOptions = z.infer<typeof options>;
