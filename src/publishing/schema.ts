import * as z from "zod";
import { networkId } from "../networks/contract/network-id.ts";
import { postType } from "../planning/schema.ts";
import type { EventsOf } from "../ports/events.ts";
import { documentedAnswer } from "../wire/documented-object.ts";
import { publishingCodes } from "../wire/errors.ts";

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

const postMediaSchema = documentedAnswer({
  /** The file's URL. */
  url: z.string().describe("The file's URL."),
  /** Detected from the file's bytes, not its name. */
  type: z.enum(["image", "video", "gif"]).describe("Detected from the file's bytes, not its name."),
  /** MIME type, detected from the bytes: `image/jpeg`. */
  mime_type: z.string().describe("MIME type, detected from the bytes: `image/jpeg`."),
  /** Null: the host does not report it. */
  size_bytes: z.int().nullable().describe("Null: the host does not report it."),
  /** Description of the file, for users who cannot see it. */
  alt: z.string().nullable().describe("Description of the file, for users who cannot see it."),
  /** URL of a video's cover image. */
  thumbnail_url: z.string().nullable().describe("URL of a video's cover image."),
});

const postLinkSchema = documentedAnswer({
  /** The link's URL. */
  url: z.string().describe("The link's URL."),
  /** The preview card's title. */
  title: z.string().nullable().describe("The preview card's title."),
  /** The preview card's description. */
  description: z.string().nullable().describe("The preview card's description."),
  /** URL of the preview card's image. */
  image_url: z.string().nullable().describe("URL of the preview card's image."),
});

export const targetSchema = documentedAnswer({
  /** The target's id: `tgt_…`. */
  id: z.string().describe("The target's id: `tgt_…`."),
  /** The profile to publish on. */
  profile_id: z.string().describe("The profile to publish on."),
  /** The profile's network. */
  network: networkId.describe("The profile's network."),
  /** As it was when the post was created. */
  profile_name: z.string().describe("As it was when the post was created."),
  /** `skipped`: the post was cancelled first. */
  status: z.enum(targetStatuses).describe("`skipped`: the post was cancelled first."),
  /** The network's own ids, one for each part of a thread; empty while the network has returned none; some never do. */
  post_ids: z
    .array(z.string())
    .describe(
      "The network's own ids, one for each part of a thread; empty while the network has returned none; some never do.",
    ),
  /** How many times publishing was started: by create, schedule or retry. */
  attempts: z.int().describe("How many times publishing was started: by create, schedule or retry."),
  /** The permalink, if the network returns one. */
  url: z.string().nullable().describe("The permalink, if the network returns one."),
  /** When it was published. */
  published_at: z.string().nullable().describe("When it was published."),
  /** The error. `timeout`: the post may still be live. While `publishing`: the reason for waiting. */
  error: documentedAnswer({
    /** The error code, for programs. */
    code: z.enum(publishingCodes).describe("The error code, for programs."),
    /** A message for humans; its wording may change. */
    message: z.string().describe("A message for humans; its wording may change."),
  })
    .nullable()
    .describe("The error. `timeout`: the post may still be live. While `publishing`: the reason for waiting."),
  /** For humans: the network changed or omitted something, or a retry left the target out. Absent: no warnings. */
  warnings: z
    .array(z.string())
    .optional()
    .describe(
      "For humans: the network changed or omitted something, or a retry left the target out. Absent: no warnings.",
    ),
});

/** The outcome of a post on one profile. */
export type Target = z.infer<typeof targetSchema>;

export const postSchema = documentedAnswer({
  /** The post's id: `post_…`. */
  id: z.string().describe("The post's id: `post_…`."),
  /** Derived from the targets once publishing has started. */
  status: z.enum(postStatuses).describe("Derived from the targets once publishing has started."),
  /** The caption. */
  text: z.string().describe("The caption."),
  /** The files, except those that every network's override replaces. */
  media: z.array(postMediaSchema).describe("The files, except those that every network's override replaces."),
  /** The post's link. */
  link: postLinkSchema.nullable().describe("The post's link."),
  /** The kind of post. */
  post_type: postType.describe("The kind of post."),
  /** The title, for networks that have one. */
  title: z.string().nullable().describe("The title, for networks that have one."),
  /** The explicit thread parts, if any. */
  thread: z.array(z.string()).nullable().describe("The explicit thread parts, if any."),
  /** True: an over-long caption becomes a thread. */
  auto_thread: z.boolean().describe("True: an over-long caption becomes a thread."),
  /** The overrides it was created with. */
  networks: z.record(z.string(), z.record(z.string(), z.json())).describe("The overrides it was created with."),
  /** The scheduled time, future or past. */
  scheduled_at: z.string().nullable().describe("The scheduled time, future or past."),
  /** When the first target was published. */
  published_at: z.string().nullable().describe("When the first target was published."),
  /** The post's origin: `api`, `library`, or the host's own value. */
  source: z.string().describe("The post's origin: `api`, `library`, or the host's own value."),
  /** The key that it was created with. */
  idempotency_key: z.string().nullable().describe("The key that it was created with."),
  /** When it was created. */
  created_at: z.string().describe("When it was created."),
  /** When it last changed. */
  updated_at: z.string().describe("When it last changed."),
  /** One for each addressed profile, in that order. */
  targets: z.array(targetSchema).describe("One for each addressed profile, in that order."),
}).meta({ id: "Post" });

/** A post, as returned by calls, the REST API and webhooks. */
export type Post = z.infer<typeof postSchema>;

/** The payloads of post events. Emitted after the change is stored. */
export interface PostEvents {
  /** Every target of a post is published. */
  "post.published": { account_id: string; post: Post };
  /** Some targets are published, and at least one failed. */
  "post.partially_published": { account_id: string; post: Post };
  /** No target is published. */
  "post.failed": { account_id: string; post: Post };
}

export type PostEvent = EventsOf<PostEvents>;
