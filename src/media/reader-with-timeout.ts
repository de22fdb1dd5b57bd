import { type Clock, waitAtMost } from "../ports/clock.ts";
import type { MediaReader } from "./probe/reader.ts";

/** The same file, but it seems to end when all reads together have used the time limit. */
export function readerWithTimeout(
  reader: MediaReader,
  { clock, timeoutMs }: { clock: Clock; timeoutMs: number },
): MediaReader {
  let leftMs = timeoutMs;
  return {
    sizeBytes: reader.sizeBytes,
    async read(offset, length) {
      if (leftMs <= 0) return new Uint8Array();
      let bytes: Uint8Array | null = null;
      const startedAt = clock.monotonic();
      const reading = reader.read(offset, length).then((read) => {
        bytes = read;
      });
      await waitAtMost(clock, leftMs, reading);
      // A read that continues occupies the file's only position, so that no further read starts.
      leftMs = bytes === null ? 0 : leftMs - (clock.monotonic() - startedAt);
      return bytes ?? new Uint8Array();
    },
  };
}
