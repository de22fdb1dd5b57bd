import * as z from "zod";
import { networkId } from "../networks/contract/network-id.ts";
import { dateTime } from "../wire/date-time.ts";
import { describeValue } from "../wire/describe-value.ts";
import { documentedAnswer, documentedObject } from "../wire/documented-object.ts";
import { addressOnTheWeb, storableText, webAddress } from "../wire/parse.ts";

const tooLong = "An address has at most 8,192 characters.";
const url = webAddress.max(8_192, tooLong);

/** What whoever has the file itself is told. */
export const filesByAddress =
  "Give the https address of the file. media.upload and POST /v1/media make one; in code, media takes bytes, Blobs and streams, too.";
const fileUrl = addressOnTheWeb(filesByAddress).max(8_192, tooLong);
export const postType = z.enum(["post", "reel", "story"]);

// What comes in

const mediaInput = z.union([
  fileUrl,
  documentedObject({
    /** Where the file is. */
    url: fileUrl.describe("Where the file is."),
    /** What the picture shows, for those who cannot see it. */
    alt: storableText.max(10_000).nullish().describe("What the picture shows, for those who cannot see it."),
    /** A video's cover picture. */
    thumbnail_url: fileUrl.nullish().describe("A video's cover picture."),
  }),
]);

/** A file of a post, by its address. */
export type MediaInput = z.input<typeof mediaInput>;

const linkInput = z.union([
  url,
  documentedObject({
    /** The address. */
    url: url.describe("The address."),
    /** The preview card's title. */
    title: storableText.max(300).nullish().describe("The preview card's title."),
    /** The preview card's description. */
    description: storableText.max(1_000).nullish().describe("The preview card's description."),
    /** The preview card's picture. */
    image_url: url.nullish().describe("The preview card's picture."),
  }),
]);

/** All parts of a thread together, in UTF-16 units: what is cut, counted and searched at a time. */
const longestThread = 100_000;
/** A caption, and one part of a thread, in UTF-16 units. */
const longestText = 20_000;

const threadPart = storableText.min(1).max(longestText, "A part of a thread has at most 20,000 characters.");
const thread = z
  .array(threadPart)
  .min(1)
  .max(50)
  .refine(
    (parts) => parts.reduce((sum, part) => sum + part.length, 0) <= longestThread,
    "All parts of a thread together have at most 100,000 characters; make several posts.",
  );

const content = {
  text: storableText.max(longestText),
  media: z.array(mediaInput).max(35),
  link: linkInput,
  post_type: postType,
  title: storableText.max(300),
  thread,
};

/** Content keys that a network's override may replace; null takes the base value. Every other key is the network's own. */
export const overrideContentSchema = documentedAnswer({
  /** The caption. */
  text: content.text.nullish().describe("The caption."),
  /** Files by address, in order. */
  media: z
    .union([content.media, mediaInput])
    .transform((media) => (Array.isArray(media) ? media : [media]))
    .nullish()
    .describe("Files by address, in order."),
  /** A link, as a preview card where the network has one. */
  link: content.link.nullish().describe("A link, as a preview card where the network has one."),
  /** What kind of post. */
  post_type: content.post_type.nullish().describe("What kind of post."),
  /** A title, on networks that have one. */
  title: content.title.nullish().describe("A title, on networks that have one."),
  /** Explicit thread parts, published verbatim; at most 100,000 characters in all. */
  thread: content.thread
    .nullish()
    .describe("Explicit thread parts, published verbatim; at most 100,000 characters in all."),
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
          ? "Name at least one connected profile."
          : `It must be an array of profile ids, such as ["prof_1"], not ${describeValue(input)}.`,
    })
    .min(1, "Name at least one connected profile.")
    .max(500, "Name at most 500 profiles; make several posts for more.")
    .describe("Connected profiles, at least one."),
  /** The caption. */
  text: content.text.default("").describe("The caption."),
  /** Files by address, in order. */
  media: content.media.default([]).describe("Files by address, in order."),
  /** A link, as a preview card where the network has one. */
  link: content.link.nullish().describe("A link, as a preview card where the network has one."),
  /** What kind of post. */
  post_type: content.post_type.default("post").describe("What kind of post."),
  /** A title, on networks that have one. */
  title: content.title.nullish().describe("A title, on networks that have one."),
  /** Explicit thread parts, published verbatim; at most 100,000 characters in all. */
  thread: content.thread
    .nullish()
    .describe("Explicit thread parts, published verbatim; at most 100,000 characters in all."),
  /** Split an over-long caption into a thread instead of refusing it. */
  auto_thread: z.boolean().default(false).describe("Split an over-long caption into a thread instead of refusing it."),
  /** When to publish; in the past or under a minute ahead: now. */
  scheduled_at: dateTime.nullish().describe("When to publish; in the past or under a minute ahead: now."),
  /** Publish at once, whatever `scheduled_at` says. */
  publish_now: z.boolean().default(false).describe("Publish at once, whatever `scheduled_at` says."),
  /** Keep it, and publish nothing until an update says so. */
  draft: z.boolean().default(false).describe("Keep it, and publish nothing until an update says so."),
  /** Overrides by network. */
  networks: networksInput.default({}).describe("Overrides by network."),
  /** Repeating a request with the same key returns the first post. */
  idempotency_key: storableText
    .min(8)
    .max(255)
    .nullish()
    .describe("Repeating a request with the same key returns the first post."),
}).meta({ id: "CreatePost" });

