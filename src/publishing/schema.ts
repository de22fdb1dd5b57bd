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
  /** Where the file is. */
  url: z.string().describe("Where the file is."),
  /** From the file, not from its name. */
  type: z.enum(["image", "video", "gif"]).describe("From the file, not from its name."),
  /** From the bytes: `image/jpeg`. */
  mime_type: z.string().describe("From the bytes: `image/jpeg`."),
  /** Null where the host does not say. */
  size_bytes: z.int().nullable().describe("Null where the host does not say."),
  /** What it shows, for those who cannot see it. */
  alt: z.string().nullable().describe("What it shows, for those who cannot see it."),
  /** A video's cover picture. */
  thumbnail_url: z.string().nullable().describe("A video's cover picture."),
});

const postLinkSchema = documentedAnswer({
  /** The address. */
  url: z.string().describe("The address."),
  /** The preview card's title. */
  title: z.string().nullable().describe("The preview card's title."),
  /** The preview card's description. */
  description: z.string().nullable().describe("The preview card's description."),
  /** The preview card's picture. */
  image_url: z.string().nullable().describe("The preview card's picture."),
});

export const targetSchema = documentedAnswer({
  /** The target's id: `tgt_…`. */
  id: z.string().describe("The target's id: `tgt_…`."),
  /** The profile that it goes out on. */
  profile_id: z.string().describe("The profile that it goes out on."),
  /** The profile's network. */
  network: networkId.describe("The profile's network."),
  /** As it was when the post was created. */
  profile_name: z.string().describe("As it was when the post was created."),
  /** `skipped`: the post was cancelled before. */
  status: z.enum(targetStatuses).describe("`skipped`: the post was cancelled before."),
  /** The network's own ids, one for each part of a thread; empty while the network tells none, which may stay so. */
  post_ids: z
    .array(z.string())
    .describe(
      "The network's own ids, one for each part of a thread; empty while the network tells none, which may stay so.",
    ),
  /** How many times publishing was begun: by create, by schedule, by retry. */
  attempts: z.int().describe("How many times publishing was begun: by create, by schedule, by retry."),
  /** The permalink, where the network has one and tells it. */
  url: z.string().nullable().describe("The permalink, where the network has one and tells it."),
  /** When it went out. */
  published_at: z.string().nullable().describe("When it went out."),
  /** `timeout`: it may be live all the same. While `publishing`: what it waits for. */
  error: documentedAnswer({
    /** What went wrong, for programs. */
    code: z.enum(publishingCodes).describe("What went wrong, for programs."),
    /** For humans; it may change. */
    message: z.string().describe("For humans; it may change."),
  })
    .nullable()
    .describe("`timeout`: it may be live all the same. While `publishing`: what it waits for."),
  /**
   * What the network made of the post otherwise than asked, or that a retry left it out, for humans. Absent where there
   * is nothing to tell.
   */
  warnings: z
    .array(z.string())
    .optional()
    .describe(
      "What the network made of the post otherwise than asked, or that a retry left it out, for humans. Absent where there is nothing to tell.",
    ),
});

/** What became of a post on one profile. */
export type Target = z.infer<typeof targetSchema>;

export const postSchema = documentedAnswer({
  /** The post's id: `post_…`. */
  id: z.string().describe("The post's id: `post_…`."),
  /** Derived from the targets, once it is started. */
  status: z.enum(postStatuses).describe("Derived from the targets, once it is started."),
  /** The caption. */
  text: z.string().describe("The caption."),
  /** The files, without those that every network's override replaces. */
  media: z.array(postMediaSchema).describe("The files, without those that every network's override replaces."),
  /** The link that it carries. */
  link: postLinkSchema.nullable().describe("The link that it carries."),
  /** What kind of post it is. */
  post_type: postType.describe("What kind of post it is."),
  /** The title, for networks that have one. */
  title: z.string().nullable().describe("The title, for networks that have one."),
  /** The explicit parts, where some were given. */
  thread: z.array(z.string()).nullable().describe("The explicit parts, where some were given."),
  /** An over-long caption becomes a thread. */
  auto_thread: z.boolean().describe("An over-long caption becomes a thread."),
  /** The overrides it was created with. */
  networks: z.record(z.string(), z.record(z.string(), z.json())).describe("The overrides it was created with."),
  /** When it is, or was, to go out. */
  scheduled_at: z.string().nullable().describe("When it is, or was, to go out."),
  /** When the first target went out. */
  published_at: z.string().nullable().describe("When the first target went out."),
  /** Where it came from: `api`, `library`, or what the host says. */
  source: z.string().describe("Where it came from: `api`, `library`, or what the host says."),
  /** The key that it was created with. */
  idempotency_key: z.string().nullable().describe("The key that it was created with."),
  /** When it was created. */
  created_at: z.string().describe("When it was created."),
  /** When it last changed. */
  updated_at: z.string().describe("When it last changed."),
  /** One for each addressed profile, in that order. */
  targets: z.array(targetSchema).describe("One for each addressed profile, in that order."),
}).meta({ id: "Post" });

/** A post, as calls return it and the REST surface and webhooks show it. */
export type Post = z.infer<typeof postSchema>;

/** What the events of posts tell. Emitted after the change is stored. */
export interface PostEvents {
  /** Every target of a post is published. */
  "post.published": { account_id: string; post: Post };
  /** Some targets are published, and at least one failed. */
  "post.partially_published": { account_id: string; post: Post };
  /** No target is published. */
  "post.failed": { account_id: string; post: Post };
}

export type PostEvent = EventsOf<PostEvents>;
