import { eraseOrLeave } from "./erase.ts";
import type { HostingPorts } from "./ports.ts";
import { retireHidden, shownOrRetired } from "./retire.ts";
import { findMediaRows, isWhole, type MediaRow, type MediaStatus } from "./rows.ts";

/** Rows read at a time. */
const readAtOnce = 100;

/** The statuses with a `due_at`; `permanent` has none. */
const sweptStatuses: readonly MediaStatus[] = ["deleting", "hidden", "temporary", "derived"];

/**
 * Deletes expired files that no post needs, unfinished uploads, and files whose deletion failed. It
 * never lists the store: every file there has a row, from before its first byte until after its last.
 */
export async function sweepMedia(ports: HostingPorts): Promise<void> {
  const now = await ports.storage.now();
  for (const status of sweptStatuses) {
    for (;;) {
      const rows = await findMediaRows(ports.storage, { status, due_at: { lte: now } }, { limit: readAtOnce });
      for (const row of rows) await sweepRow(ports, row, now);
      if (rows.length < readAtOnce) break;
    }
  }
}

async function sweepRow(ports: HostingPorts, row: MediaRow, now: number): Promise<void> {
  if (row.status === "hidden" && !(await retireHidden(ports, row, now))) return;
  if (isWhole(row) && (await shownOrRetired(ports, row, now)) !== null) return;
  await eraseOrLeave(ports, row.id);
}