/** What `posts.create` takes, as JSON. */
export type CreatePostBody = z.input<typeof createPostSchema>;
export type ParsedCreatePost = z.output<typeof createPostSchema>;

// What it would become

const planIssueSchema = documentedAnswer({
  /** A `warning` does not keep the post from going out. */
  severity: z.enum(["error", "warning"]).describe("A `warning` does not keep the post from going out."),
  /** A publishing code. */
  code: z.string().describe("A publishing code."),
  /** Which field: `media[0].alt`. */
  field: z.string().describe("Which field: `media[0].alt`."),
  /** What is wrong and what to do, for humans. */
  message: z.string().describe("What is wrong and what to do, for humans."),
});

export type PlanIssue = z.infer<typeof planIssueSchema>;

const fileShape = documentedAnswer({
  /** From the bytes: `image/jpeg`. */
  mime_type: z.string().describe("From the bytes: `image/jpeg`."),
  /** Pixels as shown; null: not known. */
  width: z.int().nullable().describe("Pixels as shown; null: not known."),
  /** Pixels as shown; null: not known. */
  height: z.int().nullable().describe("Pixels as shown; null: not known."),
  /** Null where it is not known. */
  size_bytes: z.int().nullable().describe("Null where it is not known."),
});

const quotaSchema = documentedAnswer({
  /**
   * `app`: of your app, on all profiles together, as the service counts its own · `profile`: of the account, as the
   * network told.
   */
  of: z
    .enum(["app", "profile"])
    .describe(
      "`app`: of your app, on all profiles together, as the service counts its own · `profile`: of the account, as the network told.",
    ),
  /** Of a day. */
  posts: z.int().describe("Of a day."),
  /** As many of them have gone out. */
  used: z.int().describe("As many of them have gone out."),
  /** When that was so. */
  as_of: z.string().describe("When that was so."),
});

export type PlannedQuota = z.infer<typeof quotaSchema>;

const targetPlanSchema = documentedAnswer({
  /** The profile that it would go out on. */
  profile_id: z.string().describe("The profile that it would go out on."),
  /** The profile's network. */
  network: networkId.describe("The profile's network."),
  /** Nothing stands in its way. */
  valid: z.boolean().describe("Nothing stands in its way."),
  /** What would be published, in order, with the network's own count. */
  parts: z
    .array(
      documentedAnswer({
        /** What it would say. */
        text: z.string().describe("What it would say."),
        /** How long the network takes it to be. */
        length: z.int().describe("How long the network takes it to be."),
        /** How long it may be. */
        limit: z.int().describe("How long it may be."),
        /** A `comment` stands under the post, an `entry` puts it somewhere, as into a playlist. */
        role: z
          .enum(["post", "reply", "comment", "entry"])
          .describe("A `comment` stands under the post, an `entry` puts it somewhere, as into a playlist."),
      }),
    )
    .describe("What would be published, in order, with the network's own count."),
  /** The files, one by one. */
  media: z
    .array(
      documentedAnswer({
        /** Where the file is. */
        url: z.string().describe("Where the file is."),
        /** What it is to the network: `image`, `video` or `gif`. */
        type: z.string().describe("What it is to the network: `image`, `video` or `gif`."),
        /**
         * What happens to the file: `as_is`, or in words what the network itself makes of it; what it is made into
         * before it is sent, `jpeg`, `png` or `webp`, or how it is changed, `downscale`, `recompress`, `transcode` or,
         * with its pictures as they are, `remux`; `refuse`.
         */
        action: z
          .string()
          .describe(
            "What happens to the file: `as_is`, or in words what the network itself makes of it; what it is made into before it is sent, `jpeg`, `png` or `webp`, or how it is changed, `downscale`, `recompress`, `transcode` or, with its pictures as they are, `remux`; `refuse`.",
          ),
        /** The file as it was given. */
        before: fileShape.describe("The file as it was given."),
        /** As it would be sent, where it is changed in at most so many bytes; null: it would not. */
        after: fileShape
          .nullable()
          .describe("As it would be sent, where it is changed in at most so many bytes; null: it would not."),
        /** Why it is changed or refused, or what the network asks for that it does not get. */
        reasons: z
          .array(z.string())
          .describe("Why it is changed or refused, or what the network asks for that it does not get."),
      }),
    )
    .describe("The files, one by one."),
  /** What the network charges the owner of the app for it, US dollars; null: nothing is known that it charges for. */
  cost_usd: z
    .number()
    .nullable()
    .describe(
      "What the network charges the owner of the app for it, US dollars; null: nothing is known that it charges for.",
    ),
  /** How many posts the network takes in a day, as far as is known; null: nothing is, or it sets no such bound. */
  quota: quotaSchema
    .nullable()
    .describe(
      "How many posts the network takes in a day, as far as is known; null: nothing is, or it sets no such bound.",
    ),
  /** What is wrong, or should be known. */
  issues: z.array(planIssueSchema).describe("What is wrong, or should be known."),
});

export type TargetPlan = z.infer<typeof targetPlanSchema>;

export const postPlanSchema = documentedAnswer({
  /** Every target is. */
  valid: z.boolean().describe("Every target is."),
  /** One for each addressed profile, in that order. */
  targets: z.array(targetPlanSchema).describe("One for each addressed profile, in that order."),
}).meta({
  id: "PostPlan",
});

/** One planned post, as `posts.validate` shows it. */
export type PostPlan = z.infer<typeof postPlanSchema>;
