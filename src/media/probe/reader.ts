/** A file that can be read at any offset. */
export interface MediaReader {
  /** Up to `length` bytes from `offset`; fewer, or none, where the file or what can be reached of it ends. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** Null when nobody knows. */
  sizeBytes: number | null;
}

/** The same file, as if it ended after `limitBytes`. */
export function boundedReader(reader: MediaReader, limitBytes: number): MediaReader {
  return {
    sizeBytes: reader.sizeBytes,
    async read(offset, length) {
      const reachable = Math.min(length, limitBytes - offset);
      return reachable > 0 ? reader.read(offset, reachable) : new Uint8Array();
    },
  };
}

/** The same file, as if it ended wherever the next byte would be one too many, or the next read. */
export function readerWithBudget(reader: MediaReader, limit: { bytes: number; reads: number }): MediaReader {
  let { bytes, reads } = limit;
  return {
    sizeBytes: reader.sizeBytes,
    async read(offset, length) {
      const allowed = Math.min(length, bytes);
      if (allowed <= 0 || reads === 0 || !Number.isSafeInteger(offset)) return new Uint8Array();
      bytes -= allowed;
      reads -= 1;
      return reader.read(offset, allowed);
    },
  };
}

/** A file that is in memory, or as much of it as there is. */
export function bytesReader(bytes: Uint8Array): MediaReader {
  return { sizeBytes: bytes.length, read: async (offset, length) => bytes.subarray(offset, offset + length) };
}

/** Bytes as characters of the same number; what is missing at the end is missing in the text. */
export function textAt(bytes: Uint8Array, offset: number, length: number): string {
  // Several times as fast as spreading the bytes.
  return Reflect.apply(String.fromCharCode, null, bytes.subarray(offset, offset + length));
}

/** For integers and floats at any place; `RangeError` past the end, so lengths are checked first. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
