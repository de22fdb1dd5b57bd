/** The length in UTF-8; half of a surrogate pair counts as U+FFFD, which encoders send for it. */
export function countBytes(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const codePoint = text.codePointAt(index) ?? 0;
    if (codePoint > 0xffff) index++;
    bytes += bytesOf(codePoint);
  }
  return bytes;
}

/** The number of UTF-8 bytes before each of `offsets`, which ascend from 0 to the text's end. */
export function bytesBefore(text: string, offsets: Uint32Array): Uint32Array {
  const before = new Uint32Array(offsets.length);
  let bytes = 0;
  let index = 0;
  for (let at = 0; at < offsets.length; at++) {
    const end = offsets[at] ?? 0;
    while (index < end) {
      // Every ASCII character has one byte.
      const codePoint = text.charCodeAt(index) < 0x80 ? 0 : (text.codePointAt(index) ?? 0);
      index += codePoint > 0xffff ? 2 : 1;
      bytes += bytesOf(codePoint);
    }
    before[at] = bytes;
  }
  return before;
}

function bytesOf(codePoint: number): number {
  return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
}
