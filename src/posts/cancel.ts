import { releaseOperations } from "../hosting/uses.ts";
import { isoTime } from "../ports/clock.ts";
import { readTargets } from "../publishing/read.ts";
import type { PostRow } from "../publishing/rows.ts";
import type { Post } from "../publishing/schema.ts";
import { type Operation, StorageConflict } from "../storage/storage.ts";
import { SocialError } from "../wire/errors.ts";
import { assertMove } from "./moves.ts";
import type { PostPorts } from "./ports.ts";
import { readWhole } from "./wait.ts";

/** Cancels a post that has not been started. */
export async function cancelPost(ports: PostPorts, post: PostRow): Promise<Post> {
  assertMove("cancel", post.status);
  const targets = await readTargets(ports.storage, post.id);
  const now = await ports.storage.now();
  const status = "cancelled";
  const change = { status, due_at: null, version: post.version + 1, updated_at: isoTime(now) };
  const where = { version: post.version, status: post.status };
  try {
    await ports.storage.write([
      { kind: "update", collection: "posts", id: post.id, change, where },
      ...targets.map(
        ({ id }): Operation => ({
          kind: "update",
          collection: "targets",
          id,
          change: { status: "skipped", post_status: status },
          where: {},
        }),
      ),
      ...releaseOperations(post.id, post.private.files ?? []),
    ]);
  } catch (error) {
    if (!(error instanceof StorageConflict)) throw error;
    throw new SocialError("conflict", "The post was changed by another request; read it again.");
  }
  return readWhole(ports, post.id);
}
