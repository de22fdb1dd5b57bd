import { isoTime } from "../ports/clock.ts";
import { deleteFound } from "../storage/delete-found.ts";
import type { Storage } from "../storage/storage.ts";
import { appLifeMs } from "./context.ts";

/** Deletes ended sign-ins, and registrations of apps that are no longer used. */
export async function sweepConnections(storage: Storage): Promise<void> {
  const now = await storage.now();
  await deleteFound(storage, "connections", { due_at: { lte: now } });
  await deleteFound(storage, "apps", { created_at: { lt: isoTime(now - appLifeMs) } });
}
