import { releaseOperations, useOperations } from "../hosting/uses.ts";
import type { ParsedCreatePost } from "../planning/schema.ts";
import { isoTime } from "../ports/clock.ts";
import { readTargets } from "../publishing/read.ts";
import type { PostRow } from "../publishing/rows.ts";
import type { Post } from "../publishing/schema.ts";
import { type Operation, StorageConflict } from "../storage/storage.ts";
import { toChange } from "../storage/typed.ts";
import { SocialError } from "../wire/errors.ts";
import { followUp } from "./create.ts";
import { fileGone } from "./files.ts";
import { fieldsOf, insertTargets, intentionOf, newTargets, planFor } from "./make.ts";
import { isOut, mendPost } from "./mend.ts";
import { assertMove } from "./moves.ts";
import type { PostPorts } from "./ports.ts";
import type { ParsedUpdatePost } from "./schema.ts";

/**
 * Replaces what the update names, plans everything again and makes new targets:
 * nothing of the old ones has gone out, so nothing of them counts any more.
 */
export async function updatePost(ports: PostPorts, post: PostRow, update: ParsedUpdatePost): Promise<Post> {
  const before = await readTargets(ports.storage, post.id);
  if (isOut(post, before)) return mendPost(ports, post, before, update);
  assertMove("update", post.status);
  const now = await ports.storage.now();
  const body = mergedBody(post, update);
  const intention = keepsItsTime(post, update) ? "scheduled" : intentionOf(body, now);
  const planned = await planFor(ports, post.account_id, { body, intention });
  const fields = fieldsOf({ ...body, publish_now: false }, { planned, intention });
  const making = { planned, intention, now };
  const { retry_keys } = post.private;
  const state = { ...fields.private, ...(retry_keys === undefined ? {} : { retry_keys }) };
  const change = { ...fields, private: state, version: post.version + 1, updated_at: isoTime(now) };
  const where = { version: post.version, status: post.status };
  try {
    await ports.storage.write([
      { kind: "update", collection: "posts", id: post.id, change: toChange(change), where },
      ...before.map(({ id }): Operation => ({ kind: "delete", collection: "targets", id })),
      ...insertTargets(newTargets(ports, post, making), making),
      ...fileOperations(post, planned.files),
    ]);
  } catch (error) {
    if (!(error instanceof StorageConflict)) throw error;
    if (error.operation.collection === "media") throw fileGone();
    throw new SocialError("conflict", "The post or one of its profiles was changed by another request; read it again.");
  }
  return followUp(ports, { id: post.id, due_at: fields.due_at }, { planned, intention });
}

/** The files that it has come to need, and those that it needs no more. A failed post needs none. */
function fileOperations(post: PostRow, files: readonly string[]): Operation[] {
  const held = post.status === "failed" ? [] : (post.private.files ?? []);
  const added = files.filter((key) => !held.includes(key));
  const dropped = held.filter((key) => !files.includes(key));
  return [...releaseOperations(post.id, dropped), ...useOperations({ ...post, version: post.version + 1 }, added)];
}

/** What the post was made from, with what the update names in its place. */
function mergedBody(post: PostRow, update: ParsedUpdatePost): ParsedCreatePost {
  const named = Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined));
  const body: ParsedCreatePost = { ...post.private.body, publish_now: false, ...named };
  if (update.draft === false && !body.publish_now && body.scheduled_at == null) throw withoutTime();
  return { ...body, draft: staysDraft(post, update, body) };
}

/** A scheduled post whose text is corrected shortly before its time must not go out early. */
function keepsItsTime(post: PostRow, { scheduled_at, publish_now, draft }: ParsedUpdatePost): boolean {
  return post.status === "scheduled" && scheduled_at === undefined && publish_now !== true && draft !== true;
}

function withoutTime(): SocialError {
  const message = "Set the time to publish: publish_now or scheduled_at.";
  return new SocialError("invalid_request", "The request is not valid.", {
    details: [{ field: "draft", code: "invalid_request", message }],
  });
}

/** Nothing goes out but what was scheduled before, or what the update releases. */
function staysDraft(post: PostRow, update: ParsedUpdatePost, body: ParsedCreatePost): boolean {
  if (update.draft !== undefined) return update.draft;
  if (update.publish_now === true) return false;
  if (post.status === "draft") return true;
  // A failed post's old time is over; without a new one it waits for the next update.
  if (post.status === "failed") return update.scheduled_at == null;
  return body.scheduled_at == null;
}
