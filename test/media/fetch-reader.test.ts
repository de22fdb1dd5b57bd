import { describe, expect, it } from "vitest";
import { remoteReader } from "../../src/media/fetch-reader.ts";

const megabyte = 1024 * 1024;
const bytes = Uint8Array.from({ length: 20 * megabyte }, (_, index) => (index >> 8) ^ index);

/** A file in pieces of this size, and the offsets at which it was opened. */
function remote(pieceBytes: number) {
  const openedAt: number[] = [];
  function streamFrom(offset: number): ReadableStream<Uint8Array> {
    openedAt.push(offset);
    let position = offset;
    return new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          controller.enqueue(bytes.subarray(position, position + pieceBytes));
          position += pieceBytes;
          if (position >= bytes.length) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
  }
  const openAt = async (offset: number) => streamFrom(offset);
  return { openedAt, reader: remoteReader({ body: streamFrom(0), sizeBytes: bytes.length, openAt }) };
}

describe("a file on a server", () => {
  it.each([1_000, 64 * 1024, bytes.length])("is read correctly at any offset, in pieces of %i", async (pieceBytes) => {
    const { reader } = remote(pieceBytes);
    const places = [0, 16, 8, 100_000, 250_000, 200_000, 700_000, 700_016, 1_200_000, 1_500_000, 5_000_000, 5_000_020];
    for (const place of places) {
      expect(await reader.read(place, 5_000)).toEqual(bytes.slice(place, place + 5_000));
    }
    await reader.close();
  });

  it("keeps only its last bytes in memory: earlier ones are requested again", async () => {
    const { openedAt, reader } = remote(64 * 1024);
    for (let place = 0; place < 4 * megabyte; place += 300_000) await reader.read(place, 16);
    expect(openedAt).toEqual([0]);
    expect(await reader.read(0, 16)).toEqual(bytes.slice(0, 16));
    expect(openedAt).toEqual([0, 0]);
  });

  it("returns at most a window's worth of bytes per read", async () => {
    const { reader } = remote(64 * 1024);
    expect((await reader.read(0, 16 * megabyte)).length).toBeLessThan(megabyte);
  });
});
