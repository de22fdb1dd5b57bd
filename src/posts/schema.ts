import { z } from "zod";
import { publishNetworks } from "../networks/spec.ts";
import { isoTime } from "../ports/clock.ts";
import { publishingCodes } from "../wire/errors.ts";
import { manyOf, pageSchema } from "../wire/pagination.ts";
import { addressOnTheWeb, webAddress, words } from "../wire/parse.ts";

const tooLong = "An address has at most 8,192 characters.";
const url = webAddress.max(8_192, tooLong);

/** What whoever has the file itself is told. */
export const filesByAddress =
  "Give the https address of the file. Bytes, Blobs and paths are not taken: put the file where it has an address first.";
const fileUrl = addressOnTheWeb(filesByAddress).max(8_192, tooLong);
/** The years are those of UTC: times are compared as texts, which a year of five digits or with a sign would break. */
const dateTime = z.iso
  .datetime({ offset: true, error: "Give a time as ISO 8601 with a zone, as 2026-11-21T12:00:00Z.", abort: true })
  .refine((text) => /^\d{4}-/.test(isoTime(Date.parse(text))), "Give a time in the years 0000 to 9999, in UTC.");

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
  fileUrl,
  z.strictObject({
    url: fileUrl.describe("Where the file is."),
    alt: words.max(10_000).nullish().describe("What the picture shows, for those who cannot see it."),
    thumbnail_url: fileUrl.nullish().describe("A video's cover picture."),
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

/** All parts of a thread together, in UTF-16 units: what is cut, counted and searched at a time. */
const longestThread = 100_000;
/** A caption, and one part of a thread, in UTF-16 units. */
const longestText = 20_000;

const threadPart = words.min(1).max(longestText, "A part of a thread has at most 20,000 characters.");
const thread = z
  .array(threadPart)
  .min(1)
  .max(50)
  .refine(
    (parts) => parts.reduce((sum, part) => sum + part.length, 0) <= longestThread,
    "All parts of a thread together have at most 100,000 characters; make several posts.",
  );

const content = {
  text: words.max(longestText).describe("The caption."),
  media: z.array(mediaInput).max(35).describe("Files by address, in order."),
  link: linkInput.describe("A link, as a preview card where the network has one."),
  post_type: postType.describe("What kind of post."),
  title: words.max(300).describe("A title, on networks that have one."),
  thread: thread.describe("Explicit thread parts, published verbatim; at most 100,000 characters in all."),
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
    .max(500, "Name at most 500 profiles; make several posts for more.")
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
  draft: z.boolean().default(false).describe("Keep it, and publish nothing until an update says so."),
  networks: networksInput.default({}).describe("Overrides by network."),
  idempotency_key: z
    .string()
    .min(8)
    .max(255)
    .nullish()
    .describe("Repeating a request with the same key returns the first post."),
});

const { profile_ids, auto_thread, scheduled_at, publish_now, draft } = createPostSchema.shape;

export const updatePostSchema = z.strictObject({
  profile_ids: profile_ids.optional(),
  text: content.text.optional(),
  media: content.media.optional(),
  link: content.link.nullish(),
  post_type: content.post_type.optional(),
  title: content.title.nullish(),
  thread: content.thread.nullish(),
  auto_thread: auto_thread.unwrap().optional(),
  scheduled_at: scheduled_at.describe("When to publish; under a minute ahead: now. Null makes it a draft."),
  publish_now: publish_now.unwrap().optional(),
  draft: draft.unwrap().optional().describe("True makes it a draft; false lets a draft go out at its `scheduled_at`."),
  networks: networksInput.optional().describe("Overrides by network, all of them."),
});

/** What `posts.update` takes. What it names is replaced whole, what it does not name stays. */
export type UpdatePost = z.input<typeof updatePostSchema>;
export type ParsedUpdatePost = z.output<typeof updatePostSchema>;

/** A time less far ahead than this is now, milliseconds. */
const soonestScheduleMs = 60_000;

/** True for a time that is over, or so near that it is not waited for. */
export function isNow(time: string, now: number): boolean {
  return Date.parse(time) < now + soonestScheduleMs;
}

/** What `posts.create` takes. */
export type CreatePost = z.input<typeof createPostSchema>;
export type ParsedCreatePost = z.output<typeof createPostSchema>;

export const retryPostSchema = z.strictObject({
  profile_ids: z.array(z.string()).min(1).nullish().describe("Only these profiles' targets. Default: all that failed."),
  force: z.boolean().default(false).describe("Also where the post may be live already: it can then go out twice."),
});

export type RetryPost = z.input<typeof retryPostSchema>;

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
  url: z.string().describe("Where the file is."),
  type: z.enum(["image", "video", "gif"]).describe("From the file, not from its name."),
  mime_type: z.string(),
  size_bytes: z.int().nullable().describe("Null where the host does not say."),
  alt: z.string().nullable().describe("What it shows, for those who cannot see it."),
  thumbnail_url: z.string().nullable().describe("A video's cover picture."),
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
  profile_name: z.string().describe("As it was when the post was created."),
  status: z.enum(targetStatuses).describe("`skipped`: the post was cancelled before."),
  post_ids: z.array(z.string()).describe("The network's own ids, one for each part of a thread."),
  attempts: z.int().describe("How many times publishing was begun: by create, by schedule, by retry."),
  url: z.string().nullable().describe("The permalink, where the network has one."),
  published_at: z.string().nullable().describe("When it went out."),
  error: z
    .object({ code: z.enum(publishingCodes), message: z.string().describe("For humans; it may change.") })
    .nullable()
    .describe("`timeout`: it may be live all the same. While `publishing`: what it waits for."),
  warnings: z
    .array(z.string())
    .optional()
    .describe(
      "What the network made of the post otherwise than asked, for humans. Absent where there is nothing to tell.",
    ),
});

