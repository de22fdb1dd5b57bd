import { useOperations } from "../hosting/uses.ts";
import { type Addressee, demandEntitled, demandUsable, readAddressees } from "../planning/address.ts";
import type { PlannedTarget } from "../planning/plan.ts";
import { planPost } from "../planning/planner.ts";
import { isoTime } from "../ports/clock.ts";
import { readTargets } from "../publishing/read.ts";
import type { PostRow, TargetRow } from "../publishing/rows.ts";
import type { Post } from "../publishing/schema.ts";
import { startedTarget } from "../publishing/start.ts";
import { floorsOf } from "../sending/floors.ts";
import type { IntentRow } from "../sending/intent.ts";
import { type Operation, StorageConflict } from "../storage/storage.ts";
import { fromRow, toChange } from "../storage/typed.ts";
import { type ErrorDetail, SocialError } from "../wire/errors.ts";
import { fileGone } from "./files.ts";
import { demandValid } from "./make.ts";
import type { PostPorts } from "./ports.ts";
import { driveUntilSettled } from "./wait.ts";

export interface RetryChoice {
  profileIds: readonly string[] | null;
  force: boolean;
}

/**
 * Tries the failed targets of a post again. A thread goes on behind its last
 * live part; what may be live already is only touched with `force`.
 */
export async function retryPost(
  ports: PostPorts,
  accountId: string,
  post: PostRow,
  choice: RetryChoice,
): Promise<Post> {
  const targets = chooseTargets(ports, await readTargets(ports.storage, post.id), choice);
  const profileIds = targets.map(({ profile_id }) => profile_id);
  const addressees = await readAddressees(ports, accountId, profileIds);
  demandUsable(addressees, profileIds);
  await demandEntitled(ports, accountId, addressees);
  const now = await ports.storage.now();
  const started = await restartTargets(ports, post, { targets, addressees, now });
  try {
    await ports.storage.write([...operationsFor(post, started, now), ...(await lookOnceMore(ports, started))]);
  } catch (error) {
    if (!(error instanceof StorageConflict)) throw error;
    if (error.operation.collection === "media") throw fileGone();
    throw new SocialError("conflict", "The post changed meanwhile; look at it again before you retry.");
  }
  return driveUntilSettled(ports, post.id);
}

function chooseTargets(
  { adapter }: PostPorts,
  targets: readonly TargetRow[],
  { profileIds, force }: RetryChoice,
): TargetRow[] {
  demandAddressed(targets, profileIds);
  const failed = targets.filter(
    ({ status, profile_id }) => status === "failed" && (profileIds === null || profileIds.includes(profile_id)),
  );
  if (failed.length === 0)
    throw new SocialError("conflict", "No target of this post has failed; there is nothing to retry.");
  // Where a key stays the same for ever, nothing can go out twice.
  const isKeyed = ({ network }: TargetRow): boolean => adapter(network)?.spec.duplicates.join() === "keyed";
  const doubtful = failed.filter((target) => target.private.may_be_live && !isKeyed(target));
  if (doubtful.length > 0 && !force) {
    const details = doubtful.map(
      ({ network, error }): ErrorDetail => ({ network, code: "timeout", message: error?.message ?? "It may be live." }),
    );
    throw new SocialError("conflict", "The post may be live already: look there, then retry with force.", { details });
  }
  return failed;
}

function demandAddressed(targets: readonly TargetRow[], profileIds: readonly string[] | null): void {
  const details = (profileIds ?? []).flatMap((id, index): ErrorDetail[] => {
    if (targets.some(({ profile_id }) => profile_id === id)) return [];
    return [{ field: `profile_ids[${index}]`, code: "invalid_request", message: "The post is not addressed to it." }];
  });
  if (details.length > 0)
    throw new SocialError("invalid_request", "Not every profile is one of the post's.", { details });
}

/** Half-live threads keep their parts; everything else is planned and validated again. */
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
  demandValid(planned);
  return Promise.all(
    targets.map(async (target) => {
      const floors = await floorsOf(ports.storage, target.id);
      const plan = planned.targets.find(({ profile }) => profile.id === target.profile_id);
      return restarted({ ...target, private: { ...target.private, floors } }, plan, now);
    }),
  );
}

function restarted(target: TargetRow, plan: PlannedTarget | undefined, now: number): TargetRow {
  if (plan !== undefined) return startedTarget(target, plan, { now, dueAt: null });
  // The files are kept anew: after the end of the attempt before, nothing kept them.
  const { files: _, ...known } = target.private;
  const state = { ...known, may_be_live: false, patience: null };
  return { ...target, status: "publishing", attempts: target.attempts + 1, due_at: now, error: null, private: state };
}

/** Requests of earlier attempts whose answers were lost: each is looked for once more before anything is sent. */
async function lookOnceMore({ storage }: PostPorts, targets: readonly TargetRow[]): Promise<Operation[]> {
  const lost = await storage.find("intents", {
    where: { subject_id: { in: targets.map(({ id }) => id) }, state: { in: ["undecided", "absent"] } },
  });
  return lost.rows.map((row): Operation => {
    const { id, state, private: record } = fromRow<IntentRow & { state: "undecided" | "absent" }>(row);
    const change = { state: "unknown", private: { ...record, settled_as: state, look_at: null, replay_at: null } };
    return { kind: "update", collection: "intents", id, change: toChange(change), where: { state } };
  });
}

function operationsFor(post: PostRow, targets: readonly TargetRow[], now: number): Operation[] {
  const { files = [] } = post.private;
  return [
    {
      kind: "update",
      collection: "posts",
      id: post.id,
      change: { status: "publishing", version: post.version + 1, updated_at: isoTime(now) },
      where: { version: post.version },
    },
    // As long as some target is open, it needs them already.
    ...(post.status === "publishing" ? [] : useOperations({ ...post, version: post.version + 1 }, files)),
    ...targets.flatMap(({ id, profile_id, status, attempts, due_at, error, private: state }): Operation[] => [
      {
        kind: "update",
        collection: "targets",
        id,
        change: toChange({ status, attempts, due_at, error, private: state }),
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
