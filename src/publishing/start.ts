import { releaseOperations } from "../hosting/uses.ts";
import { type PlannedTarget, toDetails } from "../planning/plan.ts";
import { createPlanner, type Planner } from "../planning/planner.ts";
import type { Addressee } from "../planning/recipients.ts";
import { isoTime } from "../ports/clock.ts";
import type { ProfileRow } from "../profiles/rows.ts";
import type { SubjectError } from "../sending/state.ts";
import { isConflictIn, type Operation, StorageConflict } from "../storage/storage.ts";
import { fromRow, toChange } from "../storage/typed.ts";
import { changesOf } from "./files.ts";
import type { StartPorts } from "./ports.ts";
import { readTargets, toPost } from "./read.ts";
import { emptyTargetState, type PostRow, type TargetRow } from "./rows.ts";
import { statusFromTargets } from "./status.ts";

/** Time between two attempts to start a post whose files cannot be read, or that met a fault, milliseconds. */
export const betweenTriesMs = 30_000;

/** A post that is found later than this belongs to a backlog, milliseconds. */
export const backlogAfterMs = 1_800_000;
/** Time between two posts of a backlog on one profile, milliseconds, so that they are not all published together. */
const paceMs = 60_000;

/** A post to start, with its targets and their profiles. */
export interface Start {
  post: PostRow;
  targets: readonly TargetRow[];
  /** By id. */
  profiles: ReadonlyMap<string, ProfileRow>;
}

/** Reads all starts with two queries. */
export async function readStarts({ storage }: StartPorts, posts: readonly PostRow[]): Promise<Start[]> {
  if (posts.length === 0) return [];
  const targets = await readTargets(storage, ...posts.map(({ id }) => id));
  const profileIds = [...new Set(targets.map(({ profile_id }) => profile_id))];
  const found = await storage.find("profiles", { where: { id: { in: profileIds } }, isCounted: false });
  const profiles = new Map(found.rows.map((row) => [row.id, fromRow<ProfileRow>(row)]));
  return posts.map((post) => ({ post, targets: targets.filter(({ post_id }) => post_id === post.id), profiles }));
}

/**
 * Starts a post. Returns the profiles that now have due work: none if another process started, changed or cancelled it
 * first.
 *
 * @throws StorageConflict if another post was started on the profile of a backlog since that profile was read
 */
export async function startOnce(ports: StartPorts, start: Start, now: number): Promise<readonly string[]> {
  try {
    return await startOrPutOff(ports, start, now);
  } catch (error) {
    const isOutpaced = isConflictIn("profiles", error) && error.reason === "where";
    if (error instanceof StorageConflict && !isOutpaced) return [];
    throw error;
  }
}

async function startOrPutOff(ports: StartPorts, start: Start, now: number): Promise<readonly string[]> {
  const { post } = start;
  try {
    return await startPost(ports, start, now);
  } catch (error) {
    if (error instanceof StorageConflict) throw error;
    ports.logger.error("a scheduled post could not be started; it is retried", {
      post: post.id,
      error: String(error),
    });
    return putOff(ports, post, now);
  }
}

async function putOff(ports: StartPorts, post: PostRow, now: number): Promise<readonly string[]> {
  const waiting_since = post.private.waiting_since ?? now;
  const change = toChange({ due_at: now + betweenTriesMs, private: { ...post.private, waiting_since } });
  const where = { version: post.version, status: "scheduled" };
  await ports.storage.write([{ kind: "update", collection: "posts", id: post.id, change, where }]);
  return [];
}

/** Validates everything again, because profiles, limits and files may have changed since the post was created. */
async function startPost(
  ports: StartPorts,
  { post, targets, profiles }: Start,
  now: number,
): Promise<readonly string[]> {
  const started: TargetRow[] = [];
  const planner = createPlanner(ports, post.account_id, post.private.body);
  const begins = targets.map((target) => {
    const addressee = addresseeOf(ports, target, profiles.get(target.profile_id));
    return startTarget(ports, { post, planner }, { target, addressee }, now);
  });
  for (const begun of await Promise.all(begins)) {
    if (begun === null) return putOff(ports, post, now);
    started.push(begun);
  }
  const isBacklog = latenessOf(ports, post, now) >= backlogAfterMs;
  const status = statusFromTargets(started.map((target) => target.status));
  const change = { status, due_at: null, version: post.version + 1, updated_at: isoTime(now) };
  const operations: Operation[] = [
    {
      kind: "update",
      collection: "posts",
      id: post.id,
      change,
      where: { version: post.version, status: "scheduled" },
    },
    ...started.map(
      ({ id, status, attempts, due_at, error, private: state }): Operation => ({
        kind: "update",
        collection: "targets",
        id,
        change: toChange({ status, post_status: change.status, attempts, due_at, error, private: state }),
        where: {},
      }),
    ),
    ...(status === "publishing" ? [] : releaseOperations(post.id, post.private.files ?? [])),
    ...started.flatMap(({ profile_id, due_at }): Operation[] => {
      const profile = profiles.get(profile_id);
      if (due_at === null || profile === undefined) return [];
      return [isBacklog ? makePacedDue(profile, due_at, now) : makeDue(profile, now)];
    }),
  ];
  const payload = { account_id: post.account_id, post: toPost({ ...post, ...change }, started) };
  await ports.outbox.write(operations, status === "failed" ? { name: "post.failed", payload } : null, now);
  return started.filter(({ due_at }) => due_at !== null).map(({ profile_id }) => profile_id);
}