export type Target = z.infer<typeof targetSchema>;

export const postSchema = z.object({
  id: z.string(),
  status: z.enum(postStatuses).describe("Derived from the targets, once it is started."),
  text: z.string().describe("The caption."),
  media: z.array(postMediaSchema).describe("The files, without those that every network's override replaces."),
  link: postLinkSchema.nullable(),
  post_type: postType,
  title: z.string().nullable(),
  thread: z.array(z.string()).nullable().describe("The explicit parts, where some were given."),
  auto_thread: z.boolean(),
  networks: z.record(z.string(), z.record(z.string(), z.json())).describe("The overrides it was created with."),
  scheduled_at: z.string().nullable().describe("When it is, or was, to go out."),
  published_at: z.string().nullable().describe("When the first target went out."),
  source: z.string().describe("Where it came from: `api`, `library`, or what the host says."),
  idempotency_key: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  targets: z.array(targetSchema).describe("One for each addressed profile, in that order."),
});

export type Post = z.infer<typeof postSchema>;

const planIssueSchema = z.object({
  severity: z.enum(["error", "warning"]),
  code: z.string().describe("A publishing code."),
  field: z.string(),
  message: z.string(),
});

export type PlanIssue = z.infer<typeof planIssueSchema>;

const targetPlanSchema = z.object({
  profile_id: z.string(),
  network: z.enum(publishNetworks),
  valid: z.boolean(),
  parts: z
    .array(z.object({ text: z.string(), length: z.int(), limit: z.int() }))
    .describe("What would be published, in order, with the network's own count."),
  media: z.array(
    z.object({
      url: z.string(),
      type: z.string(),
      action: z.string().describe("What happens to the file: `as_is`, or what the network makes of it."),
    }),
  ),
  issues: z.array(planIssueSchema),
});

export type TargetPlan = z.infer<typeof targetPlanSchema>;

export const postPlanSchema = z.object({ valid: z.boolean(), targets: z.array(targetPlanSchema) });

/** One planned post, as `posts.validate` shows it. */
export type PostPlan = z.infer<typeof postPlanSchema>;
