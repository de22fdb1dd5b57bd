import type { MediaReader } from "./probe/reader.ts";

/** Gaps up to this size are read and skipped instead of sending another request, bytes. */
const maxSkipBytes = 512 * 1024;

/** The largest index that the probe reads, plus data before it: no more is transferred along one stream, bytes. */
const maxRunBytes = 17 * 1024 * 1024;

/** Maximum number of new requests; a file with its index at the end needs one. */
const maxJumps = 3;

/**
 * The latest bytes of each stream are kept. The size is limited so that many concurrent probes do not fill the
 * memory. One read gets half of it at most.
 */
const windowBytes = 768 * 1024;

export interface RemoteReader extends MediaReader {
  /** The file's actual length, once its end was read; null before. */
  endBytes(): number | null;
  /** Closes the connections; unread bytes are not transferred. */
  close(): Promise<void>;
}

export interface RemoteFile {
  body: ReadableStream<Uint8Array> | null;
  sizeBytes: number | null;
  /** Opens the file again from `offset` on; null: the server cannot. */
  openAt(offset: number): Promise<ReadableStream<Uint8Array> | null>;
}

/** A stream of bytes from `start` on. */
interface Run {
  start: number;
  /** The file offset of the first kept byte. */
  base: number;
  bytes: Uint8Array;
  filled: number;
  /** Bytes that have arrived but were not requested yet. */
  rest: Uint8Array;
  source: ReadableStreamDefaultReader<Uint8Array> | null;
}

/**
 * Reads a file on a server at any offset: along an open stream if the offset is near, otherwise by a new one. It
 * keeps a window of the latest bytes; earlier ones are requested again.
 */
export function remoteReader({ body, sizeBytes, openAt }: RemoteFile): RemoteReader {
  const runs: Run[] = [runFrom(0, body)];
  let canJump = true;
  let isClosed = false;
  let end: number | null = null;

  return {
    sizeBytes,
    endBytes: () => end,
    async read(offset, length) {
      if (offset >= (end ?? sizeBytes ?? Number.POSITIVE_INFINITY)) return new Uint8Array();
      const run = runs.findLast((each) => isNear(each, offset)) ?? (await jump(offset));
      if (run === null) return new Uint8Array();
      const wanted = Math.min(offset + Math.min(length, windowBytes / 2), run.start + maxRunBytes);
      const isAtEnd = await fill(run, offset, wanted);
      if (isAtEnd) end = endOf(run);
      return run.bytes.slice(Math.min(offset, endOf(run)) - run.base, Math.min(wanted, endOf(run)) - run.base);
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(runs.map((run) => run.source?.cancel()));
    },
  };

  async function jump(offset: number): Promise<Run | null> {
    if (!canJump || runs.length > maxJumps) return null;
    const stream = await openAt(offset);
    if (stream === null) {
      canJump = false;
      return null;
    }
    // Closed meanwhile: the new stream is not needed.
    if (isClosed) {
      await stream.cancel();
      return null;
    }
    const run = runFrom(offset, stream);
    runs.push(run);
    return run;
  }
}

function runFrom(start: number, stream: ReadableStream<Uint8Array> | null): Run {
  const source = stream?.getReader() ?? null;
  return { start, base: start, bytes: new Uint8Array(16 * 1024), filled: 0, rest: new Uint8Array(), source };
}

function endOf({ base, filled }: Run): number {
  return base + filled;
}

function isNear(run: Run, offset: number): boolean {
  return offset >= run.base && offset <= endOf(run) + maxSkipBytes && offset - run.start < maxRunBytes;
}

/** Reads on until the run contains the range; true: the file ended before or in it. */
async function fill(run: Run, from: number, wanted: number): Promise<boolean> {
  const isTooMuch = wanted - run.base > windowBytes;
  if (isTooMuch) forget(run, from);
  while (endOf(run) < wanted) {
    if (run.rest.length === 0) {
      const next = await run.source?.read();
      if (next === undefined || next.done) return true;
      run.rest = next.value;
    }
    if (isTooMuch && endOf(run) < from) skip(run, from - endOf(run));
    else append(run, run.rest.subarray(0, wanted - endOf(run)));
  }
  return false;
}

/** Drops the bytes before `from`. */
function forget(run: Run, from: number): void {
  const dropped = Math.min(run.filled, Math.max(0, from - run.base));
  run.bytes.copyWithin(0, dropped, run.filled);
  run.base += dropped;
  run.filled -= dropped;
}

/** Drops unneeded bytes. No bytes before them are kept at this point. */
function skip(run: Run, maxBytes: number): void {
  const skipped = Math.min(run.rest.length, maxBytes);
  run.base += skipped;
  run.rest = run.rest.subarray(skipped);
}

function append(run: Run, piece: Uint8Array): void {
  const needed = run.filled + piece.length;
  if (needed > run.bytes.length) {
    const larger = new Uint8Array(Math.max(needed, Math.min(windowBytes, run.bytes.length * 2)));
    larger.set(run.bytes.subarray(0, run.filled));
    run.bytes = larger;
  }
  run.bytes.set(piece, run.filled);
  run.filled = needed;
  run.rest = run.rest.subarray(piece.length);
}
