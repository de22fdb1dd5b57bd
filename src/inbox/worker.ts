import { createFairTurns } from "../async/shares.ts";
import type { ProfileRow } from "../profiles/rows.ts";
import { fromRow } from "../storage/typed.ts";
import { createDueWorker, type DueWorker } from "../work/due-worker.ts";
import type { Lease } from "../work/lease.ts";
import { createListAllowances } from "./allowance.ts";
import { eraseMessages, eraseWaiting } from "./erase.ts";
import type { InboxPorts } from "./ports.ts";
import type { InboxRow } from "./rows.ts";
import { runTasks } from "./run-tasks.ts";
import { nextTaskAt } from "./tasks.ts";
import { openTurn, type TurnPorts } from "./turn.ts";

/** Time that a profile's messages are kept after it was disconnected, milliseconds. */
const keptMs = 30 * 86_400_000;
/** Pause of an inbox whose network this service does not have, milliseconds. */
const withoutNetworkMs = 300_000;
/** Concurrent writes of batches. One account gets at most half, so that its flood leaves room for others. */
const ingestsAtOnce = 8;

/** Processes the due work of inboxes. Only the process that holds an inbox stores its updates. */
export function createInboxWorker(ports: InboxPorts): DueWorker {
  const { storage } = ports;
  const turnPorts: TurnPorts = {
    ...ports,
    ingestInTurn: createFairTurns(ingestsAtOnce),
    allowanceOf: createListAllowances(storage),
  };

  async function work(row: InboxRow, lease: Lease): Promise<void> {
    const stored = await storage.get("profiles", row.profile_id);
    const profile = stored === null ? null : fromRow<ProfileRow>(stored);
    const adapter = ports.adapter(row.network);
    if (profile?.status === "disconnected") return finish(lease, await tidyUp(row, profile, lease));
    // A reconnect makes its inbox due.
    if (profile?.status !== "connected") return finish(lease, null);
    if (adapter?.inbox === undefined) return finish(lease, lease.now() + withoutNetworkMs);
    const { inbox } = adapter;
    const isMore = await runTasks(ports, openTurn(turnPorts, { row, profile, adapter, inbox, lease }));
    if (isMore) return finish(lease, lease.now());
    const after = await storage.get("inboxes", row.id);
    const state = after === null ? null : fromRow<InboxRow>(after).private;
    await finish(lease, state === null ? null : nextTaskAt(inbox, state, lease.now()));
  }

  /** @returns when the inbox's messages are to be deleted, milliseconds; null: they are deleted */
  async function tidyUp({ id, profile_id }: InboxRow, profile: ProfileRow, lease: Lease): Promise<number | null> {
    const before = (): Promise<void> => lease.ensure(0);
    await eraseWaiting(storage, id, { before });
    const until = Date.parse(profile.updated_at) + keptMs;
    if (lease.now() < until) return until;
    await eraseMessages(storage, profile_id, { before });
    return null;
  }

  async function finish(lease: Lease, dueAt: number | null): Promise<void> {
    // More work became due meanwhile; it is left to the next holder.
    if (!(await lease.release(dueAt))) return lease.giveBack();
    if (dueAt !== null) ports.wake(dueAt, lease.id);
  }

  return createDueWorker<InboxRow>(ports, { collection: "inboxes", work });
}
