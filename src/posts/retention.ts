import type { Pace } from "../async/pace.ts";
import { isoTime } from "../ports/clock.ts";
import { deletionsWithPosts } from "../publishing/erase.ts";
import { readTargets } from "../publishing/read.ts";
import type { PostRow, TargetRow } from "../publishing/rows.ts";
import type { PostStatus } from "../publishing/schema.ts";
import { isOpen } from "../publishing/status.ts";
import { inconclusiveStates } from "../sending/intent.ts";
import { retryConflicts } from "../storage/conflict-retry.ts";
import { eachRow } from "../storage/each-row.ts";
import type { Operation, Place, Storage } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";

/** Statuses of posts that have ended. Drafts, scheduled and publishing posts are never deleted. */
const endedStatuses = ["published", "partially_published", "failed", "cancelled"] as const satisfies PostStatus[];
/** Posts read, and deleted, at a time. */
const postsAtOnce = 20;
/** Maximum number of conflicts with other processes at one page. */
const maxConflicts = 20;

export interface PostRetentionPorts {
  storage: Storage;
  pace: Pace;
  /** How long posts are kept, milliseconds. Null: for ever. */
  postsKeptMs: number | null;
}

/**
 * Deletes ended posts that were last changed longer ago than `postsKeptMs`, account by account, with their targets,
 * intents, publications and uses of files. A post that may be live stays, since only its record can tell whether it is.
 * Any number of processes may do this at the same time. If one dies, the next one continues, since the rows say what is
 * left.
 */
export async function prunePosts(ports: PostRetentionPorts): Promise<void> {
  const { storage, postsKeptMs } = ports;
  if (postsKeptMs === null) return;
  const before = isoTime((await storage.now()) - postsKeptMs);
  const accounts = new Set<string>();
  for await (const { account_id } of eachRow(storage, "profiles", {})) {
    const accountId = String(account_id);
    if (accounts.has(accountId)) continue;
    accounts.add(accountId);
    for (const status of endedStatuses) await pruneAccount(ports, { accountId, status, before });
  }
}

/** Posts of one status, of one account, that were last changed before a time, ISO 8601. */
interface Ended {
  accountId: string;
  status: PostStatus;
  before: string;
}

async function pruneAccount(ports: PostRetentionPorts, ended: Ended): Promise<void> {
  for (let after: Place | undefined; ; ) {
    const last = await retryConflicts(() => prunePage(ports, ended, after), { max: maxConflicts });
    await ports.pace();
    if (last === null) return;
    after = last;
  }
}

/** @returns where the page ended; null: it was the last */
async function prunePage(
  { storage }: PostRetentionPorts,
  { accountId, status, before }: Ended,
  after: Place | undefined,
): Promise<Place | null> {
  const { rows } = await storage.find("posts", {
    // A post is changed after it was created.
    where: { account_id: accountId, status, created_at: { lt: before } },
    order: { column: "created_at", direction: "asc" },
    after,
    limit: postsAtOnce,
    isCounted: false,
  });
  const posts = rows.map((row) => fromRow<PostRow>(row)).filter(({ updated_at }) => updated_at < before);
  const doubtful = await readDoubtful(storage, posts);
  const over = posts.filter(({ id }) => !doubtful.has(id));
  if (over.length > 0) {
    await storage.write([
      // A retry may have started one since.
      ...over.map(({ id, version }): Operation => ({ kind: "check", collection: "posts", id, where: { version } })),
      ...(await deletionsWithPosts(
        storage,
        over.map(({ id }) => id),
      )),
      ...over.map(({ id }): Operation => ({ kind: "delete", collection: "posts", id })),
    ]);
  }
  const last = rows.at(-1);
  return last === undefined || rows.length < postsAtOnce ? null : { value: String(last.created_at), id: last.id };
}

/** The ids of the posts that may be live, or that have work left. */
async function readDoubtful(storage: Storage, posts: readonly PostRow[]): Promise<Set<string>> {
  if (posts.length === 0) return new Set();
  const targets = await readTargets(storage, ...posts.map(({ id }) => id));
  const where = { subject_id: { in: targets.map(({ id }) => id) }, state: { in: inconclusiveStates } };
  const intents = await storage.find("intents", { where, isCounted: false });
  const lost = new Set(intents.rows.map(({ subject_id }) => subject_id));
  return new Set(targets.filter((target) => isDoubtful(target) || lost.has(target.id)).map(({ post_id }) => post_id));
}

function isDoubtful({ status, due_at, private: { may_be_live } }: TargetRow): boolean {
  return isOpen(status) || due_at !== null || may_be_live;
}
