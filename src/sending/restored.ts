import { toRow } from "../storage/typed.ts";
import { onlyWhileHeld } from "../work/lease.ts";
import { type IntentRow, newIntent } from "./intent.ts";
import type { PartRun } from "./part-run.ts";
import type { SubjectState } from "./state.ts";

// A store that was restored from a backup does not know what was published since. Each part that may have been is
// recorded once as a request whose response was lost, and is then looked for like any other.

export const restoredMessage =
  "The store was restored from a backup; the post may have been published since the backup was made.";

/**
 * The time of the backup that the store was restored from, milliseconds, until a look for the part is recorded. Null:
 * there is nothing to look for.
 */
export function unheardSince({ restored_from }: SubjectState, lost: readonly IntentRow[]): number | null {
  return lost.some(({ private: { is_restored } }) => is_restored === true) ? null : (restored_from ?? null);
}

/**
 * Records a request that a restored store does not know, as one whose response was lost. It is looked for before
 * anything is sent.
 *
 * @param since when the backup was made, milliseconds
 */
export async function recordPossibleSend(run: PartRun, number: number, since: number): Promise<IntentRow> {
  const { ports, lease } = run;
  const now = lease.now();
  const intent = newIntent({
    id: ports.ids.create("intent", now),
    profileId: lease.id,
    subjectId: run.subjectId,
    part: run.index,
    number,
    // The body is unknown, but not a key that is derived without it.
    keys: run.publisher.keys(1, ""),
    body: { json: {} },
    fileHashes: [],
    handles: null,
    now: since,
    hardEndMs: 0,
  });
  const known = { hard_end: now, unknown_since: now, replay_at: null, is_restored: true, message: restoredMessage };
  const supposed: IntentRow = { ...intent, state: "unknown", private: { ...intent.private, ...known } };
  await onlyWhileHeld("profiles", () =>
    ports.storage.write([lease.check(), { kind: "insert", collection: "intents", row: toRow(supposed) }]),
  );
  return supposed;
}
