import { describe, expect, it } from "vitest";
import { type Directory, directoriesOf, readNumbers } from "../../../src/media/exif/directory.ts";
import { orientationIn } from "../../../src/media/exif/orientation.ts";
import { bytesReader } from "../../../src/media/probe/reader.ts";
import { join, text, uint } from "../samples.ts";
import { type ByteOrder, directory, orientationExif, type TiffEntry, tiff } from "./tiff.ts";

/** The data within a file, so that no offset is right by chance. */
const before = text("what lies before");

async function directoriesIn(exif: Uint8Array): Promise<Directory[]> {
  const bytes = join(before, exif, text("what lies behind"));
  const found: Directory[] = [];
  for await (const each of directoriesOf(bytesReader(bytes), stretchOf(exif))) found.push(each);
  return found;
}

function stretchOf(exif: Uint8Array): { start: number; end: number } {
  return { start: before.length, end: before.length + exif.length };
}

function orientationOf(exif: Uint8Array): Promise<number> {
  return orientationIn(bytesReader(join(before, exif)), stretchOf(exif));
}

describe.each<ByteOrder>(["II", "MM"])("EXIF data in the byte order %s", (byteOrder) => {
  /** The image's directory at 8, the location's at 38, its latitude at 56. */
  const latitude = join(...[52, 1, 31, 1, 0, 1].map((value) => join(uint(value, 4))));
  const exif = tiff(
    byteOrder,
    join(
      directory(byteOrder, [
        { tag: 0x0112, type: 3, value: 6 },
        { tag: 0x8825, type: 4, value: 38 },
      ]),
      directory(byteOrder, [{ tag: 2, type: 5, count: 3, value: 56 }]),
      latitude,
    ),
  );

  it.each(["", "Exif\0\0"])("have each value's offset in the file, after %j", async (mark) => {
    const shift = before.length + mark.length;
    const [image, gps, ...others] = await directoriesIn(join(text(mark), exif));
    expect(image).toEqual({
      name: "image",
      isLittleEndian: byteOrder === "II",
      place: { start: shift + 8, end: shift + 38 },
      entries: [
        { tag: 0x0112, type: 3, count: 1, value: { start: shift + 18, end: shift + 20 } },
        { tag: 0x8825, type: 4, count: 1, value: { start: shift + 30, end: shift + 34 } },
      ],
    });
    expect(gps).toMatchObject({
      name: "gps",
      place: { start: shift + 38, end: shift + 56 },
      entries: [{ tag: 2, type: 5, count: 3, value: { start: shift + 56, end: shift + 80 } }],
    });
    expect(others).toEqual([]);
  });

  it.each([
    ["SHORT", 3],
    ["LONG", 4],
  ])("have an orientation of type %s", async (_name, type) => {
    expect(await orientationOf(orientationExif(6, byteOrder, type))).toBe(6);
  });

  it("may have an orientation late in a long block", async () => {
    const late = join(new Uint8Array(60_000), directory(byteOrder, [{ tag: 0x0112, type: 3, value: 8 }]));
    expect(await orientationOf(tiff(byteOrder, late, 60_008))).toBe(8);
  });

  it("have the numbers of a longer value", async () => {
    const values = byteOrder === "MM" ? join(uint(7, 2), uint(8, 2), uint(9, 2)) : Uint8Array.of(7, 0, 8, 0, 9, 0);
    const listed = tiff(byteOrder, join(directory(byteOrder, [{ tag: 1, type: 3, count: 3, value: 26 }]), values));
    const [only] = await directoriesIn(listed);
    const reader = bytesReader(join(before, listed));
    const [entry] = only?.entries ?? [];
    if (only === undefined || entry === undefined) throw new Error("No entry was found.");
    expect(await readNumbers(reader, only, entry, 2)).toEqual([7, 8]);
    expect(await readNumbers(reader, only, entry, 9)).toEqual([7, 8, 9]);
  });
});

it("directories of thumbnail, camera and interoperability are found", async () => {
  const pointer = (tag: number, value: number): TiffEntry => ({ tag, type: 4, value });
  const image = directory("MM", [pointer(0x8769, 26)], 44);
  const camera = directory("MM", [pointer(0xa005, 62)]);
  const thumbnail = directory("MM", [pointer(0x0201, 0)]);
  const interoperability = directory("MM", []);
  const found = await directoriesIn(tiff("MM", join(image, camera, thumbnail, interoperability)));
  expect(found.map(({ name }) => name)).toEqual(["image", "exif", "thumbnail", "interoperability"]);
});

it("the first of two orientations counts", async () => {
  const twice = [6, 3].map((value) => ({ tag: 0x0112, type: 3, value }));
  expect(await orientationOf(tiff("MM", directory("MM", twice)))).toBe(6);
});

describe("broken EXIF data", () => {
  const upright: [what: string, exif: Uint8Array][] = [
    ["nothing", new Uint8Array()],
    ["another byte order", text("XX\0*\0\0\0\x08")],
    ["a number other than 42", orientationExif(6).map((byte, at) => (at === 3 ? 43 : byte))],
    ["a first directory after the end", tiff("MM", new Uint8Array(), 2 ** 32 - 1)],
    ["a first directory in the header", tiff("MM", new Uint8Array(30), 2)],
    ["an orientation of 0", orientationExif(0)],
    ["an orientation of 9", orientationExif(9, "II", 4)],
    ["an orientation that is text", orientationExif(6, "MM", 2)],
    ["an orientation of an unknown type", orientationExif(6, "MM", 99)],
    [
      "the maximum number of orientations",
      tiff("MM", directory("MM", [{ tag: 274, type: 4, count: 2 ** 32 - 1, value: 8 }])),
    ],
    ["an orientation after the end", tiff("MM", directory("MM", [{ tag: 274, type: 3, count: 3, value: 999 }]))],
    ["no orientation", tiff("MM", directory("MM", [{ tag: 1, type: 3, value: 6 }]))],
    ["an orientation of only the thumbnail", tiff("MM", join(directory("MM", [], 14), orientationExif(6).subarray(8)))],
  ];

  it.each(upright)("with %s leave the image upright", async (_what, exif) => {
    expect(await orientationOf(exif)).toBe(1);
  });

  it("have no value outside of them", async () => {
    const entries = [
      { tag: 1, type: 4, count: 2, value: 30 },
      { tag: 2, type: 7, count: 2 ** 32 - 1, value: 8 },
      { tag: 3, type: 5, count: 1, value: 2 ** 32 - 1 },
    ];
    const [image] = await directoriesIn(tiff("II", directory("II", entries)));
    expect(image?.entries.map(({ value }) => value)).toEqual([
      { start: before.length + 30, end: before.length + 38 },
      null,
      null,
    ]);
  });

  it("are read once if they form a circle", async () => {
    const circle = tiff(
      "MM",
      directory(
        "MM",
        [
          { tag: 0x8769, type: 4, value: 8 },
          { tag: 0x8825, type: 4, value: 38 },
        ],
        8,
      ),
    );
    const found = await directoriesIn(join(circle, directory("MM", [{ tag: 0x8825, type: 4, value: 8 }], 38)));
    expect(found.map(({ name }) => name)).toEqual(["image", "gps"]);
  });

  it("with a great many directories are read only in part", async () => {
    const entries = Array.from({ length: 500 }, (_, index) => ({ tag: 0x8769, type: 4, value: 6_014 + 6 * index }));
    const found = await directoriesIn(join(tiff("MM", directory("MM", entries)), new Uint8Array(4_000)));
    expect(found).toHaveLength(16);
  });
});
