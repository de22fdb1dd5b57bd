import { type MediaReader, textAt, viewOf } from "./reader.ts";

/** A box of an ISO media file (ISO/IEC 14496-12, section 4.2). */
export interface Box {
  type: string;
  /** Offset of the content, from the beginning of the bytes that were read. */
  start: number;
  /** Offset of the next box; Infinity: the box extends to the end of the file. */
  end: number;
}

/** Maximum number of child boxes; no container that is read here has more. */
const maxChildren = 1_024;

/** The header at `offset` of a file, from its first 16 bytes; null: not a box. */
export function readBox(header: Uint8Array, offset: number): Box | null {
  if (header.length < 8) return null;
  const view = viewOf(header);
  const type = textAt(header, 4, 4);
  const size = view.getUint32(0);
  if (size === 0) return { type, start: offset + 8, end: Number.POSITIVE_INFINITY };
  if (size >= 8) return { type, start: offset + 8, end: offset + size };
  if (size !== 1 || header.length < 16) return null;
  const largeSize = Number(view.getBigUint64(8));
  return largeSize >= 16 ? { type, start: offset + 16, end: offset + largeSize } : null;
}

/** The boxes in `bytes` one after another, with their content; stops at the first corrupt one. */
export function boxesIn(bytes: Uint8Array): { type: string; content: Uint8Array }[] {
  const boxes: { type: string; content: Uint8Array }[] = [];
  let offset = 0;
  while (boxes.length < maxChildren) {
    const box = readBox(bytes.subarray(offset, offset + 16), offset);
    if (box === null) break;
    boxes.push({ type: box.type, content: bytes.subarray(box.start, box.end) });
    offset = box.end;
  }
  return boxes;
}

/** The contents of all boxes at a path such as `trak`, `mdia`, `hdlr`. */
export function contentsAt(bytes: Uint8Array, ...path: string[]): Uint8Array[] {
  const [type, ...rest] = path;
  const contents = boxesIn(bytes)
    .filter((box) => box.type === type)
    .map((box) => box.content);
  return rest.length === 0 ? contents : contents.flatMap((content) => contentsAt(content, ...rest));
}

/** A range of a file. */
export interface Stretch {
  start: number;
  end: number;
}

/** How many more headers may be read. */
export interface Steps {
  left: number;
}

/**
 * The boxes in a range of a file one after another. Reads only their headers.
 *
 * @returns true if the whole range was read; false: a header is corrupt or out of reach
 */
export async function* boxesWithin(
  reader: MediaReader,
  { start, end }: Stretch,
  steps: Steps,
): AsyncGenerator<Box, boolean> {
  let offset = start;
  // Fewer bytes than a header after the last box are padding.
  while (offset + 8 <= end) {
    if (steps.left === 0) return false;
    steps.left -= 1;
    const box = readBox(await reader.read(offset, 16), offset);
    if (box === null || !Number.isSafeInteger(box.start)) return false;
    yield { ...box, end: Math.min(box.end, end) };
    offset = box.end;
  }
  return offset >= end || end - offset < 8;
}
