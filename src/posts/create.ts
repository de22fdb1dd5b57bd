import { useOperations } from "../hosting/uses.ts";
import type { PlannedPost } from "../planning/planner.ts";
import type { ParsedCreatePost } from "../planning/schema.ts";
import { isoTime } from "../ports/clock.ts";
import type { PostRow, TargetRow } from "../publishing/rows.ts";
import type { Post } from "../publishing/schema.ts";
import { type Operation, StorageConflict } from "../storage/storage.ts";
import { toRow } from "../storage/typed.ts";
import { SocialError } from "../wire/errors.ts";
import { fileGone } from "./files.ts";
import { fieldsOf, type Intention, insertTargets, intentionOf, type Making, newTargets, planFor } from "./make.ts";
import type { PostPorts } from "./ports.ts";
import { driveUntilSettled, readWhole, waitUntilSettled } from "./wait.ts";

export interface CreateContext {
  accountId: string;
  /** Where the post came from. */
  source: string;
}

/** A post, and whether an earlier call made it. */
export interface CreatedPost {
  /** The post as it now stands. */
  post: Post;
  /** The idempotency key was used before: this is the first request's post. */
  replayed: boolean;
}

/** The post that an idempotency key has made before, whatever the rest of the body says now. */
export async function replayEarlier(
  ports: PostPorts,
  key: string | null | undefined,
  { accountId }: CreateContext,
): Promise<CreatedPost | null> {
  const earlier = await findByKey(ports, accountId, key);
  return earlier === null ? null : replay(ports, earlier);
}

/** Publishes or schedules a post, or keeps it as a draft. */
export async function createPost(
  ports: PostPorts,
  body: ParsedCreatePost,
  context: CreateContext,
): Promise<CreatedPost> {
  const now = await ports.storage.now();
  const intention = intentionOf(body, now);
  const planned = await planFor(ports, context.accountId, { body, intention });
  const { post, operations } = newPost(ports, body, context, { planned, intention, now });
  try {
    await ports.storage.write(operations);
  } catch (error) {
    return replayAfterConflict(ports, error, { body, context });
  }
  return { post: await followUp(ports, post, { planned, intention }), replayed: false };
}

/** A post and its targets, and what stores them. */
export function newPost(
  ports: PostPorts,
  body: ParsedCreatePost,
  { accountId, source }: CreateContext,
  making: Making,
): { post: PostRow; targets: TargetRow[]; operations: Operation[] } {
  const created_at = isoTime(making.now);
  const post: PostRow = {
    id: ports.ids.create("post", making.now),
    account_id: accountId,
    ...fieldsOf(body, making),
    published_at: null,
    source,
    idempotency_key: body.idempotency_key ?? null,
    created_at,
    updated_at: created_at,
    version: 1,
  };
  const targets = newTargets(ports, post, making);
  const insertPost: Operation = { kind: "insert", collection: "posts", row: toRow(post) };
  const files = useOperations(post, making.planned.files);
  return { post, targets, operations: [insertPost, ...insertTargets(targets, making), ...files] };
}

/** Publishes what is to go out now, sets the alarm of what is to go out later, and returns the post. */
export async function followUp(
  ports: PostPorts,
  post: Pick<PostRow, "id" | "due_at">,
  { planned, intention }: { planned: PlannedPost; intention: Intention },
): Promise<Post> {
  if (intention === "publishing") return driveUntilSettled(ports, post.id);
  if (post.due_at !== null) for (const { profile } of planned.targets) ports.wake(post.due_at, profile.id);
  return readWhole(ports, post.id);
}

export async function findByKey(
  ports: PostPorts,
  accountId: string,
  key: string | null | undefined,
): Promise<string | null> {
  if (key == null) return null;
  const found = await ports.storage.find("posts", { where: { account_id: accountId, idempotency_key: key }, limit: 1 });
  return found.rows[0]?.id ?? null;
}

/** The first request may still be at work: wait for it, but never publish. */
async function replay(ports: PostPorts, postId: string): Promise<CreatedPost> {
  return { post: await waitUntilSettled(ports, postId), replayed: true };
}

async function replayAfterConflict(
  ports: PostPorts,
  error: unknown,
  { body, context }: { body: ParsedCreatePost; context: CreateContext },
): Promise<CreatedPost> {
  if (!(error instanceof StorageConflict)) throw error;
  if (error.operation.collection === "posts") {
    const earlier = await findByKey(ports, context.accountId, body.idempotency_key);
    if (earlier !== null) return replay(ports, earlier);
  }
  if (error.operation.collection === "media") throw fileGone();
  if (error.operation.collection === "profiles") {
    throw new SocialError(
      "conflict",
      "A profile was disconnected while the post was created. Nothing was sent; check the profile first.",
    );
  }
  throw error;
}
