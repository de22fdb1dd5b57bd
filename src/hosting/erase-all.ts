import { isConflictIn } from "../storage/storage.ts";
import { toChange } from "../storage/typed.ts";
import { eraseOrLeave } from "./erase.ts";
import type { HostingPorts } from "./ports.ts";
import { deletion } from "./retire.ts";
import { findMediaRows, type MediaRow } from "./rows.ts";

/** Rows read at a time. */
const readAtOnce = 100;

/** Deletes all files of an account that no post uses any more. The worker retries what the store fails to delete. */
export async function eraseAll(ports: HostingPorts, accountId: string): Promise<void> {
  const { storage } = ports;
  const where = { account_id: accountId };
  const kept = { ...where, status: { not_in: ["deleting"] } };
  for (;;) {
    const rows = await findMediaRows(storage, kept, { limit: readAtOnce });
    for (const row of rows) await markDeleting(ports, row);
    if (rows.length < readAtOnce) break;
  }
  const marked = await storage.find("media", { where, isCounted: false });
  for (const { id } of marked.rows) await eraseOrLeave(ports, id);
  const left = await storage.find("media", { where, limit: 1, isCounted: false });
  if (left.rows.length === 0) await storage.write([{ kind: "delete", collection: "media_accounts", id: accountId }]);
}

async function markDeleting({ storage }: HostingPorts, { id, status }: MediaRow): Promise<void> {
  const change = toChange(deletion(await storage.now()));
  try {
    await storage.write([{ kind: "update", collection: "media", id, change, where: { status } }]);
  } catch (error) {
    // An upload has ended, or the sweep was faster: read the row again.
    if (!isConflictIn("media", error)) throw error;
  }
}
