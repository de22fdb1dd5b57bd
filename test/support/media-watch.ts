import { examineMedia } from "../../src/media/probe/examine.ts";
import type { MediaFacts } from "../../src/media/probe/facts.ts";
import type { MediaReader } from "../../src/media/probe/reader.ts";

/** What `examineMedia` promises to read at most. */
const maxBytes = 384 * 1024;
const maxReads = 8_200;

export interface Watched {
  facts: MediaFacts | null;
  /** Why the file is not taken. */
  problem: string | null;
  bytesRead: number;
  /** What must not be, whatever the bytes are. */
  faults: string[];
}

/** Examines a file in memory and watches what that takes. */
export async function watchExamination(
  bytes: Uint8Array,
  sizeBytes: number | null = bytes.length,
  after: (offset: number, length: number) => Uint8Array = () => new Uint8Array(),
): Promise<Watched> {
  const faults: string[] = [];
  let bytesRead = 0;
  let reads = 0;
  const reader: MediaReader = {
    sizeBytes,
    async read(offset, length) {
      if (!Number.isSafeInteger(offset) || offset < 0 || !(length >= 0)) faults.push(`reads ${length} at ${offset}`);
      const read = offset < bytes.length ? bytes.subarray(offset, offset + length) : after(offset, length);
      reads += 1;
      bytesRead += read.length;
      return read;
    },
  };
  const watched = (facts: MediaFacts | null, problem: string | null): Watched => {
    if (bytesRead > maxBytes) faults.push(`${bytesRead} bytes read`);
    if (reads > maxReads) faults.push(`${reads} reads`);
    return { facts, problem, bytesRead, faults: [...faults, ...faultsIn(facts)] };
  };
  try {
    const examined = await examineMedia(reader);
    return "facts" in examined ? watched(examined.facts, null) : watched(null, examined.problem);
  } catch (error) {
    faults.push(`throws ${error instanceof Error ? error.stack : error}`);
    return watched(null, null);
  }
}

function faultsIn(facts: MediaFacts | null): string[] {
  return Object.entries(facts ?? {}).flatMap(([name, value]) => {
    if (typeof value === "number" && !(Number.isFinite(value) && value >= 0)) return [`${name} is ${value}`];
    return typeof value === "string" && !/^[a-z0-9_.:/-]+$/.test(value) ? [`${name} is ${JSON.stringify(value)}`] : [];
  });
}
