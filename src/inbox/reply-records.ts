import type { IntentRow } from "../sending/intent.ts";
import type { Operation, Storage } from "../storage/storage.ts";
import { fromRow, toChange } from "../storage/typed.ts";

/** What is written when answers are cleared: what was sent goes, that it was stays. */
export async function clearSent(storage: Storage, messageIds: readonly string[]): Promise<Operation[]> {
  if (messageIds.length === 0) return [];
  const where = { subject_id: { in: messageIds } };
  const { rows } = await storage.find("intents", { where, isCounted: false });
  return rows.map((row) => {
    const { id, state, private: record } = fromRow<IntentRow>(row);
    const { body: _, ...kept } = record;
    return { kind: "update", collection: "intents", id, change: toChange({ private: kept }), where: { state } };
  });
}
