import * as z from "zod";
import { networkId } from "../networks/contract/network-id.ts";
import { dateTime } from "../wire/date-time.ts";
import { describeValue } from "../wire/describe-value.ts";
import { documentedAnswer, documentedObject } from "../wire/documented-object.ts";
import { addressOnTheWeb, storableText, webAddress } from "../wire/parse.ts";

const tooLong = "A URL must have at most 8,192 characters.";
const url = webAddress.max(8_192, tooLong);

/** The message for callers who pass a file instead of its URL. */
export const filesByAddress =
  "Must be the file's https URL. media.upload and POST /v1/media create one; in code, media also accepts bytes, Blobs and streams.";
const fileUrl = addressOnTheWeb(filesByAddress).max(8_192, tooLong);
export const postType = z.enum(["post", "reel", "story"]);

// Input

const mediaInput = z.union([
  fileUrl,
  documentedObject({
    /** The file's URL. */
    url: fileUrl.describe("The file's URL."),
    /** Description of the image, for users who cannot see it. */
    alt: storableText.max(10_000).nullish().describe("Description of the image, for users who cannot see it."),
    /** URL of a video's cover image. */
    thumbnail_url: fileUrl.nullish().describe("URL of a video's cover image."),
  }),
]);

/** A file of a post, by its URL. */
export type MediaInput = z.input<typeof mediaInput>;

const linkInput = z.union([
  url,
  documentedObject({
    /** The link's URL. */
    url: url.describe("The link's URL."),
    /** The preview card's title. */
    title: storableText.max(300).nullish().describe("The preview card's title."),
    /** The preview card's description. */
    description: storableText.max(1_000).nullish().describe("The preview card's description."),
    /** URL of the preview card's image. */
    image_url: url.nullish().describe("URL of the preview card's image."),
  }),
]);

/** All parts of a thread together, UTF-16 units: the maximum that is cut, counted and searched in one piece. */
const longestThread = 100_000;
/** A caption, or one part of a thread, UTF-16 units. */
const longestText = 20_000;

const threadPart = storableText.min(1).max(longestText, "A part of a thread must have at most 20,000 characters.");
const thread = z
  .array(threadPart)
  .min(1)
  .max(50)
  .refine(
    (parts) => parts.reduce((sum, part) => sum + part.length, 0) <= longestThread,
    "All parts of a thread together must have at most 100,000 characters; create several posts.",
  );

const content = {
  text: storableText.max(longestText),
  media: z.array(mediaInput).max(35),
  link: linkInput,
  post_type: postType,
  title: storableText.max(300),
  thread,
};

/**
 * Content keys that a network's override may replace; null keeps the base value. All other keys are the network's
 * options.
 */
export const overrideContentSchema = documentedAnswer({
  /** The caption. */
  text: content.text.nullish().describe("The caption."),
  /** Files by URL, in order. */
  media: z
    .union([content.media, mediaInput])
    .transform((media) => (Array.isArray(media) ? media : [media]))
    .nullish()
    .describe("Files by URL, in order."),
  /** A link, shown as a preview card on networks that have one. */
  link: content.link.nullish().describe("A link, shown as a preview card on networks that have one."),
  /** The kind of post. */
  post_type: content.post_type.nullish().describe("The kind of post."),
  /** A title, on networks that have one. */
  title: content.title.nullish().describe("A title, on networks that have one."),
  /** Explicit thread parts, published verbatim; at most 100,000 characters in total. */
  thread: content.thread
    .nullish()
    .describe("Explicit thread parts, published verbatim; at most 100,000 characters in total."),
});

export type OverrideContent = z.output<typeof overrideContentSchema>;
export type OverrideContentInput = z.input<typeof overrideContentSchema>;
export const overrideContentKeys = Object.keys(overrideContentSchema.shape) as (keyof OverrideContent)[];

const networksInput = z.partialRecord(networkId, z.record(z.string(), z.json()));

export const createPostSchema = documentedObject({
  /** Connected profiles, at least one. */
  profile_ids: z
    .array(z.string(), {
      error: ({ input }) =>
        input === undefined
          ? "Must have at least one connected profile."
          : `Must be an array of profile ids, such as ["prof_1"], not ${describeValue(input)}.`,
    })
    .min(1, "Must have at least one connected profile.")
    .max(500, "Must have at most 500 profiles; create several posts for more.")
    .describe("Connected profiles, at least one."),
  /** The caption. */
  text: content.text.default("").describe("The caption."),
  /** Files by URL, in order. */
  media: content.media.default([]).describe("Files by URL, in order."),
  /** A link, shown as a preview card on networks that have one. */
  link: content.link.nullish().describe("A link, shown as a preview card on networks that have one."),
  /** The kind of post. */
  post_type: content.post_type.default("post").describe("The kind of post."),
  /** A title, on networks that have one. */
  title: content.title.nullish().describe("A title, on networks that have one."),
  /** Explicit thread parts, published verbatim; at most 100,000 characters in total. */
  thread: content.thread
    .nullish()
    .describe("Explicit thread parts, published verbatim; at most 100,000 characters in total."),
  /** True: split an over-long caption into a thread instead of rejecting it. */
  auto_thread: z
    .boolean()
    .default(false)
    .describe("True: split an over-long caption into a thread instead of rejecting it."),
  /** When to publish; a time in the past or under a minute ahead means now. */
  scheduled_at: dateTime.nullish().describe("When to publish; a time in the past or under a minute ahead means now."),
  /** True: publish immediately and ignore `scheduled_at`. */
  publish_now: z.boolean().default(false).describe("True: publish immediately and ignore `scheduled_at`."),
  /** True: store a draft; an update publishes it. */
  draft: z.boolean().default(false).describe("True: store a draft; an update publishes it."),
  /** Overrides by network. */
  networks: networksInput.default({}).describe("Overrides by network."),
  /** Repeating a request with the same key returns the first post. */
  idempotency_key: storableText
    .min(8)
    .max(255)
    .nullish()
    .describe("Repeating a request with the same key returns the first post."),
}).meta({ id: "CreatePost" });

