import { isoTime } from "../ports/clock.ts";
import { toChange, toRow } from "../storage/typed.ts";
import { newKey } from "./address.ts";
import { noRoom, tooLarge } from "./bounds.ts";
import type { HostingPorts } from "./ports.ts";
import { roomLeft, writeWithRoom } from "./room.ts";
import type { MediaRow } from "./rows.ts";

/** How long an unfinished upload is kept, milliseconds. */
export const hiddenMs = 86_400_000;

/** The space that is first reserved for a file of unknown length, bytes. It then doubles with the bytes that have arrived. */
const firstStepBytes = 1_048_576;

export interface NewFile {
  /** The request's field that a lack of space is reported on. */
  field: string;
  /** Null: unknown. */
  sizeBytes: number | null;
  isDirect: boolean;
}

/** A hidden row, and the space that is reserved for its file. */
export interface Reservation {
  row: MediaRow;
  /** The reserved space, bytes. */
  kept(): number;
  /** Reserves more space, if necessary, for a file of at least this many bytes. @throws SocialError with status 413 */
  reach(bytes: number): Promise<void>;
}

/**
 * Inserts the row of a new file before its first byte is stored, so that every file in the store has a row, whatever
 * happens.
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
      // Anyone with the upload URL can send the file again until the URL expires.
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
      // The store itself rejects a file that is longer than announced.
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
