import type { Logger } from "../ports/logger.ts";
import type { Storage } from "./storage.ts";

/** Ends an erasure, which stands whatever becomes of this: what is left now is for the hourly work. */
export async function wipeErased(storage: Storage): Promise<void> {
  await storage.wipeDeleted?.().catch(() => false);
}

/** Wipes what erasures left for later, and what was deleted because it had been kept for long enough. */
export async function wipeHourly({ storage, logger }: { storage: Storage; logger: Logger }): Promise<void> {
  if ((await storage.wipeDeleted?.()) !== false) return;
  logger.warn(
    "deleted data are still on disk, because another connection reads an older state of the database: look for a transaction that was left open, or a backup",
  );
}
