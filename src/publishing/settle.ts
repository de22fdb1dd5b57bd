import { isoTime } from "../clock.ts";
import type { ServiceEvent } from "../events.ts";
import type { PublishedPart } from "../networks/adapter.ts";
import { readPost, readTargets, toPost } from "../posts/read.ts";
import type { PostRow, TargetError, TargetRow, TargetState } from "../posts/rows.ts";
import { statusFromTargets } from "../posts/status.ts";
import { onlyWhileHeld } from "../storage/lease.ts";
import { type Operation, StorageConflict } from "../storage/storage.ts";
import { toChange } from "../storage/typed.ts";
import type { PublishingPorts } from "./ports.ts";

/** How a target ended. */
export interface Settlement {
  status: "published" | "failed";
  live: PublishedPart[];
  error: TargetError | null;
  mayBeLive: boolean;
}

/** Two workers that settle the last two targets meet at most this often. */
const mostConflicts = 50;

/**
 * Ends a target: one write for the target, its post and all that follows from
 * the outcome. The write compares the post's version and the targets are read
 * after it, so that of two targets that settle at once one sees the other.
 *
 * @param guard the operation that lets only the profile's holder write
 */
export async function settleTarget(
  ports: PublishingPorts,
  target: TargetRow,
  settlement: Settlement,
  options: { guard: Operation; now: number },
): Promise<void> {
  for (let conflicts = 0; ; conflicts++) {
    const post = await readPost(ports.storage, target.post_id);
    const siblings = await readTargets(ports.storage, target.post_id);
    const settled = settledTarget(siblings.find(({ id }) => id === target.id) ?? target, settlement, options.now);
    const targets = siblings.map((each) => (each.id === target.id ? { ...each, ...settled } : each));
    const change = settledPost(post, targets, options.now);
    try {
      const operations: Operation[] = [
        options.guard,
        {
          kind: "update",
          collection: "posts",
          id: post.id,
          change: toChange(change),
          where: { version: post.version },
        },
        { kind: "update", collection: "targets", id: target.id, change: toChange(settled), where: {} },
      ];
      const event = outcomeOf({ ...post, ...change }, targets);
      await onlyWhileHeld("profiles", () => ports.outbox.write(operations, event, options.now));
    } catch (error) {
      if (error instanceof StorageConflict && conflicts < mostConflicts) continue;
      throw error;
    }
    return;
  }
}

type SettledTarget = Pick<
  TargetRow,
  "status" | "post_ids" | "url" | "published_at" | "error" | "warnings" | "due_at" | "private"
>;

function settledTarget(target: TargetRow, settlement: Settlement, now: number): SettledTarget {
  const { status, live, error, mayBeLive } = settlement;
  const state: TargetState = {
    ...target.private,
    live,
    may_be_live: mayBeLive,
    kept: {},
    patience: null,
    faulty_since: null,
  };
  const warnings = [...new Set(live.flatMap((part) => part.warnings ?? []))];
  return {
    status,
    post_ids: live.map(({ id }) => id),
    url: live[0]?.url ?? null,
    published_at: status === "published" ? isoTime(now) : null,
    error: status === "failed" ? halfway(error, state) : null,
    ...(warnings.length === 0 ? {} : { warnings }),
    due_at: null,
    private: state,
  };
}

/** Adds to the error of a thread that stopped how far it came. */
function halfway(error: TargetError | null, { live, parts }: TargetState): TargetError | null {
  if (error === null || live.length === 0 || parts === null) return error;
  const progress = `${live.length} of ${parts.length} parts are live; retry continues at part ${live.length + 1}.`;
  return { code: error.code, message: `${progress} ${error.message}` };
}

function settledPost(
  post: PostRow,
  targets: readonly TargetRow[],
  now: number,
): Pick<PostRow, "status" | "published_at" | "updated_at" | "version"> {
  const firstPublished = targets
    .map(({ published_at }) => published_at)
    .filter((at) => at !== null)
    .sort()[0];
  return {
    status: statusFromTargets(targets.map(({ status }) => status)),
    published_at: firstPublished ?? null,
    updated_at: isoTime(now),
    version: post.version + 1,
  };
}

/** What there is to tell once every target has settled; null before. */
function outcomeOf(post: PostRow, targets: readonly TargetRow[]): ServiceEvent | null {
  const { status, account_id } = post;
  if (status !== "published" && status !== "partially_published" && status !== "failed") return null;
  return { name: `post.${status}`, payload: { account_id, post: toPost(post, targets) } };
}
