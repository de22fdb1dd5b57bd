import type { InboxSource, InboxUpdate } from "../networks/contract/inbox.ts";
import type { Storage } from "../storage/storage.ts";
import { PublishingError } from "../wire/errors.ts";
import type { Json } from "../wire/json.ts";
import { withoutForgotten } from "./forgotten.ts";
import { withGap } from "./gaps.ts";
import { afterMiss, isTrusted } from "./hook-state.ts";
import { connectedThere, isFirstLook } from "./network-clock.ts";
import { paidLook } from "./paid-look.ts";
import type { Reader } from "./reader.ts";
import type { InboxRow, InboxState, SourceState } from "./rows.ts";
import { afterPoll, withRest, withSource } from "./source-state.ts";
import type { Turn } from "./turn.ts";

/** Maximum number of polls of one source in one turn. The next turn reads the rest, after other inboxes. */
const pollsAtOnce = 10;
/** Default lag of a list behind the network's events, seconds. */
const usualLagSeconds = 10;
/** Lists that are due soon are read together with a due one while at most this share of the network's rate limit is used. */
const earlyShare = 0.1;

/** Reads a list from its stored position, and stores what it contains. */
export async function pollSource(turn: Turn, source: InboxSource, before: SourceState): Promise<void> {
  const { storage, row, lease, allowance } = turn;
  const reader = await turn.reader();
  let state = before;
  for (let polls = 1; ; polls++) {
    const readAt = lease.now() - (source.lagSeconds ?? usualLagSeconds) * 1000;
    const since = connectedThere(row.private) - backfillMs;
    const isBackfill = state.read_at === null;
    const { found, paceMs } = await paidLook(turn, source, isBackfill, () =>
      source.poll(reader.context, state.cursor, since),
    );
    const behind_ms = reader.behindMs() ?? 0;
    // Written before the messages, because it decides which of them count as new.
    if (behind_ms > 0 && isFirstLook(row.private))
      await turn.ingest({ facts: [], readAt, state: (stored) => ({ ...stored, behind_ms }) });
    assertShort(found.cursor);
    const restsUntil = reader.restsUntil();
    const isOver = !found.more || polls === pollsAtOnce || restsUntil > lease.now();
    const facts = reader.readable(found.facts, lease.now());
    const isMissed =
      source.every.repair !== undefined && (await bringsMissed(storage, row, { facts, reader, now: lease.now() }));
    const last = state;
    const after = (stored: InboxState): InboxState => {
      const hooks = stored.hooks !== undefined && isMissed ? afterMiss(stored.hooks, lease.now()) : stored.hooks;
      state = afterPoll(source, last, { found, now: lease.now(), isRepair: isTrusted(hooks), paceMs });
      const read = withSource(hooks === undefined ? stored : { ...stored, hooks }, source.name, state);
      return withRest(withGap(read, found.gap), restsUntil);
    };
    const isQuiet = isOver && facts.length === 0;
    if (isQuiet) turn.putOff(after);
    const rows = isQuiet ? 0 : await turn.ingest({ facts, readAt, state: after });
    await allowance.count({ facts, rows, isMore: found.more, now: lease.now() });
    if (isOver || allowance.isUsedUp(lease.now())) return;
  }
}

/** Age of the oldest messages that are read, before the profile's connection, milliseconds. */
const backfillMs = 30 * 24 * 3_600_000;

/** Maximum length of a cursor, characters of JSON: it may contain the network's own text. */
const longestCursor = 5_000;

/** @throws PublishingError `network_error` */
function assertShort(cursor: Json): void {
  if (JSON.stringify(cursor).length <= longestCursor) return;
  throw new PublishingError("network_error", "The network's response has no cursor that can be stored.");
}

/** A webhook for a message arrives within this time, milliseconds. */
const hookDelayMs = 300_000;

/** True: a list shows a message that is old enough for its webhook to have arrived, but no webhook brought it. */
async function bringsMissed(
  storage: Storage,
  inbox: InboxRow,
  { facts, reader, now }: { facts: readonly InboxUpdate[]; reader: Reader; now: number },
): Promise<boolean> {
  const { connected_at } = inbox.private;
  const shouldBeHere = (sentAt: number): boolean => sentAt >= connected_at && sentAt < now - hookDelayMs;
  const timed = facts.map((each) => ({ ...each, at: each.at ?? now }));
  const wanted = await withoutForgotten(storage, inbox, { facts: timed });
  const keys = wanted.flatMap((each) =>
    each.fact === "message" && shouldBeHere(each.message.sent_at) ? [each.message.key] : [],
  );
  return (await reader.context.known(keys)).size < new Set(keys).size;
}

/** True: a list that is not due yet waits, because the network's requests are needed for other lists. */
export function isTooEarly({ opened, lease }: Turn, { due_at }: SourceState): boolean {
  return due_at > lease.now() && (opened()?.usedShare() ?? 0) > earlyShare;
}
