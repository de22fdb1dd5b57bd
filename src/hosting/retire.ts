import { retryConflicts } from "../storage/conflict-retry.ts";
import { isConflictIn, type Operation } from "../storage/storage.ts";
import { toChange } from "../storage/typed.ts";
import type { HostingPorts } from "./ports.ts";
import { isUsed, isWhole, type MediaRow, readMediaRow, type ShownMedia } from "./rows.ts";

/** How often a file's use may change during the check. */
const maxConflicts = 20;

/** Time until the next check of an expired file that a post needs, milliseconds. */
const againMs = 3_600_000;

/**
 * The file as it is visible; null: there is none. An expired file that no post needs is marked for deletion by
 * whichever call finds it; the sweep deletes it.
 *
 * @param now the store's time, milliseconds
 */
export function shownOrRetired(ports: HostingPorts, row: MediaRow | null, now: number): Promise<ShownMedia | null> {
  let current = row;
  const attempt = async (last: unknown): Promise<ShownMedia | null> => {
    if (last !== null && current !== null) current = await readMediaRow(ports.storage, current.id);
    if (current === null || !isWhole(current)) return null;
    if (current.due_at === null || current.due_at > now) return current;
    return retire(ports, current, now);
  };
  return retryConflicts(attempt, { max: maxConflicts });
}

/** @throws StorageConflict if the file has changed since it was read */
async function retire({ storage }: HostingPorts, row: ShownMedia, now: number): Promise<ShownMedia | null> {
  const isNeeded = await isUsed(storage, row.id);
  const change = isNeeded ? { due_at: now + againMs } : deletion(now);
  await storage.write([unlessUsedAnew(row, change)]);
  return isNeeded ? { ...row, ...change } : null;
}

/** The change that makes a file invisible. Another one with the same derivation may then be created. */
export function deletion(now: number): Pick<MediaRow, "due_at" | "derivation"> & { status: "deleting" } {
  return { status: "deleting", derivation: null, due_at: now };
}

/** Changes a file if its status is unchanged since it was read, and no post has begun to use it. */
export function unlessUsedAnew({ id, status, last_use }: MediaRow, change: Partial<MediaRow>): Operation {
  return { kind: "update", collection: "media", id, change: toChange(change), where: { status, last_use } };
}

/** Marks an unfinished upload for deletion; false: it has been finished meanwhile. */
export async function retireHidden({ storage }: HostingPorts, { id }: MediaRow, now: number): Promise<boolean> {
  const change = { status: "deleting", due_at: now };
  try {
    await storage.write([{ kind: "update", collection: "media", id, change, where: { status: "hidden" } }]);
    return true;
  } catch (error) {
    if (isConflictIn("media", error)) return false;
    throw error;
  }
}
