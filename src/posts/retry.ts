import { useOperations } from "../hosting/uses.ts";
import type { PlannedTarget } from "../planning/plan.ts";
import { planPost } from "../planning/planner.ts";
import { type Addressee, assertEntitled, assertUsable, readAddressees } from "../planning/recipients.ts";
import { isoTime } from "../ports/clock.ts";
import { readPost, readTargets } from "../publishing/read.ts";
import { type PostRow, type TargetRow, warningsOf } from "../publishing/rows.ts";
import type { Post } from "../publishing/schema.ts";
import { startedTarget } from "../publishing/start.ts";
import type { IntentRow } from "../sending/intent.ts";
import { lastIntentsOf } from "../sending/last-intents.ts";
import { type Operation, StorageConflict } from "../storage/storage.ts";
import { fromRow, toChange } from "../storage/typed.ts";
import { type ErrorDetail, SocialError } from "../wire/errors.ts";
import { fileGone } from "./files.ts";
import { assertValid } from "./make.ts";
import type { PostPorts } from "./ports.ts";
import { driveUntilSettled, waitUntilSettled } from "./wait.ts";

export interface RetryChoice {
  profileIds: readonly string[] | null;
  force: boolean;
  /** Null: a repeated request starts another retry. */
  key: string | null;
}

/** A post, and whether an earlier call retried it. */
export interface RetriedPost {
  /** The post's current state. */
  post: Post;
  /** True: the idempotency key was used before on this post, and this request started nothing. */
  replayed: boolean;
}

/** Number of retry keys that a post remembers. */
const keysKept = 100;

/**
 * The result of a retry whose key was used before, even if the rest of the request differs now. Null: the key is new.
 */
export async function replayRetry(
  ports: PostPorts,
  { id, private: { retry_keys = [] } }: PostRow,
  key: string | null | undefined,
): Promise<RetriedPost | null> {
  if (key == null || !retry_keys.includes(key)) return null;
  // The first request may still be running: wait for it, but never publish.
  return { post: await waitUntilSettled(ports, id), replayed: true };
}

/**
 * Retries the failed targets of a post. A thread continues after its last live part. A target that may be live is
 * retried only with `force`.
 */
export async function retryPost(ports: PostPorts, post: PostRow, choice: RetryChoice): Promise<RetriedPost> {
  try {
    await beginRetry(ports, post, choice);
  } catch (error) {
    // Another request with this key may have started the retry since the post was read.
    const earlier = choice.key === null ? null : await readPost(ports.storage, post.id);
    const replayed = earlier === null ? null : await replayRetry(ports, earlier, choice.key);
    if (replayed === null) throw error;
    return replayed;
  }
  return { post: await driveUntilSettled(ports, post.id), replayed: false };
}

/** Changes of an update, for a post whose targets are retried. */
export interface Mended {
  change: Pick<PostRow, "networks" | "private">;
  /** Further operations of the same write. */
  operations: Operation[];
}

/** @param mended changes in the same write; null: none */
export async function beginRetry(
  ports: PostPorts,
  before: PostRow,
  choice: RetryChoice,
  mended: Mended | null = null,
): Promise<void> {
  const post = { ...before, ...mended?.change };
  const all = await readTargets(ports.storage, post.id);
  const { targets, leftOut } = chooseTargets(ports, all, choice);
  const untouched = all.filter((target) => !targets.includes(target) && !leftOut.includes(target));
  const profileIds = targets.map(({ profile_id }) => profile_id);
  const addressees = await readAddressees(ports, post.account_id, profileIds);
  assertUsable(addressees, profileIds);
  await assertEntitled(ports, post.account_id, addressees);
  const now = await ports.storage.now();
  const started = await restartTargets(ports, post, { targets, addressees, now });
  try {
    await ports.storage.write([
      ...operationsFor(post, started, { key: choice.key, now, mended }),
      ...(post.status === "publishing" ? [] : untouched.map(markRetried)),
      ...leftOut.map(warn),
      ...(await lookOnceMore(ports, started)),
    ]);
  } catch (error) {
    if (!(error instanceof StorageConflict)) throw error;
    if (error.operation.collection === "media") throw fileGone();
    throw new SocialError("conflict", "The post was changed by another request; read it again before you retry.");
  }
}

/** The targets to retry, and those skipped because they may be live. */
interface Chosen {
  targets: TargetRow[];
  leftOut: TargetRow[];
}

function chooseTargets(
  ports: PostPorts,
  all: readonly TargetRow[],
  { profileIds, force }: Pick<RetryChoice, "profileIds" | "force">,
): Chosen {
  assertAddressed(all, profileIds);
  const failed = all.filter(({ status }) => status === "failed");
  const named = failed.filter(({ profile_id }) => profileIds?.includes(profile_id) ?? true);
  if (named.length === 0)
    throw new SocialError("conflict", "No target of this post has failed, so none can be retried.");
  if (force) return { targets: named, leftOut: [] };
  const isDoubtful = (target: TargetRow): boolean => mayGoOutTwice(ports, target);
  const [leftOut, targets] = [named.filter(isDoubtful), named.filter((target) => !isDoubtful(target))];
  if (leftOut.length > 0 && (profileIds !== null || targets.length === 0)) {
    const safe = failed.filter((target) => !isDoubtful(target)).map(({ profile_id }) => profile_id);
    throw needsForce(leftOut, { profileIds, safe });
  }
  return { targets, leftOut };
}

function mayGoOutTwice({ adapter }: PostPorts, { network, private: { may_be_live } }: TargetRow): boolean {
  // With a permanent key, nothing can be published twice.
  return may_be_live && adapter(network)?.spec.duplicates.join() !== "keyed";
}

