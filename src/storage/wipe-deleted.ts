import type { Logger } from "../ports/logger.ts";
import type { Storage } from "./storage.ts";

/** Wipes the remains of an erasure. A failure does not undo the erasure; the hourly work wipes the rest. */
export async function wipeErased(storage: Storage): Promise<void> {
  await storage.wipeDeleted?.().catch(() => false);
}

/** Wipes the remains of erasures and of rows whose retention has ended. */
export async function wipeHourly({ storage, logger }: { storage: Storage; logger: Logger }): Promise<void> {
  if ((await storage.wipeDeleted?.()) !== false) return;
  logger.warn(
    "deleted data are still on disk, because another connection reads an older state of the database: look for a transaction that was left open, or a backup",
  );
}
