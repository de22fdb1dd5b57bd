import { expect, it } from "vitest";
import { patched, withPatches } from "../../../src/media/location/patched.ts";
import { seededRandom } from "../../prove/random.ts";
import { streamOf } from "../../support/hosting.ts";

const seed = Number(process.env.SEED ?? 20_261_130);

it(`whatever range is read in whatever pieces, it has the patches in it (seed ${seed})`, async () => {
  const random = seededRandom(seed);
  const file = Uint8Array.from({ length: 500 }, (_, index) => index % 251);
  for (let round = 0; round < 300; round++) {
    const patches = Array.from({ length: random.between(0, 5) }, () => ({
      offset: random.between(0, 490),
      bytes: new Uint8Array(random.between(0, 10)).fill(0xff),
    }));
    const right = file.slice();
    for (const { offset, bytes } of patches) right.set(bytes, offset);
    const from = random.between(0, 499);
    const to = random.between(from, 500);
    const stream = patched(streamOf(file.slice(from, to), random.between(1, 60)), from, patches);
    const read = new Uint8Array(await new Response(stream).arrayBuffer());
    expect(read).toEqual(right.slice(from, to));
  }
});

it.each([new Uint8Array(10), Buffer.alloc(10)])("bytes that the caller holds stay unchanged, %o", (piece) => {
  expect(withPatches(piece, 0, [{ offset: 3, bytes: Uint8Array.of(1) }])[3]).toBe(1);
  expect(piece.every((byte) => byte === 0)).toBe(true);
});

it("a cancelled patched stream cancels its source", async () => {
  let reason: unknown;
  const source = new ReadableStream<Uint8Array>({
    cancel(given) {
      reason = given;
    },
  });
  await patched(source, 0, [{ offset: 0, bytes: Uint8Array.of(1) }]).cancel("enough");
  expect(reason).toBe("enough");
});
