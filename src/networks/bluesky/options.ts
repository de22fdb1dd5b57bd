import * as z from "zod";
import { countBytes } from "../../text/bytes.ts";
import { countGraphemes } from "../../text/graphemes.ts";
import { documentedObject } from "../../wire/documented-object.ts";
import { webAddress } from "../../wire/parse.ts";
import { postCollection, readAddress } from "./address.ts";

/** https://github.com/bluesky-social/atproto/blob/main/lexicons/com/atproto/label/defs.json (2026-08) */
const selfLabels = ["!no-unauthenticated", "porn", "sexual", "nudity", "graphic-media"] as const;

/** BCP 47 as far as it is in use: `en`, `pt-BR`, `zh-Hant-TW`. */
const language = z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, "A language tag, such as en or pt-BR.");

const listUri = z
  .string()
  .regex(/^at:\/\/did:[a-z]+:[A-Za-z0-9._:%-]{1,256}\/app\.bsky\.graph\.list\/[A-Za-z0-9._:~-]{1,512}$/);

/** 640 bytes and 64 graphemes: https://github.com/bluesky-social/atproto/blob/main/lexicons/app/bsky/feed/post.json (2026-08) */
const tag = z
  .string()
  .min(1)
  .regex(/^[^#\s]/, "A hashtag without its #.")
  .refine((text) => countGraphemes(text) <= 64 && countBytes(text) <= 640, "A hashtag has at most 64 characters.");

/** https://github.com/bluesky-social/atproto/blob/main/lexicons/app/bsky/feed/threadgate.json (2026-08) */
const repliers = z.union([z.enum(["mentioned", "followers", "following"]), listUri]);

const recordAddress = z
  .string()
  .max(2000)
  .regex(/^(at:\/\/|https:\/\/bsky\.app\/)/, "An at:// URI, or a URL on https://bsky.app.");

export const options = documentedObject({
  /** Languages of the text, at most 3: `en`, `pt-BR`. */
  langs: z.array(language).min(1).max(3).optional().describe("Languages of the text, at most 3: `en`, `pt-BR`."),
  /** The author's content warnings for the post. */
  labels: z
    .array(z.enum(selfLabels))
    .min(1)
    .max(selfLabels.length)
    .optional()
    .describe("The author's content warnings for the post."),
  /** Hashtags besides those in the text, without #, at most 8. */
  tags: z.array(tag).min(1).max(8).optional().describe("Hashtags besides those in the text, without #, at most 8."),
  /** A post, list, feed or starter pack to show below the text: its at:// URI or its URL on bsky.app. */
  quote: recordAddress
    .refine((address) => readAddress(address) !== null, "Not the URL of a post, list, feed or starter pack.")
    .optional()
    .describe("A post, list, feed or starter pack to show below the text: its at:// URI or its URL on bsky.app."),
  /** The post to reply to: its at:// URI or its URL on bsky.app. A thread continues from there. */
  reply_to: recordAddress
    .refine((address) => readAddress(address)?.collection === postCollection, "Not the URL of a post.")
    .optional()
    .describe("The post to reply to: its at:// URI or its URL on bsky.app. A thread continues from there."),
  /**
   * Who may reply: `everyone` (default), `nobody`, or a list of `mentioned`, `followers`, `following` and at:// URIs of
   * lists.
   */
  replies: z
    .union([z.enum(["everyone", "nobody"]), z.array(repliers).min(1).max(5)])
    .optional()
    .describe(
      "Who may reply: `everyone` (default), `nobody`, or a list of `mentioned`, `followers`, `following` and at:// URIs of lists.",
    ),
  /** True: quoting the post is disabled. Default false. */
  disable_quotes: z.boolean().optional().describe("True: quoting the post is disabled. Default false."),
  /** How a video is shown: `gif` plays automatically, in a loop and without sound. */
  presentation: z
    .enum(["default", "gif"])
    .optional()
    .describe("How a video is shown: `gif` plays automatically, in a loop and without sound."),
  /** Subtitles of the video. */
  captions: z
    .array(
      documentedObject({
        /** The language of the subtitles. */
        lang: language.describe("The language of the subtitles."),
        /** URL of a WebVTT file of at most 20,000 bytes. */
        url: webAddress.describe("URL of a WebVTT file of at most 20,000 bytes."),
      }),
    )
    .min(1)
    .max(20)
    .optional()
    .describe("Subtitles of the video."),
});

export type BlueskyOptions = z.infer<typeof options>;
