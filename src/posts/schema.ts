import * as z from "zod";
import { networkId } from "../networks/contract/network-id.ts";
import { type CreatePostBody, createPostSchema } from "../planning/schema.ts";
import { postStatuses } from "../publishing/schema.ts";
import { dateTime } from "../wire/date-time.ts";
import { documentedObject } from "../wire/documented-object.ts";
import { type CursorPageQuery, cursorPageSchema, manyOf } from "../wire/pagination.ts";
import { storableText } from "../wire/parse.ts";
import type { WithFiles } from "./given-files.ts";

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

const updateOnly = documentedObject({
  /** When to publish; under a minute ahead means now. Null makes it a draft. */
  scheduled_at: scheduled_at.describe("When to publish; under a minute ahead means now. Null makes it a draft."),
  /** True makes it a draft; false schedules a draft for its `scheduled_at`. */
  draft: draft.unwrap().optional().describe("True makes it a draft; false schedules a draft for its `scheduled_at`."),
  /**
   * Overrides by network; they replace all previous ones. Of a partly published post: only those of networks where all
   * targets have certainly failed; the others are kept.
   */
  networks: networks
    .unwrap()
    .optional()
    .describe(
      "Overrides by network; they replace all previous ones. Of a partly published post: only those of networks where all targets have certainly failed; the others are kept.",
    ),
});

/** A field that keeps its value if an update omits it. */
function mayStay<Field extends z.ZodType>(field: z.ZodDefault<Field>): z.ZodOptional<Field> {
  return field
    .unwrap()
    .optional()
    .describe(field.description ?? "");
}

export const updatePostSchema = documentedObject({
  profile_ids: profile_ids.optional().describe(profile_ids.description ?? ""),
  text: mayStay(text),
  media: mayStay(media),
  link,
  post_type: mayStay(post_type),
  title,
  thread,
  auto_thread: mayStay(auto_thread),
  publish_now: mayStay(publish_now),
  ...updateOnly.shape,
}).meta({ id: "UpdatePost" });

type UpdateOnly = z.input<typeof updateOnly>;

/** The argument of `posts.create`. */
export type CreatePost = WithFiles<CreatePostBody>;

/** The argument of `posts.update`, as JSON. */
export type UpdatePostBody = Partial<Omit<CreatePostBody, keyof UpdateOnly | "idempotency_key">> & UpdateOnly;

/** The argument of `posts.update`. Named fields are replaced whole; the others stay. */
export type UpdatePost = WithFiles<UpdatePostBody>;
export type ParsedUpdatePost = z.output<typeof updatePostSchema>;

/** A time closer than this counts as now, milliseconds. */
const soonestScheduleMs = 60_000;

/** True: the time has passed, or is so close that it counts as now. */
export function isNow(time: string, now: number): boolean {
  return Date.parse(time) < now + soonestScheduleMs;
}

export const retryPostSchema = documentedObject({
  /** Only the targets on these profiles. Default: all failed targets. */
  profile_ids: z
    .array(z.string())
    .min(1)
    .nullish()
    .describe("Only the targets on these profiles. Default: all failed targets."),
  /** True: also retry targets that may already be live. This may publish a post twice. */
  force: z
    .boolean()
    .default(false)
    .describe("True: also retry targets that may already be live. This may publish a post twice."),
  /** Repeating a request with the same key does not start another retry of the post. 8 to 255 characters. */
  idempotency_key: storableText
    .min(8)
    .max(255)
    .nullish()
    .describe("Repeating a request with the same key does not start another retry of the post. 8 to 255 characters."),
}).meta({ id: "RetryPost" });

/** The argument of `posts.retry`. */
export type RetryPost = z.input<typeof retryPostSchema>;

const postFilters = documentedObject({
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
export const listPostsSchema = cursorPageSchema.extend(postFilters.shape);

/** The argument of `posts.list`: filters and page. */
export type ListPosts = CursorPageQuery & z.input<typeof postFilters>;
