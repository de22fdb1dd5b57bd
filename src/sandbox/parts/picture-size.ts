/**
 * The stored width and height of a JPEG or WebP, pixels; null: the bytes do not contain them. Does not use the
 * library's own code, because it must reveal that code's bugs.
 */
export function pictureSize(bytes: Uint8Array): { width: number; height: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return bytes[0] === 0xff ? jpegSize(view) : webpSize(view);
  } catch (error) {
    // The bytes end too early.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** ITU-T T.81, section B.2.2: height and width are in the frame header. */
function jpegSize(view: DataView): { width: number; height: number } | null {
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
  }
  return null;
}

/** RFC 9649, sections 2.5 to 2.7. */
function webpSize(view: DataView): { width: number; height: number } | null {
  const kind = String.fromCharCode(...[12, 13, 14, 15].map((at) => view.getUint8(at)));
  if (kind === "VP8 ") return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (kind === "VP8L") {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  if (kind !== "VP8X") return null;
  const side = (at: number): number => (view.getUint16(at, true) | (view.getUint8(at + 2) << 16)) + 1;
  return { width: side(24), height: side(27) };
}