/** The argument of `posts.create`, as JSON. */
export type CreatePostBody = z.input<typeof createPostSchema>;
export type ParsedCreatePost = z.output<typeof createPostSchema>;

// Plans

const planIssueSchema = documentedAnswer({
  /** A `warning` does not prevent publishing. */
  severity: z.enum(["error", "warning"]).describe("A `warning` does not prevent publishing."),
  /** A publishing code. */
  code: z.string().describe("A publishing code."),
  /** The field: `media[0].alt`. */
  field: z.string().describe("The field: `media[0].alt`."),
  /** A message for humans: the problem and the remedy. */
  message: z.string().describe("A message for humans: the problem and the remedy."),
});

export type PlanIssue = z.infer<typeof planIssueSchema>;

const fileShape = documentedAnswer({
  /** MIME type, detected from the bytes: `image/jpeg`. */
  mime_type: z.string().describe("MIME type, detected from the bytes: `image/jpeg`."),
  /** Pixels, after rotation; null: unknown. */
  width: z.int().nullable().describe("Pixels, after rotation; null: unknown."),
  /** Pixels, after rotation; null: unknown. */
  height: z.int().nullable().describe("Pixels, after rotation; null: unknown."),
  /** Null: unknown. */
  size_bytes: z.int().nullable().describe("Null: unknown."),
});

const quotaSchema = documentedAnswer({
  /**
   * `app`: of your app over all profiles, counted by the service · `profile`: of the account, reported by the network.
   */
  of: z
    .enum(["app", "profile"])
    .describe(
      "`app`: of your app over all profiles, counted by the service · `profile`: of the account, reported by the network.",
    ),
  /** Posts per day. */
  posts: z.int().describe("Posts per day."),
  /** The number already published. */
  used: z.int().describe("The number already published."),
  /** When it was counted. */
  as_of: z.string().describe("When it was counted."),
});

export type PlannedQuota = z.infer<typeof quotaSchema>;

const targetPlanSchema = documentedAnswer({
  /** The profile to publish on. */
  profile_id: z.string().describe("The profile to publish on."),
  /** The profile's network. */
  network: networkId.describe("The profile's network."),
  /** True: the target has no errors. */
  valid: z.boolean().describe("True: the target has no errors."),
  /** The parts that would be published, in order, with the network's own count. */
  parts: z
    .array(
      documentedAnswer({
        /** The text that would be published. */
        text: z.string().describe("The text that would be published."),
        /** Its length as the network counts it. */
        length: z.int().describe("Its length as the network counts it."),
        /** Its maximum length. */
        limit: z.int().describe("Its maximum length."),
        /** A `comment` is shown under the post; an `entry` adds the post to something, such as a playlist. */
        role: z
          .enum(["post", "reply", "comment", "entry"])
          .describe("A `comment` is shown under the post; an `entry` adds the post to something, such as a playlist."),
      }),
    )
    .describe("The parts that would be published, in order, with the network's own count."),
  /** The files, one by one. */
  media: z
    .array(
      documentedAnswer({
        /** The file's URL. */
        url: z.string().describe("The file's URL."),
        /** Its type for the network: `image`, `video` or `gif`. */
        type: z.string().describe("Its type for the network: `image`, `video` or `gif`."),
        /**
         * How the file is handled: `as_is`, or a sentence about the network's own conversion; the format that the
         * service converts it to, `jpeg`, `png` or `webp`; the conversion, `downscale`, `recompress`, `transcode` or,
         * without re-encoding, `remux`; or `refuse`.
         */
        action: z
          .string()
          .describe(
            "How the file is handled: `as_is`, or a sentence about the network's own conversion; the format that the service converts it to, `jpeg`, `png` or `webp`; the conversion, `downscale`, `recompress`, `transcode` or, without re-encoding, `remux`; or `refuse`.",
          ),
        /** The original file. */
        before: fileShape.describe("The original file."),
        /** The file that would be sent; after a conversion the bytes are a maximum. Null: it would not be sent. */
        after: fileShape
          .nullable()
          .describe(
            "The file that would be sent; after a conversion the bytes are a maximum. Null: it would not be sent.",
          ),
        /** Why it is converted or refused, or the network's unmet recommendations. */
        reasons: z
          .array(z.string())
          .describe("Why it is converted or refused, or the network's unmet recommendations."),
      }),
    )
    .describe("The files, one by one."),
  /** The network's charge to the app's owner, US dollars; null: no charge is known. */
  cost_usd: z
    .number()
    .nullable()
    .describe("The network's charge to the app's owner, US dollars; null: no charge is known."),
  /** The known number of posts that the network accepts per day; null: unknown, or unlimited. */
  quota: quotaSchema
    .nullable()
    .describe("The known number of posts that the network accepts per day; null: unknown, or unlimited."),
  /** Errors and warnings. */
  issues: z.array(planIssueSchema).describe("Errors and warnings."),
});

export type TargetPlan = z.infer<typeof targetPlanSchema>;

export const postPlanSchema = documentedAnswer({
  /** True: every target is `valid`. */
  valid: z.boolean().describe("True: every target is `valid`."),
  /** One for each addressed profile, in that order. */
  targets: z.array(targetPlanSchema).describe("One for each addressed profile, in that order."),
}).meta({
  id: "PostPlan",
});

/** A planned post, as `posts.validate` returns it. */
export type PostPlan = z.infer<typeof postPlanSchema>;
