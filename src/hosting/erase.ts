import { isConflictIn, type Operation } from "../storage/storage.ts";
import { toChange } from "../storage/typed.ts";
import type { HostingPorts } from "./ports.ts";
import { hiddenMs } from "./reserve.ts";
import { writeWithRoom } from "./room.ts";
import { type MediaRow, readMediaRow } from "./rows.ts";

/** Time until the next attempt after a store failed to delete a file, milliseconds. */
const againMs = 3_600_000;

/**
 * Deletes a file that is marked as `deleting` from the store, and then its row. If the process dies in between, the
 * row remains and the worker retries. If the file may still arrive, the row remains until then, without using space.
 */
async function eraseFile(ports: HostingPorts, key: string): Promise<void> {
  const { storage, store } = ports;
  const row = await readMediaRow(storage, key);
  if (row?.status !== "deleting") return;
  const { handle, may_arrive_until } = row.private;
  await store.delete(key, handle === null ? {} : { handle });
  const isOver = (may_arrive_until ?? 0) <= (await storage.now());
  const where = { status: "deleting", size_bytes: row.size_bytes };
  const waiting = { due_at: may_arrive_until, size_bytes: 0 };
  const operations: Operation[] = isOver
    ? [
        // Of two processes that delete it, only one frees the space.
        { kind: "check", collection: "media", id: key, where },
        { kind: "delete", collection: "media", id: key },
      ]
    : [{ kind: "update", collection: "media", id: key, change: waiting, where }];
  try {
    await writeWithRoom(ports, { accountId: row.account_id, by: -row.size_bytes }, operations);
  } catch (error) {
    if (!isConflictIn("media", error)) throw error;
  }
}

/** As `eraseFile`; on a failure, the worker retries. */
export async function eraseOrLeave(ports: HostingPorts, key: string): Promise<void> {
  try {
    await eraseFile(ports, key);
  } catch (error) {
    ports.logger.warn("a media file could not be deleted; the worker retries", { key, error: String(error) });
    await putOff(ports, key);
  }
}

async function putOff({ storage }: HostingPorts, key: string): Promise<void> {
  const change = { due_at: (await storage.now()) + againMs };
  try {
    await storage.write([{ kind: "update", collection: "media", id: key, change, where: { status: "deleting" } }]);
  } catch (error) {
    // Another process has deleted it.
    if (!isConflictIn("media", error)) throw error;
  }
}

/**
 * Discards an upload that failed. Never throws, so that the caller gets the first error.
 *
 * @param options.mayArrive the store may still write the file
 */
export async function discardFile(
  ports: HostingPorts,
  { id }: Pick<MediaRow, "id">,
  { mayArrive }: { mayArrive: boolean },
): Promise<void> {
  try {
    if (await markDeleting(ports, { id, mayArrive })) await eraseFile(ports, id);
  } catch (error) {
    const message = "the rest of an upload could not be deleted; the worker retries";
    ports.logger.warn(message, { key: id, error: String(error) });
  }
}

/** False: it is no longer hidden. */
async function markDeleting(
  { storage }: HostingPorts,
  { id, mayArrive }: { id: string; mayArrive: boolean },
): Promise<boolean> {
  const row = await readMediaRow(storage, id);
  if (row?.status !== "hidden") return false;
  const now = await storage.now();
  const may_arrive_until = mayArrive ? now + hiddenMs : row.private.may_arrive_until;
  const change = { status: "deleting", due_at: now, private: { ...row.private, may_arrive_until } };
  try {
    await storage.write([
      { kind: "update", collection: "media", id, change: toChange(change), where: { status: "hidden" } },
    ]);
    return true;
  } catch (error) {
    if (isConflictIn("media", error)) return false;
    throw error;
  }
}