/** @param given.safe profiles whose targets a retry may start without `force` */
function needsForce(
  doubtful: readonly TargetRow[],
  { profileIds, safe }: Pick<RetryChoice, "profileIds"> & { safe: string[] },
): SocialError {
  const details = doubtful.map(
    ({ network, profile_id, error }): ErrorDetail => ({
      ...(profileIds === null ? {} : { field: `profile_ids[${profileIds.indexOf(profile_id)}]` }),
      network,
      code: "timeout",
      message: error?.message ?? "It may be live.",
    }),
  );
  if (safe.length > 0) {
    const message = `A retry without force may list these: ${safe.join(", ")}.`;
    // First, so that it is included however many details follow.
    details.unshift({ field: "profile_ids", code: "conflict", message, profile_ids: safe });
  }
  return new SocialError("conflict", "The post may already be live: check the account, then retry with force.", {
    details,
  });
}

/** Writes the post's new status to a target that is not retried. */
function markRetried({ id }: TargetRow): Operation {
  return { kind: "update", collection: "targets", id, change: { post_status: "publishing" }, where: {} };
}

/** Adds a warning to a target that a retry skipped. */
function warn({ id, private: state }: TargetRow): Operation {
  const warnings = [...warningsOf(state), leftOutWarning];
  return {
    kind: "update",
    collection: "targets",
    id,
    change: { warnings, post_status: "publishing" },
    where: { status: "failed" },
  };
}

const leftOutWarning =
  "Not retried: the post may already be live. Check the account first; a retry with force publishes it again and may create a duplicate.";

function assertAddressed(targets: readonly TargetRow[], profileIds: readonly string[] | null): void {
  const details = (profileIds ?? []).flatMap((id, index): ErrorDetail[] => {
    if (targets.some(({ profile_id }) => profile_id === id)) return [];
    return [{ field: `profile_ids[${index}]`, code: "invalid_request", message: "The post has no target on it." }];
  });
  if (details.length > 0)
    throw new SocialError("invalid_request", "Some profiles are not targets of the post.", { details });
}

/** Partly live threads keep their parts. All other targets are planned and validated again. */
async function restartTargets(
  ports: PostPorts,
  post: PostRow,
  { targets, addressees, now }: { targets: TargetRow[]; addressees: Addressee[]; now: number },
): Promise<TargetRow[]> {
  const fresh = addressees.filter(({ profile }) => {
    const target = targets.find(({ profile_id }) => profile_id === profile.id);
    return target?.private.live.length === 0;
  });
  const planned = await planPost(ports, { accountId: post.account_id, body: post.private.body }, fresh);
  assertValid(planned);
  return Promise.all(
    targets.map(async (target) => {
      const lastIntents = await lastIntentsOf(ports.storage, target.id);
      const plan = planned.targets.find(({ profile }) => profile.id === target.profile_id);
      return restarted(
        { ...target, private: { ...target.private, last_intents_before_retry: lastIntents } },
        plan,
        now,
      );
    }),
  );
}

function restarted(target: TargetRow, plan: PlannedTarget | undefined, now: number): TargetRow {
  if (plan !== undefined) return startedTarget(target, plan, { now, dueAt: null });
  // The files are stored again, because they were released when the earlier attempt ended.
  const { files: _, ...known } = target.private;
  const state = { ...known, may_be_live: false, patience: null };
  return { ...target, status: "publishing", attempts: target.attempts + 1, due_at: now, error: null, private: state };
}

/** Marks lost requests of earlier attempts: each is looked for once more before anything is sent. */
async function lookOnceMore({ storage }: PostPorts, targets: readonly TargetRow[]): Promise<Operation[]> {
  const lost = await storage.find("intents", {
    where: { subject_id: { in: targets.map(({ id }) => id) }, state: { in: ["undecided", "absent"] } },
  });
  return lost.rows.map((row): Operation => {
    const { id, state, private: record } = fromRow<IntentRow & { state: "undecided" | "absent" }>(row);
    const change = {
      state: "unknown",
      private: { ...record, outcome_before_retry: state, look_at: null, replay_at: null },
    };
    return { kind: "update", collection: "intents", id, change: toChange(change), where: { state } };
  });
}

function operationsFor(
  post: PostRow,
  targets: readonly TargetRow[],
  { key, now, mended }: { key: string | null; now: number; mended: Mended | null },
): Operation[] {
  const { files = [], retry_keys = [] } = post.private;
  const remembered =
    key === null ? {} : { private: { ...post.private, retry_keys: [...retry_keys, key].slice(-keysKept) } };
  return [
    {
      kind: "update",
      collection: "posts",
      id: post.id,
      change: toChange({
        status: "publishing",
        version: post.version + 1,
        updated_at: isoTime(now),
        ...mended?.change,
        ...remembered,
      }),
      where: { version: post.version },
    },
    ...(mended?.operations ?? []),
    // While a target is open, the post already holds its files.
    ...(post.status === "publishing" ? [] : useOperations({ ...post, version: post.version + 1 }, files)),
    ...targets.flatMap(({ id, profile_id, status, attempts, due_at, error, warnings, private: state }): Operation[] => [
      {
        kind: "update",
        collection: "targets",
        id,
        change: toChange({
          status,
          post_status: "publishing",
          attempts,
          due_at,
          error,
          private: state,
          // Warnings of an earlier retry that left it out no longer apply.
          ...(warnings === undefined ? {} : { warnings: warningsOf(state) }),
        }),
        where: { status: "failed" },
      },
      {
        kind: "update",
        collection: "profiles",
        id: profile_id,
        change: { due_at: now },
        where: { status: "connected" },
      },
    ]),
  ];
}
