import { describe, expect, it } from "vitest";
import { watchExamination } from "../../support/media-watch.ts";
import { fixture } from "../fixtures.ts";
import { box, heif, join } from "../samples.ts";
import { containers } from "./containers.ts";
import { directory, orientationExif, tiff } from "./tiff.ts";

async function shown(bytes: Uint8Array): Promise<unknown[]> {
  const { facts, problem, faults } = await watchExamination(bytes);
  return [facts?.width, facts?.height, facts?.orientation, problem, ...faults];
}

describe.each(containers)("EXIF in %s", (_name, around) => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("rotates the image by orientation %d", async (orientation) => {
    const size = orientation >= 5 ? [48, 64] : [64, 48];
    expect(await shown(around(orientationExif(orientation)))).toEqual([...size, orientation, null]);
  });

  it.each([
    ["as a big-endian LONG", orientationExif(6, "MM", 4)],
    ["as a little-endian LONG", orientationExif(6, "II", 4)],
    ["in a directory that comes late", tiff("MM", join(new Uint8Array(9_000), orientationExif(6).subarray(8)), 9_008)],
  ])("rotates the image by an orientation %s", async (_how, exif) => {
    expect(await shown(around(exif))).toEqual([48, 64, 6, null]);
  });

  it.each([
    ["points to itself", tiff("MM", directory("MM", [{ tag: 0x8769, type: 4, value: 8 }], 8))],
    ["begins after the end", tiff("II", new Uint8Array(), 2 ** 32 - 1)],
    [
      "has the maximum number of values",
      tiff("MM", directory("MM", [{ tag: 274, type: 4, count: 2 ** 32 - 1, value: 8 }])),
    ],
    ["has a value after the end", tiff("MM", directory("MM", [{ tag: 274, type: 3, count: 9, value: 2 ** 32 - 1 }]))],
    ["ends in its first entry", orientationExif(6).subarray(0, 15)],
  ])("leaves the image upright if it %s", async (_how, exif) => {
    expect(await shown(around(exif))).toEqual([64, 48, 1, null]);
  });
});

it("the first of two EXIF segments counts", async () => {
  const [[, jpeg]] = containers as [(typeof containers)[number]];
  const second = jpeg(orientationExif(6));
  const segments = jpeg(orientationExif(3)).subarray(2, second.length - fixture("still.jpg").length + 2);
  expect(await shown(join(second.subarray(0, 2), segments, second.subarray(2)))).toEqual([64, 48, 3, null]);
});

it("EXIF in a WebP whose header denies it is ignored, as in decoders", async () => {
  const bytes = fixture("turned.webp");
  bytes[20] = 0;
  expect(await shown(bytes)).toEqual([64, 48, undefined, null]);
});

describe("an orientation in AVIF and HEIC", () => {
  const imir = (axis: number): Uint8Array => box("imir", Uint8Array.of(axis));

  // Chrome's interpretation; axis 0 swaps top and bottom.
  it.each([
    [undefined, [], 1],
    [1, [], 8],
    [2, [], 3],
    [3, [], 6],
    [undefined, [imir(1)], 2],
    [undefined, [imir(0)], 4],
    [1, [imir(0)], 5],
    [3, [imir(0)], 7],
    [1, [imir(1)], 7],
    [3, [imir(1)], 5],
    [undefined, [imir(0), imir(0)], 1],
    [undefined, [imir(0), box("irot", Uint8Array.of(1))], 7],
  ])("with %s turns and mirrors matches EXIF's", async (rotation, others, orientation) => {
    const size = orientation >= 5 ? [48, 64] : [64, 48];
    expect(await shown(heif("avif", [[64, 48]], rotation, others))).toEqual([...size, orientation, null]);
  });
});
