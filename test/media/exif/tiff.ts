import { join, text, uint } from "../samples.ts";

export type ByteOrder = "II" | "MM";

/** One field of a directory: its four bytes are the value itself, or its offset. */
export interface TiffEntry {
  tag: number;
  type: number;
  count?: number;
  value: number;
}

function writer(byteOrder: ByteOrder): (value: number, size: number) => Uint8Array {
  return (value, size) => (byteOrder === "MM" ? uint(value, size) : uint(value, size).reverse());
}

/** @param next the next directory's offset; 0: none */
export function directory(byteOrder: ByteOrder, entries: readonly TiffEntry[], next = 0): Uint8Array {
  const write = writer(byteOrder);
  const written = entries.map(({ tag, type, count = 1, value }) => {
    // A SHORT is at the beginning of its four bytes.
    const field = type === 3 && count === 1 ? join(write(value, 2), new Uint8Array(2)) : write(value, 4);
    return join(write(tag, 2), write(type, 2), write(count, 4), field);
  });
  return join(write(entries.length, 2), ...written, write(next, 4));
}

/** EXIF data: a header that points to `first`, then the bytes from offset 8 on. */
export function tiff(byteOrder: ByteOrder, content: Uint8Array, first = 8): Uint8Array {
  const write = writer(byteOrder);
  return join(text(byteOrder), write(42, 2), write(first, 4), content);
}

/** EXIF data with only an orientation. */
export function orientationExif(orientation: number, byteOrder: ByteOrder = "MM", type = 3): Uint8Array {
  return tiff(byteOrder, directory(byteOrder, [{ tag: 0x0112, type, value: orientation }]));
}
