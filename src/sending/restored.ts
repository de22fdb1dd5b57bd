import { toRow } from "../storage/typed.ts";
import { onlyWhileHeld } from "../work/lease.ts";
import { type IntentRow, newIntent } from "./intent.ts";
import type { PartRun } from "./part-run.ts";
import type { SubjectState } from "./state.ts";

// A store that was restored from a backup does not know what went out since that was made. Each part that might have is
// put on record as a request whose answer was lost, once; from there on it is looked for like any other.

export const restoredMessage =
  "The store was restored from a backup; the post may have been published since the backup was made.";

/** When the backup was made that the store was restored from, milliseconds, while nobody has looked whether the part went out since; null: there is nothing to look for. */
export function unheardSince({ restored_from }: SubjectState, lost: readonly IntentRow[]): number | null {
  return lost.some(({ private: { is_restored } }) => is_restored === true) ? null : (restored_from ?? null);
}

/**
 * Puts a request on record that a store restored from a backup does not know
 * of, as one whose answer was lost: it is looked for before anything is sent.
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
    // Its body is not known; a key that is made without it is.
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
