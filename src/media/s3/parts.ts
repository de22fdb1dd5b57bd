import { joined } from "../../async/bounded-read.ts";

export interface Part {
  bytes: Uint8Array<ArrayBuffer>;
  isLast: boolean;
}

/**
 * Joins pieces to parts of this length; the last one may be shorter. Yields at least one part, and reads ahead at
 * most one piece.
 */
export async function* partsOf(pieces: AsyncIterable<Uint8Array>, partBytes: number): AsyncGenerator<Part> {
  let gathered: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    let rest = piece;
    while (rest.length > 0) {
      if (length === partBytes) {
        yield { bytes: joined(gathered, length), isLast: false };
        [gathered, length] = [[], 0];
      }
      // Copied, because the sender may reuse its buffer.
      const taken = rest.slice(0, partBytes - length);
      gathered.push(taken);
      length += taken.length;
      rest = rest.subarray(taken.length);
    }
  }
  yield { bytes: joined(gathered, length), isLast: true };
}
