import type { Storage } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import type { IntentRow } from "./intent.ts";

/** The number of the last intent of each part. Read before a retry, so that earlier records no longer decide. */
export async function lastIntentsOf(storage: Storage, subjectId: string): Promise<Record<string, number>> {
  const found = await storage.find("intents", { where: { subject_id: subjectId } });
  const lastIntents: Record<string, number> = {};
  for (const row of found.rows) {
    const { part, number } = fromRow<IntentRow>(row);
    lastIntents[part] = Math.max(lastIntents[part] ?? 0, number);
  }
  return lastIntents;
}
