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
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("turns the picture by orientation %d", async (orientation) => {
    const size = orientation >= 5 ? [48, 64] : [64, 48];
    expect(await shown(around(orientationExif(orientation)))).toEqual([...size, orientation, null]);
  });

  it.each([
    ["as a big-endian LONG", orientationExif(6, "MM", 4)],
    ["as a little-endian LONG", orientationExif(6, "II", 4)],
    ["in a directory that comes late", tiff("MM", join(new Uint8Array(9_000), orientationExif(6).subarray(8)), 9_008)],
  ])("turns the picture by an orientation %s", async (_how, exif) => {
    expect(await shown(around(exif))).toEqual([48, 64, 6, null]);
  });

  it.each([
    ["leads to itself", tiff("MM", directory("MM", [{ tag: 0x8769, type: 4, value: 8 }], 8))],
    ["begins behind the end", tiff("II", new Uint8Array(), 2 ** 32 - 1)],
    [
      "has as many values as can be",
      tiff("MM", directory("MM", [{ tag: 274, type: 4, count: 2 ** 32 - 1, value: 8 }])),
    ],
    ["has a value behind the end", tiff("MM", directory("MM", [{ tag: 274, type: 3, count: 9, value: 2 ** 32 - 1 }]))],
    ["ends in its first entry", orientationExif(6).subarray(0, 15)],
  ])("leaves the picture upright where it %s", async (_how, exif) => {
    expect(await shown(around(exif))).toEqual([64, 48, 1, null]);
  });
});

it("takes the first of two EXIF segments", async () => {
  const [[, jpeg]] = containers as [(typeof containers)[number]];
  const second = jpeg(orientationExif(6));
  const segments = jpeg(orientationExif(3)).subarray(2, second.length - fixture("still.jpg").length + 2);
  expect(await shown(join(second.subarray(0, 2), segments, second.subarray(2)))).toEqual([64, 48, 3, null]);
});

it("does not look for EXIF in a WebP that says that it has none, as decoders do not", async () => {
  const bytes = fixture("turned.webp");
  bytes[20] = 0;
  expect(await shown(bytes)).toEqual([64, 48, undefined, null]);
});

describe("AVIF and HEIC", () => {
  const imir = (axis: number): Uint8Array => box("imir", Uint8Array.of(axis));

  // As Chrome reads them; axis 0 exchanges top and bottom.
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
  ])("turned %s times and mirrored are shown as EXIF counts", async (rotation, others, orientation) => {
    const size = orientation >= 5 ? [48, 64] : [64, 48];
    expect(await shown(heif("avif", [[64, 48]], rotation, others))).toEqual([...size, orientation, null]);
  });
});
