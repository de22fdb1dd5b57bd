import { isoTime } from "../clock.ts";
import type { NetworkAdapter } from "../networks/adapter.ts";
import type { ProfileRow } from "../profiles/rows.ts";
import { type Operation, StorageConflict } from "../storage/storage.ts";
import { fromRow, toChange } from "../storage/typed.ts";
import { type Addressee, planPost } from "./address.ts";
import { type PlannedTarget, toDetails } from "./plan.ts";
import type { PostPorts } from "./ports.ts";
import { readTargets, toPost } from "./read.ts";
import { emptyTargetState, type PostRow, type TargetError, type TargetRow } from "./rows.ts";
import { statusFromTargets } from "./status.ts";

/** Starts the scheduled posts whose time has come, earliest first. Returns how many it started. */
export async function startDuePosts(ports: PostPorts, limit: number): Promise<number> {
  const now = await ports.storage.now();
  const due = await ports.storage.find("posts", {
    where: { status: "scheduled", scheduled_at: { lte: isoTime(now) } },
    order: { column: "scheduled_at", direction: "asc" },
    limit,
  });
  let started = 0;
  for (const row of due.rows) {
    try {
      await startPost(ports, fromRow<PostRow>(row), now);
      started += 1;
    } catch (error) {
      // Another process started, changed or cancelled it first.
      if (error instanceof StorageConflict) continue;
      // One post that cannot be started must not hold up the others.
      ports.logger.error("a scheduled post could not be started; the next sweep tries again", {
        post: row.id,
        error: String(error),
      });
    }
  }
  return started;
}

/** Everything is validated again: profiles, limits and files may have changed since the post was made. */
async function startPost(ports: PostPorts, post: PostRow, now: number): Promise<void> {
  const targets = await readTargets(ports.storage, post.id);
  const started = await Promise.all(targets.map((target) => startTarget(ports, post, target, now)));
  const status = statusFromTargets(started.map((target) => target.status));
  const change = { status, version: post.version + 1, updated_at: isoTime(now) };
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
        change: toChange({ status, attempts, due_at, error, private: state }),
        where: {},
      }),
    ),
    ...started
      .filter(({ due_at }) => due_at !== null)
      .map(
        ({ profile_id }): Operation => ({
          kind: "update",
          collection: "profiles",
          id: profile_id,
          change: { due_at: now },
          where: {},
        }),
      ),
  ];
  await ports.storage.write(operations);
  if (status !== "failed") return;
  const { account_id } = post;
  ports.events.emit("post.failed", { account_id, post: toPost({ ...post, ...change }, started) });
}

async function startTarget(ports: PostPorts, post: PostRow, target: TargetRow, now: number): Promise<TargetRow> {
  const lateMs = now - Date.parse(post.scheduled_at ?? post.created_at);
  if (lateMs > ports.maxLatenessMs) {
    const message = `Not published: found ${Math.round(lateMs / 3_600_000)} h late. Nothing ran the service in the meantime.`;
    return failedTarget(target, { code: "internal_error", message });
  }
  const addressee = await readAddressee(ports, target);
  if ("code" in addressee) return failedTarget(target, addressee);
  const planned = await planOne(ports, post, addressee);
  if ("code" in planned) return failedTarget(target, planned);
  const [detail] = toDetails(planned);
  if (detail !== undefined) {
    const code = (detail.code ?? "internal_error") as TargetError["code"];
    return failedTarget(target, { code, message: `${detail.field}: ${detail.message}` });
  }
  return startedTarget(target, planned, now);
}

/** A fault in a network's rules ends its own target, not the post's start. */
async function planOne(ports: PostPorts, post: PostRow, addressee: Addressee): Promise<PlannedTarget | TargetError> {
  try {
    const [planned] = (await planPost(ports, post.private.body, [addressee])).targets;
    if (planned !== undefined) return planned;
  } catch (error) {
    ports.logger.error("a target could not be planned", { post: post.id, error: String(error) });
  }
  return { code: "internal_error", message: "The post could not be planned for this network; see the log." };
}

/** A target at the beginning of an attempt. */
export function startedTarget(target: TargetRow, { input, parts }: PlannedTarget, now: number): TargetRow {
  const { floors, started_at } = target.private;
  const state = { ...emptyTargetState(), floors, input, parts, started_at: started_at ?? isoTime(now) };
  return {
    ...target,
    status: "publishing",
    attempts: target.attempts + 1,
    due_at: now,
    error: null,
    private: state,
  };
}

function failedTarget(target: TargetRow, error: TargetError): TargetRow {
  return { ...target, status: "failed", attempts: target.attempts + 1, due_at: null, error };
}

async function readAddressee(
  ports: PostPorts,
  target: TargetRow,
): Promise<{ profile: ProfileRow; adapter: NetworkAdapter } | TargetError> {
  const row = await ports.storage.get("profiles", target.profile_id);
  const profile = row === null ? null : fromRow<ProfileRow>(row);
  const adapter = ports.adapter(target.network);
  if (profile === null || profile.status === "disconnected") {
    return { code: "profile_unavailable", message: "The profile was disconnected before the post was due." };
  }
  if (adapter === undefined) {
    return { code: "profile_unavailable", message: `The service was created without the network ${target.network}.` };
  }
  if (profile.status === "needs_attention") {
    return { code: "reauthentication_required", message: profile.status_reason ?? "Connect the profile again." };
  }
  return { profile, adapter };
}
