import type { MediaFacts } from "./facts.ts";
import { image, sizeOf, unknownSize } from "./image.ts";
import { type MediaReader, textAt, viewOf } from "./reader.ts";

/** Before the pixels; a real file has a dozen. */
const maxChunks = 512;

/** Colour types with an alpha channel: PNG specification, third edition, section 11.2.1. */
const alphaColorTypes = [4, 6];

/** PNG: the first chunk has the size; what else is asked for stands before the first `IDAT`. */
export async function probePng(head: MediaReader): Promise<MediaFacts | null> {
  const start = await head.read(8, 18);
  if (textAt(start, 4, 4) !== "IHDR") return null;
  const size = start.length < 16 ? unknownSize : sizeOf(viewOf(start).getUint32(8), viewOf(start).getUint32(12));
  const colorType = start[17];
  const { chunks, isWhole } = await readChunks(head);
  const frames = chunks.get("acTL");
  const has = (name: string): boolean | null => (chunks.has(name) ? true : isWhole ? false : null);
  return image("image/png", size, {
    is_animated: frames === undefined ? has("acTL") : frames > 1,
    frames: frames ?? (has("acTL") === false ? 1 : null),
    has_alpha: colorType !== undefined && alphaColorTypes.includes(colorType) ? true : has("tRNS"),
    has_color_profile: has("iCCP"),
  });
}

/** The names of the chunks before the pixels, each with the first number in it where that counts frames. */
async function readChunks(head: MediaReader): Promise<{ chunks: Map<string, number | undefined>; isWhole: boolean }> {
  const chunks = new Map<string, number | undefined>();
  let offset = 8;
  for (let count = 0; count < maxChunks; count++) {
    const chunk = await head.read(offset, 12);
    const name = textAt(chunk, 4, 4);
    if (chunk.length < 12) return { chunks, isWhole: false };
    if (name === "IDAT" || name === "IEND") return { chunks, isWhole: true };
    chunks.set(name, name === "acTL" ? viewOf(chunk).getUint32(8) : undefined);
    offset += 12 + viewOf(chunk).getUint32(0);
  }
  return { chunks, isWhole: false };
}
