import { keepOperations, releaseAllOperations, releaseOperations } from "../hosting/uses.ts";
import type { PublishedPart } from "../networks/contract/plan.ts";
import type { ParsedCreatePost } from "../planning/schema.ts";
import { isoTime } from "../ports/clock.ts";
import type { SubjectError } from "../sending/state.ts";
import { retryConflicts } from "../storage/conflict-retry.ts";
import type { Operation } from "../storage/storage.ts";
import { toChange } from "../storage/typed.ts";
import { onlyWhileHeld } from "../work/lease.ts";
import type { PublishingPorts } from "./ports.ts";
import { readPost, readTargets, toPost } from "./read.ts";
import { type PostRow, postIdsOf, type TargetRow, type TargetState, urlOf, warningsOf } from "./rows.ts";
import type { PostEvent } from "./schema.ts";
import { openStatuses, statusFromTargets } from "./status.ts";

/** The end of a target. */
export interface Settlement {
  status: "published" | "failed";
  live: PublishedPart[];
  error: SubjectError | null;
  mayBeLive: boolean;
  /** When it is processed once more, milliseconds. Null: never. */
  dueAt: number | null;
}

/** Maximum number of conflicts between processes that settle the last targets of a post. */
const maxConflicts = 50;

/**
 * Ends a target. One write changes the target, its post and everything that follows from the outcome. The write
 * compares the post's version, which is read before the other targets: if two targets settle concurrently, one of the
 * writes sees the other.
 *
 * @param target as the profile's holder knows it
 * @param guard the operation that lets only the profile's holder write
 */
export function settleTarget(
  ports: PublishingPorts,
  target: TargetRow,
  settlement: Settlement,
  options: { guard: Operation; now: number },
): Promise<void> {
  return ports.inTurn(target.post_id, () => settleUntilAgreed(ports, target, settlement, options));
}

async function settleUntilAgreed(
  ports: PublishingPorts,
  target: TargetRow,
  settlement: Settlement,
  { guard, now }: { guard: Operation; now: number },
): Promise<void> {
  const settled = settledTarget(target, settlement, now);
  const attempt = async (): Promise<void> => {
    const post = await readPost(ports.storage, target.post_id);
    const targets = await readIfLast(ports, post, { ...target, ...settled });
    const change = settledPost(post, { targets, published_at: settled.published_at, now });
    const { status: post_status } = change;
    const operations: Operation[] = [
      guard,
      { kind: "update", collection: "posts", id: post.id, change: toChange(change), where: { version: post.version } },
      {
        kind: "update",
        collection: "targets",
        id: target.id,
        change: toChange({ ...settled, post_status }),
        where: {},
      },
      ...(post_status === post.status ? [] : await markOthers(ports, { targets, settled: target, post_status })),
      ...(await fileOperations(ports, { ...post, ...change }, settlement)),
    ];
    const event = targets && outcomeOf({ ...post, ...change }, targets);
    await onlyWhileHeld("profiles", () => ports.outbox.write(operations, event, now));
  };
  return retryConflicts(attempt, { max: maxConflicts });
}

/** Writes the post's new status to its other targets. @param targets all of them; null: not read yet */
async function markOthers(
  { storage }: PublishingPorts,
  {
    targets,
    settled,
    post_status,
  }: { targets: readonly TargetRow[] | null; settled: TargetRow } & Pick<TargetRow, "post_status">,
): Promise<Operation[]> {
  const all = targets ?? (await readTargets(storage, settled.post_id));
  return all
    .filter(({ id }) => id !== settled.id)
    .map(({ id }): Operation => ({ kind: "update", collection: "targets", id, change: { post_status }, where: {} }));
}

/** Makes the post's files permanent if any part is live. Releases them once the post has ended. */
async function fileOperations(
  { storage, freeze }: PublishingPorts,
  { id, status, private: { files = [], body } }: PostRow,
  { live }: Settlement,
): Promise<Operation[]> {
  const kept = live.length === 0 ? [] : await keepOperations(storage, files);
  if (status === "publishing") return kept;
  const isFrozen = freeze !== null && mayNameFiles(body);
  return [...kept, ...(isFrozen ? await releaseAllOperations(storage, id) : releaseOperations(id, files))];
}

/** True: the post or one of its overrides may name files. */
function mayNameFiles({ media, networks }: ParsedCreatePost): boolean {
  return media.length > 0 || Object.keys(networks).length > 0;
}

/**
 * All targets of a post, if `settled` is the last to settle. Null: others are open. Targets are large, so until then at
 * most one of the others is read.
 */
async function readIfLast(
  { storage }: PublishingPorts,
  post: PostRow,
  settled: TargetRow,
): Promise<readonly TargetRow[] | null> {
  if (post.private.body.profile_ids.length === 1) return [settled];
  const open = await storage.find("targets", {
    where: { post_id: post.id, id: { not_in: [settled.id] }, status: { in: openStatuses } },
    // The order of the index on post and profile, so that the store stops at the first match.
    order: { column: "profile_id", direction: "asc" },
    limit: 1,
    isCounted: false,
  });
  if (open.rows.length > 0) return null;
  const targets = await readTargets(storage, post.id);
  return targets.map((each) => (each.id === settled.id ? { ...each, ...settled } : each));
}

type SettledTarget = Pick<
  TargetRow,
  "status" | "post_ids" | "url" | "published_at" | "error" | "warnings" | "due_at" | "private"
>;

function settledTarget(target: TargetRow, settlement: Settlement, now: number): SettledTarget {
  const { status, live, error, mayBeLive, dueAt } = settlement;
  const state: TargetState = {
    ...target.private,
    live,
    may_be_live: mayBeLive,
    kept: {},
    patience: null,
    faulty_since: null,
  };
  const warnings = warningsOf(state);
  return {
    status,
    post_ids: postIdsOf(state),
    url: urlOf(state),
    published_at: status === "published" ? isoTime(now) : null,
    error: status === "failed" ? halfway(error, state) : null,
    // Warnings of an earlier retry that left it out no longer apply.
    ...(warnings.length === 0 && target.warnings === undefined ? {} : { warnings }),
    due_at: dueAt,
    private: state,
  };
}

/** Adds the progress of a partly published thread to its error. */
function halfway(error: SubjectError | null, { live, parts }: TargetState): SubjectError | null {
  if (error === null || live.length === 0 || parts === null) return error;
  const progress = `${live.length} of ${parts.length} parts are live; retry continues at part ${live.length + 1}.`;
  return { code: error.code, message: `${progress} ${error.message}` };
}

function settledPost(
  post: PostRow,
  { targets, published_at, now }: { targets: readonly TargetRow[] | null; published_at: string | null; now: number },
): Pick<PostRow, "status" | "published_at" | "updated_at" | "version"> {
  const [firstPublished] = [post.published_at, published_at].filter((at) => at !== null).sort();
  return {
    status: targets === null ? "publishing" : statusFromTargets(targets.map(({ status }) => status)),
    published_at: firstPublished ?? null,
    updated_at: isoTime(now),
    version: post.version + 1,
  };
}

/** The event to emit once every target has settled. Null: some are open. */
function outcomeOf(post: PostRow, targets: readonly TargetRow[]): PostEvent | null {
  const { status, account_id } = post;
  if (status !== "published" && status !== "partially_published" && status !== "failed") return null;
  return { name: `post.${status}`, payload: { account_id, post: toPost(post, targets) } };
}
