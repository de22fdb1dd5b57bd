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

/** How a target ended. */
export interface Settlement {
  status: "published" | "failed";
  live: PublishedPart[];
  error: SubjectError | null;
  mayBeLive: boolean;
  /** When it is looked at once more all the same, milliseconds; null: not at all. */
  dueAt: number | null;
}

/** How often two processes that settle the last two targets may conflict, at most. */
const maxConflicts = 50;

/**
 * Ends a target: one write for the target, its post and all that follows from
 * the outcome. The write compares the post's version and the other targets are
 * read after it: of two that settle at once, one sees the other.
 *
 * @param target as its profile's holder knows it
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
      ...(post_status === post.status ? [] : await tellOthers(ports, { targets, settled: target, post_status })),
      ...(await fileOperations(ports, { ...post, ...change }, settlement)),
    ];
    const event = targets && outcomeOf({ ...post, ...change }, targets);
    await onlyWhileHeld("profiles", () => ports.outbox.write(operations, event, now));
  };
  return retryConflicts(attempt, { max: maxConflicts });
}

/** Gives a post's other targets its new status. @param targets all of them; null: they were not read */
async function tellOthers(
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

/** What is live of a post, be it half of it, makes its files permanent; a post that has ended needs them no more. */
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

/** Itself, or perhaps in what it has for one of its networks. */
function mayNameFiles({ media, networks }: ParsedCreatePost): boolean {
  return media.length > 0 || Object.keys(networks).length > 0;
}

/**
 * All targets of a post of which `settled` is the last to settle; null: others
 * are open. Targets are large, and of the others one is read at most until then.
 */
async function readIfLast(
  { storage }: PublishingPorts,
  post: PostRow,
  settled: TargetRow,
): Promise<readonly TargetRow[] | null> {
  if (post.private.body.profile_ids.length === 1) return [settled];
  const open = await storage.find("targets", {
    where: { post_id: post.id, id: { not_in: [settled.id] }, status: { in: openStatuses } },
    // In the order of the index on post and profile, so that the first one found will do.
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
    // Those of a retry that left it out are over.
    ...(warnings.length === 0 && target.warnings === undefined ? {} : { warnings }),
    due_at: dueAt,
    private: state,
  };
}

/** Adds to the error of a thread that stopped how far it came. */
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

/** The event to emit once every target has settled; null before. */
function outcomeOf(post: PostRow, targets: readonly TargetRow[]): PostEvent | null {
  const { status, account_id } = post;
  if (status !== "published" && status !== "partially_published" && status !== "failed") return null;
  return { name: `post.${status}`, payload: { account_id, post: toPost(post, targets) } };
}
