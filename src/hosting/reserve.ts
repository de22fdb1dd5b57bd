import { isoTime } from "../ports/clock.ts";
import { toChange, toRow } from "../storage/typed.ts";
import { newKey } from "./address.ts";
import { noRoom, tooLarge } from "./bounds.ts";
import type { HostingPorts } from "./ports.ts";
import { roomLeft, writeWithRoom } from "./room.ts";
import type { MediaRow } from "./rows.ts";

/** How long what was never finished stays, milliseconds. */
export const hiddenMs = 86_400_000;

/** What is first kept free for a file of unknown length, bytes; then as much again as has come. */
const firstStepBytes = 1_048_576;

export interface NewFile {
  /** The request's field that a lack of room is told about. */
  field: string;
  /** Null: not known. */
  sizeBytes: number | null;
  isDirect: boolean;
}

/** A row that nobody sees yet, and the room that is kept for its file. */
export interface Reservation {
  row: MediaRow;
  /** How much is kept for it now, bytes. */
  kept(): number;
  /** Keeps more room, if need be, for a file that turns out to have so many bytes. @throws SocialError with status 413 */
  reach(bytes: number): Promise<void>;
}

/**
 * Writes down that a file is about to come, before its first byte does: what is
 * in the store is in the rows, too, whatever happens.
 *
 * @throws SocialError with status 413
 */
export async function reserveFile(ports: HostingPorts, accountId: string, file: NewFile): Promise<Reservation> {
  const { storage, bounds } = ports;
  const { field, sizeBytes } = file;
  const now = await storage.now();
  const row: MediaRow = {
    id: newKey(ports.ids, accountId),
    account_id: accountId,
    status: "hidden",
    due_at: now + hiddenMs,
    last_use: null,
    created_at: isoTime(now),
    expires_at: null,
    size_bytes: sizeBytes ?? (await firstStep(ports, accountId, file)),
    private: {
      handle: null,
      is_direct: file.isDirect,
      // Whoever has the address can send the file again as long as that is good.
      may_arrive_until: file.isDirect ? now + hiddenMs : null,
      facts: null,
    },
  };
  await writeWithRoom(ports, { accountId, by: row.size_bytes, field }, [
    { kind: "insert", collection: "media", row: toRow(row) },
  ]);
  let kept = row.size_bytes;
  return {
    row,
    kept: () => kept,
    async reach(bytes) {
      if (bytes > bounds.maxFileBytes) throw tooLarge(field, bounds);
      // The store refuses a file that is longer than was said.
      if (bytes <= kept || sizeBytes !== null) return;
      const left = await roomLeft(ports, accountId);
      const next = Math.min(bytes * 2, bounds.maxFileBytes, kept + left);
      if (next < bytes) throw noRoom(field, bounds.maxAccountBytes - left, bounds);
      const change = toChange({ size_bytes: next });
      await writeWithRoom(ports, { accountId, by: next - kept, field }, [
        { kind: "update", collection: "media", id: row.id, change, where: { status: "hidden" } },
      ]);
      kept = next;
    },
  };
}

async function firstStep(ports: HostingPorts, accountId: string, { field }: NewFile): Promise<number> {
  const left = await roomLeft(ports, accountId);
  if (left === 0) throw noRoom(field, ports.bounds.maxAccountBytes, ports.bounds);
  return Math.min(firstStepBytes, ports.bounds.maxFileBytes, left);
}