function makeDue({ id }: ProfileRow, now: number): Operation {
  return { kind: "update", collection: "profiles", id, change: { due_at: now }, where: {} };
}

/**
 * Makes the profile of a backlog's post due. Conflicts if another post was started on the profile since it was read:
 * both would go out at the same moment. So `due_at` always changes.
 */
function makePacedDue({ id, due_at, epoch }: ProfileRow, postDueAt: number, now: number): Operation {
  const change = { due_at: Math.min(now, (due_at ?? Infinity) - 1), paced_until: postDueAt + paceMs };
  return { kind: "update", collection: "profiles", id, change, where: { due_at, epoch } };
}

/** Null: a file cannot be read now, so no target of the post starts yet. */
async function startTarget(
  ports: StartPorts,
  { post, planner }: { post: PostRow; planner: Planner },
  { target, addressee }: { target: TargetRow; addressee: Addressee | SubjectError },
  now: number,
): Promise<TargetRow | null> {
  const lateMs = latenessOf(ports, post, now);
  if (lateMs > ports.maxLatenessMs) {
    const message = `Not published: found ${durationText(lateMs)} late. The service was not running in the meantime.`;
    return failedTarget(target, { code: "internal_error", message });
  }
  if ("code" in addressee) return failedTarget(target, addressee);
  const planned = await planOne(ports, { post, planner }, addressee);
  if ("code" in planned) return failedTarget(target, planned);
  const [detail] = toDetails(planned);
  if (detail !== undefined) {
    const waitedMs = now - (post.private.waiting_since ?? now);
    if (planned.waitsForMedia && waitedMs < ports.maxRetryMs) return null;
    const code = (detail.code ?? "internal_error") as SubjectError["code"];
    const waited = waitedMs > 0 ? `Given up after ${Math.round(waitedMs / 60_000)} minutes. ` : "";
    return failedTarget(target, { code, message: `${waited}${detail.field}: ${detail.message}` });
  }
  const begun = startedTarget(target, planned, { now, dueAt: post.scheduled_at });
  // The first post of a backlog is sent immediately; each other one follows the one before it by `paceMs`.
  if (lateMs >= backlogAfterMs) begun.due_at = Math.max(now, addressee.profile.paced_until ?? 0);
  return begun;
}

/** How late a post was found, without the time that it then waited for its files. */
export function latenessOf(
  { maxRetryMs }: StartPorts,
  { scheduled_at, created_at, private: state }: PostRow,
  now: number,
): number {
  const waitedMs = now - (state.waiting_since ?? now);
  const lastTryMs = maxRetryMs + betweenTriesMs;
  return now - Date.parse(scheduled_at ?? created_at) - Math.min(waitedMs, lastTryMs);
}

function durationText(ms: number): string {
  return ms < 3_600_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}

/** A fault in a network's rules fails only its own target, not the post's start. */
async function planOne(
  ports: StartPorts,
  { post, planner }: { post: PostRow; planner: Planner },
  addressee: Addressee,
): Promise<PlannedTarget | SubjectError> {
  try {
    return await planner.plan(addressee);
  } catch (error) {
    ports.logger.error("a target could not be planned", { post: post.id, error: String(error) });
  }
  return { code: "internal_error", message: "The post could not be planned for this network; see the log." };
}

/** A target at the start of an attempt. `dueAt`: its scheduled time, ISO 8601; null: now. */
export function startedTarget(
  target: TargetRow,
  { parts, files, linkChange }: PlannedTarget,
  { now, dueAt }: { now: number; dueAt: string | null },
): TargetRow {
  const { last_intents_before_retry, restored_from = null } = target.private;
  const started_at = target.private.started_at ?? isoTime(now);
  const keyed_at = target.private.keyed_at ?? dueAt ?? started_at;
  const changes = changesOf(files);
  const made = {
    ...(Object.keys(changes).length === 0 ? {} : { changes }),
    ...(linkChange === null ? {} : { link_change: linkChange }),
  };
  const state = {
    ...emptyTargetState(),
    last_intents_before_retry,
    parts,
    ...made,
    started_at,
    keyed_at,
    restored_from,
  };
  return {
    ...target,
    status: "publishing",
    attempts: target.attempts + 1,
    due_at: now,
    error: null,
    private: state,
  };
}

function failedTarget(target: TargetRow, error: SubjectError): TargetRow {
  return { ...target, status: "failed", attempts: target.attempts + 1, due_at: null, error };
}

function addresseeOf(ports: StartPorts, target: TargetRow, profile: ProfileRow | undefined): Addressee | SubjectError {
  const adapter = ports.adapter(target.network);
  if (profile === undefined || profile.status === "disconnected") {
    return { code: "profile_unavailable", message: "The profile was disconnected before the post was due." };
  }
  if (adapter === undefined) {
    return { code: "profile_unavailable", message: `The service was created without the network ${target.network}.` };
  }
  if (profile.status === "needs_attention") {
    return { code: "reauthentication_required", message: profile.status_reason ?? "Reconnect the profile." };
  }
  return { profile, adapter };
}
