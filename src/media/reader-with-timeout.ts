import { type Clock, waitAtMost } from "../ports/clock.ts";
import type { MediaReader } from "./probe/reader.ts";

/** The same file, as if it ended wherever a read takes longer than all reads together may. */
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
      // A read that goes on uses the file's only position: nothing is asked for behind it.
      leftMs = bytes === null ? 0 : leftMs - (clock.monotonic() - startedAt);
      return bytes ?? new Uint8Array();
    },
  };
}
