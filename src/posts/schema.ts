import { z } from "zod";
import { networkId } from "../networks/contract/network-id.ts";
import { createPostSchema, dateTime } from "../planning/schema.ts";
import { postStatuses } from "../publishing/schema.ts";
import { documentedObject } from "../wire/documented-object.ts";
import { manyOf, pageSchema } from "../wire/pagination.ts";

const {
  text,
  media,
  link,
  post_type,
  title,
  thread,
  networks,
  profile_ids,
  auto_thread,
  scheduled_at,
  publish_now,
  draft,
} = createPostSchema.shape;

export const updatePostSchema = documentedObject({
  profile_ids: profile_ids.optional(),
  text: text.unwrap().optional(),
  media: media.unwrap().optional(),
  link,
  post_type: post_type.unwrap().optional(),
  title,
  thread,
  auto_thread: auto_thread.unwrap().optional(),
  /** When to publish; under a minute ahead: now. Null makes it a draft. */
  scheduled_at: scheduled_at.describe("When to publish; under a minute ahead: now. Null makes it a draft."),
  publish_now: publish_now.unwrap().optional(),
  /** True makes it a draft; false lets a draft go out at its `scheduled_at`. */
  draft: draft.unwrap().optional().describe("True makes it a draft; false lets a draft go out at its `scheduled_at`."),
  /** Overrides by network, all of them. */
  networks: networks.unwrap().optional().describe("Overrides by network, all of them."),
}).meta({ id: "UpdatePost" });

/** What `posts.update` takes. What it names is replaced whole, what it does not name stays. */
export type UpdatePost = z.input<typeof updatePostSchema>;
export type ParsedUpdatePost = z.output<typeof updatePostSchema>;

/** A time less far ahead than this is now, milliseconds. */
const soonestScheduleMs = 60_000;

/** True for a time that is over, or so near that it is not waited for. */
export function isNow(time: string, now: number): boolean {
  return Date.parse(time) < now + soonestScheduleMs;
}

export const retryPostSchema = documentedObject({
  /** Only these profiles' targets. Default: all that failed. */
  profile_ids: z.array(z.string()).min(1).nullish().describe("Only these profiles' targets. Default: all that failed."),
  /** Also where the post may be live already: it can then go out twice. */
  force: z.boolean().default(false).describe("Also where the post may be live already: it can then go out twice."),
}).meta({ id: "RetryPost" });

/** What `posts.retry` takes. */
export type RetryPost = z.input<typeof retryPostSchema>;

export const listPostsSchema = documentedObject({
  ...pageSchema.shape,
  /** Only posts in these statuses. */
  status: manyOf(z.enum(postStatuses)).optional().describe("Only posts in these statuses."),
  /** Only posts with a target on one of these networks. */
  network: manyOf(networkId).optional().describe("Only posts with a target on one of these networks."),
  /** Only posts addressed to this profile. */
  profile_id: z.string().optional().describe("Only posts addressed to this profile."),
  /** Created at or after this time. */
  created_after: dateTime.optional().describe("Created at or after this time."),
  /** Created at or before this time. */
  created_before: dateTime.optional().describe("Created at or before this time."),
});

/** What `posts.list` takes: which posts, and which page of them. */
export type ListPosts = z.input<typeof listPostsSchema>;
