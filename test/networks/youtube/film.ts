import { fixture } from "../../media/fixtures.ts";

/** The smallest chunk that YouTube takes. */
export const chunkBytes = 262_144;

/** A film that goes out in this many chunks of that size: a real one, with nothing behind it. */
export function film(chunks = 2): Uint8Array {
  const played = fixture("index-first.mp4");
  const nothing = new Uint8Array((chunks - 1) * chunkBytes);
  if (chunks === 1) return played;
  // A box of nothing, as long as it says.
  new DataView(nothing.buffer).setUint32(0, nothing.length);
  nothing.set(new TextEncoder().encode("free"), 4);
  return new Uint8Array(Buffer.concat([played, nothing]));
}
