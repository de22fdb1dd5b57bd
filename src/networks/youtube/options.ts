import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { webAddress } from "../../wire/parse.ts";

/** Languages as browsers name them. https://www.rfc-editor.org/rfc/rfc5646 (2026-11) */
const language = z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, "A language code, such as en or pt-BR.");

/** https://developers.google.com/youtube/v3/docs/videos (2026-09) */
const id = z.string().regex(/^[\w-]{2,64}$/, "Must be a YouTube id: letters, digits, - and _.");

export const privacyStatuses = ["public", "unlisted", "private"] as const;

export const options = documentedObject({
  /** The video's visibility: `public` (default), `unlisted` (users with its URL), `private` (only the channel). */
  privacy_status: z
    .enum(privacyStatuses)
    .default("public")
    .describe(
      "The video's visibility: `public` (default), `unlisted` (users with its URL), `private` (only the channel).",
    ),
  /** True: the video is made for children. The law requires this declaration. Default false. */
  made_for_kids: z
    .boolean()
    .default(false)
    .describe("True: the video is made for children. The law requires this declaration. Default false."),
  /** Keywords: 500 characters in total; a keyword with a space counts two more. */
  tags: z
    .array(z.string().trim().min(1).max(500))
    .max(500)
    .optional()
    .describe("Keywords: 500 characters in total; a keyword with a space counts two more."),
  /** Its category, one of the `choices` for the channel's country. Default `22`, People & Blogs. */
  category_id: z
    .string()
    .regex(/^\d{1,4}$/, "The id of a category, such as 22.")
    .default("22")
    .describe("Its category, one of the `choices` for the channel's country. Default `22`, People & Blogs."),
  /** How others may use it: `youtube` (YouTube's standard licence, default) or `creativeCommon` (CC BY). */
  license: z
    .enum(["youtube", "creativeCommon"])
    .optional()
    .describe("How others may use it: `youtube` (YouTube's standard licence, default) or `creativeCommon` (CC BY)."),
  /** True: it shows something realistic that was made or changed by AI. Default: no declaration. */
  synthetic_media: z
    .boolean()
    .optional()
    .describe("True: it shows something realistic that was made or changed by AI. Default: no declaration."),
  /** True: it contains paid product placement. Default false. */
  paid_promotion: z.boolean().optional().describe("True: it contains paid product placement. Default false."),
  /** Language of title and description: `en`, `pt-BR`. */
  language: language.optional().describe("Language of title and description: `en`, `pt-BR`."),
  /** Language that is spoken in it: `en`, `pt-BR`. */
  audio_language: language.optional().describe("Language that is spoken in it: `en`, `pt-BR`."),
  /** True: notify the channel's subscribers. Default true. */
  notify_subscribers: z.boolean().optional().describe("True: notify the channel's subscribers. Default true."),
  /** True: other sites may embed it. Default true. */
  embeddable: z.boolean().optional().describe("True: other sites may embed it. Default true."),
  /** True: its extended statistics are public. Default true. */
  public_stats: z.boolean().optional().describe("True: its extended statistics are public. Default true."),
  /** URL of its thumbnail, JPEG or PNG; the channel must have a verified phone number. Default: the file's cover. */
  thumbnail: webAddress
    .optional()
    .describe(
      "URL of its thumbnail, JPEG or PNG; the channel must have a verified phone number. Default: the file's cover.",
    ),
  /** Id of a playlist of the channel to add it to, from `choices`. */
  playlist_id: id.optional().describe("Id of a playlist of the channel to add it to, from `choices`."),
  /** A comment by the channel under it. */
  first_comment: z.string().trim().min(1).optional().describe("A comment by the channel under it."),
});

export type YoutubeOptions = z.infer<typeof options>;
