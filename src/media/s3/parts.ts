import { joined } from "../../async/bounded-read.ts";

export interface Part {
  bytes: Uint8Array<ArrayBuffer>;
  isLast: boolean;
}

/**
 * Pieces put together to parts of this length, the last one shorter: one part
 * at least, and no more of the body read ahead than one piece.
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
      // Copied: what a sender does with its buffer afterwards is its own affair.
      const taken = rest.slice(0, partBytes - length);
      gathered.push(taken);
      length += taken.length;
      rest = rest.subarray(taken.length);
    }
  }
  yield { bytes: joined(gathered, length), isLast: true };
}
