import type { Inbox } from "../networks/contract/inbox.ts";
import { eventSource, subscribeDue, subscriptionSource, takeEvents } from "./hook-work.ts";
import { isTooEarly, pollSource } from "./poll.ts";
import type { InboxPorts } from "./ports.ts";
import { rereadDue, rereadSource } from "./reread.ts";
import type { InboxState } from "./rows.ts";
import { type NamedSource, sourcesToRead } from "./source-state.ts";
import type { Turn } from "./turn.ts";

/** A part of the work on an inbox. Its failures are stored under its name. */
export interface Task extends NamedSource {
  /** True: it reads the network's lists, which rest while the network's requests are needed elsewhere. */
  isList: boolean;
  /** True: it is not due yet, and the network's requests are needed for other tasks. Absent: never. */
  mayWait?(): boolean;
  /** Runs it, if it is due. True: it has work left that is due now. */
  run(): Promise<boolean>;
}

/** The tasks of a turn, in their order: the subscription, the network's webhooks, its lists, and the rereading. */
export function* tasksOf(ports: InboxPorts, turn: Turn): Generator<Task> {
  const { inbox, row, lease } = turn;
  const { hooks, reread } = inbox;
  if (hooks !== undefined) {
    yield { ...subscriptionSource, isList: false, run: () => whole(subscribeDue(ports, turn, hooks)) };
    yield { ...eventSource, isList: false, run: () => takeEvents(ports, turn, hooks) };
  }
  for (const { source, state } of sourcesToRead(inbox.sources, row.private.sources, lease.now()))
    yield {
      ...source,
      isList: true,
      mayWait: () => isTooEarly(turn, state),
      run: () => whole(pollSource(turn, source, state)),
    };
  if (reread !== undefined) yield { ...rereadSource(reread), isList: true, run: () => whole(rereadDue(turn, reread)) };
}

/** The result of a task that leaves no work: what it did not reach has a due time of its own. */
async function whole(work: Promise<void>): Promise<boolean> {
  await work;
  return false;
}

/** When the next task is due, milliseconds. Null: none is, until an event makes the inbox due. */
export function nextTaskAt({ sources, reread }: Inbox, state: InboxState, now: number): number | null {
  const { hooks, rests_until = 0 } = state;
  // Sources that only another version of the adapter reads are left out.
  const lists = [...sources, ...(reread === undefined ? [] : [rereadSource(reread)])];
  const times = lists.flatMap(({ name }) => state.sources[name]?.due_at ?? []).map((at) => Math.max(at, rests_until));
  // New webhook events make the inbox due; only the retry of failed ones needs a time.
  const events = state.sources[eventSource.name];
  if (events !== undefined && events.failures > 0) times.push(events.due_at);
  // A time in the past: the subscription cannot be requested, because no public URL or no app is known.
  if (hooks !== undefined && hooks.due_at > now) times.push(hooks.due_at);
  return times.length === 0 ? null : Math.min(...times);
}
