import { fixture } from "../../media/fixtures.ts";

/** The smallest chunk that YouTube accepts. */
export const chunkBytes = 262_144;

/** A video of this many chunks of that size: a real file, padded with an empty box. */
export function videoBytes(chunks = 2): Uint8Array {
  const played = fixture("index-first.mp4");
  const nothing = new Uint8Array((chunks - 1) * chunkBytes);
  if (chunks === 1) return played;
  // An empty box that fills the rest.
  new DataView(nothing.buffer).setUint32(0, nothing.length);
  nothing.set(new TextEncoder().encode("free"), 4);
  return new Uint8Array(Buffer.concat([played, nothing]));
}
