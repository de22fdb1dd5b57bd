import { isoTime } from "../ports/clock.ts";
import type { Storage } from "../storage/storage.ts";
import { appLifeMs } from "./context.ts";

/** Rows deleted at a time. */
const atOnce = 100;

/** Deletes logins that are long over, and registrations of apps that are no longer used. */
export async function sweepConnections(storage: Storage): Promise<void> {
  const now = await storage.now();
  await deleteAll(storage, "connections", { due_at: { lte: now } });
  await deleteAll(storage, "apps", { created_at: { lt: isoTime(now - appLifeMs) } });
}

type Where = NonNullable<Parameters<Storage["find"]>[1]>["where"];

async function deleteAll(storage: Storage, collection: "connections" | "apps", where: Where): Promise<void> {
  for (;;) {
    const { rows } = await storage.find(collection, { where, limit: atOnce, isCounted: false });
    await storage.write(rows.map(({ id }) => ({ kind: "delete", collection, id })));
    if (rows.length < atOnce) return;
  }
}
