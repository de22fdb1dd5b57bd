import type { MediaFacts } from "../media/probe/facts.ts";
import { MediaStoreFailure } from "../media/store/store.ts";
import { isoTime } from "../ports/clock.ts";
import { isConflictIn, type Operation } from "../storage/storage.ts";
import { toChange } from "../storage/typed.ts";
import { isRefusal, SocialError } from "../wire/errors.ts";
import { type FileField, notTaken, tooLarge, tooQuiet } from "./bounds.ts";
import { discardFile } from "./erase.ts";
import { examineStored } from "./facts.ts";
import type { HostingPorts } from "./ports.ts";
import { type Reservation, reserveFile } from "./reserve.ts";
import { writeWithRoom } from "./room.ts";
import type { MediaRow, ShownMedia } from "./rows.ts";
import { sniff } from "./sniff.ts";
import { asRefusal, type OpenedSource } from "./source.ts";
import { type WatchedStream, watchStream } from "./watched.ts";

/** How long a file stays that no post uses, milliseconds. */
const temporaryMs = 86_400_000;

/** What a file that somebody uploads is kept as. */
const uploaded: Purpose = { status: "temporary", uses: () => [] };

/** What a file is kept for. */
export interface Purpose {
  status: "temporary" | "derived";
  /** What it was made of, and how. */
  derivation?: string;
  /** Written with it: who needs it. */
  uses(key: string): Operation[];
}

/**
 * Keeps a file. Its row stands before its first byte is written, hidden until
 * the store shows the file whole and its bytes say what it is; of what fails
 * before that nothing stays.
 *
 * @throws SocialError
 */
export async function uploadFile(
  ports: HostingPorts,
  accountId: string,
  { field, stream, sizeBytes }: OpenedSource,
  purpose: Purpose = uploaded,
): Promise<ShownMedia> {
  const { clock, bounds } = ports;
  let reservation: Reservation | null = null;
  const watched = watchStream(stream, {
    clock,
    idleMs: bounds.idleMs,
    idle: () => tooQuiet(field, bounds),
    reach: (bytes) => (reservation === null ? undefined : reservation.reach(bytes)),
  });
  try {
    if (sizeBytes !== null && sizeBytes > bounds.maxFileBytes) throw tooLarge(field, bounds);
    const sniffed = await sniff(watched.stream);
    if ("problem" in sniffed) throw notTaken(field, sniffed.problem);
    reservation = await reserveFile(ports, accountId, { field, sizeBytes, isDirect: false });
    return await keepFile(ports, reservation, { ...sniffed, field, sizeBytes, watched, purpose });
  } catch (error) {
    throw explained(field, error);
  } finally {
    // What was refused is not read to its end.
    watched.end();
  }
}

interface SniffedFile {
  field: FileField;
  sizeBytes: number | null;
  mimeType: string;
  stream: ReadableStream<Uint8Array>;
  watched: WatchedStream;
  purpose: Purpose;
}

async function keepFile(ports: HostingPorts, reservation: Reservation, file: SniffedFile): Promise<ShownMedia> {
  const { row } = reservation;
  try {
    // What was read to tell its kind came before there was a row.
    await reservation.reach(file.watched.bytes());
    await putFile(ports, row, file);
  } catch (error) {
    await discardFile(ports, row, { mayArrive: !isCertain(error, file.watched) });
    throw error;
  }
  try {
    return await showFile(ports, { ...row, size_bytes: reservation.kept() }, file);
  } catch (error) {
    await discardFile(ports, row, { mayArrive: false });
    throw error;
  }
}

async function putFile(ports: HostingPorts, row: MediaRow, file: SniffedFile): Promise<void> {
  const { storage, store } = ports;
  const { mimeType, sizeBytes, stream } = file;
  await store.put(row.id, stream, {
    contentType: mimeType,
    sizeBytes,
    async remember(handle) {
      const change = toChange({ private: { ...row.private, handle } });
      await storage.write([{ kind: "update", collection: "media", id: row.id, change, where: { status: "hidden" } }]);
    },
  });
}

/** True when the store has written nothing and will write nothing: it said so, or was never given the end. */
function isCertain(error: unknown, watched: WatchedStream): boolean {
  if (watched.failure() !== null || isRefusal(error) || isConflictIn("media", error)) return true;
  return error instanceof MediaStoreFailure && error.reason !== "unavailable";
}

/**
 * Looks at what is in the store, and lets everybody see it.
 *
 * @param row hidden, with what is kept for it
 * @throws SocialError for a file that is none of those that are taken; StorageConflict when there is one of that
 *   derivation already
 */
export async function showFile(
  ports: HostingPorts,
  row: MediaRow,
  { field, purpose = uploaded }: { field: FileField; purpose?: Purpose },
): Promise<ShownMedia> {
  const { store, storage } = ports;
  const stored = await store.head(row.id);
  if (stored === null) throw new Error(`The media store has no object ${row.id}, although it accepted it.`);
  const { size_bytes } = stored;
  const examined = await examineStored(store, row.id, size_bytes);
  if ("problem" in examined) throw notTaken(field, examined.problem);
  const now = await storage.now();
  const { status, derivation = null } = purpose;
  const change = { ...shownFields(row, { facts: examined.facts, size_bytes, now }), status, derivation };
  await writeWithRoom(ports, { accountId: row.account_id, by: size_bytes - row.size_bytes, field }, [
    {
      kind: "update",
      collection: "media",
      id: row.id,
      change: toChange(change),
      where: { status: "hidden", size_bytes: row.size_bytes },
    },
    ...purpose.uses(row.id),
  ]);
  return { ...row, ...change };
}

function shownFields(
  { private: { may_arrive_until } }: MediaRow,
  { facts, size_bytes, now }: { facts: MediaFacts; size_bytes: number; now: number },
): Pick<ShownMedia, "due_at" | "expires_at" | "size_bytes" | "private"> {
  const due_at = now + temporaryMs;
  const expires_at = isoTime(due_at);
  const state = { handle: null, is_direct: false, may_arrive_until, facts };
  return { due_at, expires_at, size_bytes, private: state };
}

/** What a caller is told. */
function explained(field: FileField, error: unknown): unknown {
  if (error instanceof MediaStoreFailure && error.reason === "wrong_length") {
    return notTaken(field, "has a different length than announced; send it again", error);
  }
  // Another has been kept of the same: whoever asked for that takes it.
  if (isConflictIn("media", error) && error.reason === "unique") return error;
  if (isConflictIn("media", error) || (error instanceof MediaStoreFailure && error.reason === "removed")) {
    return new SocialError("conflict", "The upload was not finished within a day and was cancelled.", { cause: error });
  }
  return asRefusal(field, error);
}
