import type { MediaReader } from "./probe-reader.ts";

/** Rather read over this much than ask the server again. */
const maxSkipBytes = 512 * 1024;

/** The largest index that the probe reads, and what may lie before it. */
const maxRunBytes = 17 * 1024 * 1024;

/** A file with its index at the end needs one. */
const maxJumps = 3;

export interface RemoteReader extends MediaReader {
  /** How long the file turned out to be, once its end was seen. */
  endBytes(): number | null;
  /** Ends the connections; what was not read is not transferred. */
  close(): Promise<void>;
}

export interface RemoteFile {
  body: ReadableStream<Uint8Array> | null;
  sizeBytes: number | null;
  /** Opens the file again from `offset` on; null when the server cannot. */
  openAt(offset: number): Promise<ReadableStream<Uint8Array> | null>;
}

/** Bytes that arrived one after another, from `start` on. */
interface Run {
  start: number;
  bytes: Uint8Array;
  filled: number;
  source: ReadableStreamDefaultReader<Uint8Array> | null;
}

/**
 * Reads here and there in a file on a server: on along a stream as long as
 * that is near, else by a stream of its own. Keeps what it read.
 */
export function remoteReader({ body, sizeBytes, openAt }: RemoteFile): RemoteReader {
  const runs: Run[] = [runFrom(0, body)];
  let canJump = true;
  let end: number | null = null;

  return {
    sizeBytes,
    endBytes: () => end,
    async read(offset, length) {
      if (offset >= (end ?? sizeBytes ?? Number.POSITIVE_INFINITY)) return new Uint8Array();
      const run = runs.findLast((each) => isNear(each, offset)) ?? (await jump(offset));
      if (run === null) return new Uint8Array();
      const from = offset - run.start;
      const isAtEnd = await fill(run, Math.min(from + length, maxRunBytes));
      if (isAtEnd) end = run.start + run.filled;
      return run.bytes.slice(from, Math.min(from + length, run.filled));
    },
    async close() {
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
    const run = runFrom(offset, stream);
    runs.push(run);
    return run;
  }
}

function runFrom(start: number, stream: ReadableStream<Uint8Array> | null): Run {
  return { start, bytes: new Uint8Array(16 * 1024), filled: 0, source: stream?.getReader() ?? null };
}

function isNear(run: Run, offset: number): boolean {
  const end = run.start + run.filled;
  return offset >= run.start && offset <= end + maxSkipBytes && offset - run.start < maxRunBytes;
}

/** Reads on until the run has `wanted` bytes; true when the file ended before or there. */
async function fill(run: Run, wanted: number): Promise<boolean> {
  while (run.filled < wanted) {
    const next = await run.source?.read();
    if (next === undefined || next.done) return true;
    append(run, next.value);
  }
  return false;
}

function append(run: Run, chunk: Uint8Array): void {
  const needed = run.filled + chunk.length;
  if (needed > run.bytes.length) {
    const larger = new Uint8Array(Math.max(needed, run.bytes.length * 2));
    larger.set(run.bytes.subarray(0, run.filled));
    run.bytes = larger;
  }
  run.bytes.set(chunk, run.filled);
  run.filled = needed;
}
