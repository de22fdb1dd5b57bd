/** A file that can be read at any offset. */
export interface MediaReader {
  /** Reads up to `length` bytes from `offset`; fewer, or none, at the end of the file or of its reachable part. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** Null: unknown. */
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

/** The same file, but it seems to end when the limit of bytes or of reads is reached. */
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

/** A file in memory, or its available part. */
export function bytesReader(bytes: Uint8Array): MediaReader {
  return { sizeBytes: bytes.length, read: async (offset, length) => bytes.subarray(offset, offset + length) };
}

/** Text with one character for each byte; shorter if the bytes end. */
export function textAt(bytes: Uint8Array, offset: number, length: number): string {
  // Several times as fast as spreading the bytes.
  return Reflect.apply(String.fromCharCode, null, bytes.subarray(offset, offset + length));
}

/** Reads integers and floats at any offset; `RangeError` past the end, so check lengths first. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
