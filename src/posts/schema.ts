import { z } from "zod";
import { publishingCodes } from "../errors.ts";
import { type NetworkId, publishNetworks } from "../networks/spec.ts";
import { pageSchema } from "../pagination.ts";

/** NUL and lone surrogates cannot be stored by every store, nor sent. */
const unstorable = /\0|\p{Surrogate}/u;
const words = z
  .string()
  .refine((text) => !unstorable.test(text), "Remove the NUL characters and half characters (lone surrogates).");

const url = z.url({ protocol: /^https?$/, error: "Give an http or https address." });
const dateTime = z.iso.datetime({
  offset: true,
  error: "Give a time as ISO 8601 with a zone, as 2026-11-21T12:00:00Z.",
});

export const postStatuses = [
  "draft",
  "scheduled",
  "publishing",
  "published",
  "partially_published",
  "failed",
  "cancelled",
] as const;
export type PostStatus = (typeof postStatuses)[number];

export const targetStatuses = ["pending", "publishing", "published", "failed", "skipped"] as const;
export type TargetStatus = (typeof targetStatuses)[number];

const postType = z.enum(["post", "reel", "story"]);

// What comes in

const mediaInput = z.union([
  url,
  z.strictObject({
    url: url.describe("Where the file is."),
    alt: words.max(10_000).nullish().describe("What the picture shows, for those who cannot see it."),
    thumbnail_url: url.nullish().describe("A video's cover picture."),
  }),
]);

const linkInput = z.union([
  url,
  z.strictObject({
    url: url.describe("The address."),
    title: words.max(300).nullish().describe("The preview card's title."),
    description: words.max(1_000).nullish().describe("The preview card's description."),
    image_url: url.nullish().describe("The preview card's picture."),
  }),
]);

const content = {
  text: words.max(20_000).describe("The caption."),
  media: z.array(mediaInput).max(35).describe("Files by address, in order."),
  link: linkInput.describe("A link, as a preview card where the network has one."),
  post_type: postType.describe("What kind of post."),
  title: words.max(300).describe("A title, on networks that have one."),
  thread: z.array(words.min(1)).min(1).max(50).describe("Explicit thread parts, published verbatim."),
};

/** Content keys that a network's override may replace; null takes the base value. Every other key is the network's own. */
export const overrideContentSchema = z.object({
  text: content.text.nullish(),
  media: z
    .union([content.media, mediaInput])
    .transform((media) => (Array.isArray(media) ? media : [media]))
    .nullish(),
  link: content.link.nullish(),
  post_type: content.post_type.nullish(),
  title: content.title.nullish(),
  thread: content.thread.nullish(),
});

export type OverrideContent = z.output<typeof overrideContentSchema>;
export const overrideContentKeys = Object.keys(overrideContentSchema.shape) as (keyof OverrideContent)[];

const networksInput = z.partialRecord(z.enum(publishNetworks), z.record(z.string(), z.json()));

export const createPostSchema = z.strictObject({
  profile_ids: z
    .array(z.string(), { error: "Name at least one connected profile." })
    .min(1, "Name at least one connected profile.")
    .describe("Connected profiles, at least one."),
  text: content.text.default(""),
  media: content.media.default([]),
  link: content.link.nullish(),
  post_type: content.post_type.default("post"),
  title: content.title.nullish(),
  thread: content.thread.nullish(),
  auto_thread: z.boolean().default(false).describe("Split an over-long caption into a thread instead of refusing it."),
  scheduled_at: dateTime.nullish().describe("When to publish; in the past or under a minute ahead: now."),
  publish_now: z.boolean().default(false).describe("Publish at once, whatever `scheduled_at` says."),
  networks: networksInput.default({}).describe("Overrides by network."),
  idempotency_key: z
    .string()
    .min(8)
    .max(255)
    .nullish()
    .describe("Repeating a request with the same key returns the first post."),
});

/** What `posts.create` takes. */
export type CreatePost = z.input<typeof createPostSchema>;
export type ParsedCreatePost = z.output<typeof createPostSchema>;

export const retryPostSchema = z.strictObject({
  profile_ids: z.array(z.string()).min(1).nullish().describe("Only these profiles' targets. Default: all that failed."),
  force: z.boolean().default(false).describe("Also where the post may be live already: it can then go out twice."),
});

export type RetryPost = z.input<typeof retryPostSchema>;

const manyOf = <Values extends readonly [string, ...string[]]>(values: Values) =>
  z.union([z.enum(values), z.array(z.enum(values))]).transform((value) => (Array.isArray(value) ? value : [value]));

export const listPostsSchema = pageSchema.extend({
  status: manyOf(postStatuses).optional().describe("Only posts in these statuses."),
  network: manyOf(publishNetworks).optional().describe("Only posts with a target on one of these networks."),
  profile_id: z.string().optional().describe("Only posts addressed to this profile."),
  created_after: dateTime.optional().describe("Created at or after this time."),
  created_before: dateTime.optional().describe("Created at or before this time."),
});

export type ListPosts = z.input<typeof listPostsSchema>;

// What goes out

const postMediaSchema = z.object({
  url: z.string(),
  type: z.enum(["image", "video", "gif"]),
  mime_type: z.string(),
  size_bytes: z.int().nullable(),
  alt: z.string().nullable(),
  thumbnail_url: z.string().nullable(),
});

const postLinkSchema = z.object({
  url: z.string(),
  title: z.string().nullable(),
  description: z.string().nullable(),
  image_url: z.string().nullable(),
});

export const targetSchema = z.object({
  id: z.string(),
  profile_id: z.string(),
  network: z.enum(publishNetworks),
  profile_name: z.string(),
  status: z.enum(targetStatuses),
  post_ids: z.array(z.string()),
  attempts: z.int(),
  url: z.string().nullable(),
  published_at: z.string().nullable(),
  error: z.object({ code: z.enum(publishingCodes), message: z.string() }).nullable(),
});

export type Target = z.infer<typeof targetSchema>;

export const postSchema = z.object({
  id: z.string(),
  status: z.enum(postStatuses),
  text: z.string(),
  media: z.array(postMediaSchema),
  link: postLinkSchema.nullable(),
  post_type: postType,
  title: z.string().nullable(),
  thread: z.array(z.string()).nullable(),
  auto_thread: z.boolean(),
  networks: z.record(z.string(), z.record(z.string(), z.json())),
  scheduled_at: z.string().nullable(),
  published_at: z.string().nullable(),
  source: z.string(),
  idempotency_key: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  targets: z.array(targetSchema),
});

export type Post = z.infer<typeof postSchema>;

/** One planned post, as `posts.validate` shows it. */
export interface PostPlan {
  valid: boolean;
  targets: TargetPlan[];
}

export interface TargetPlan {
  profile_id: string;
  network: NetworkId;
  valid: boolean;
  /** What would be published, in order, with the network's own count. */
  parts: { text: string; length: number; limit: number }[];
  /** `action`: what happens to the file: `as_is`, or what the network makes of it. */
  media: { url: string; type: string; action: string }[];
  issues: PlanIssue[];
}

export interface PlanIssue {
  severity: "error" | "warning";
  /** A publishing code. */
  code: string;
  field: string;
  message: string;
}
