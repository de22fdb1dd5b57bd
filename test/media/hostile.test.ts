import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../prove/random.ts";
import { mutated } from "../support/media-mutations.ts";
import { watchExamination } from "../support/media-watch.ts";
import { containers } from "./exif/containers.ts";
import { directory, type TiffEntry, tiff } from "./exif/tiff.ts";
import { fixture, fixtureNames } from "./fixtures.ts";
import { located, locatedNames } from "./located.ts";
import {
  box,
  ftyp,
  gif,
  join,
  jpeg,
  movie,
  png,
  pngChunk,
  pngOfChunks,
  samples,
  text,
  uint,
  webm,
  webp,
} from "./samples.ts";

/** EXIF of an image, its thumbnail, camera and location. */
function manyDirectories(): Uint8Array {
  const to = (tag: number, value: number): TiffEntry => ({ tag, type: 4, value });
  const image = directory("MM", [{ tag: 274, type: 3, value: 6 }, to(0x8769, 50), to(0x8825, 68)], 86);
  const others = [to(0xa005, 104), { tag: 2, type: 5, count: 3, value: 104 }, to(0x0201, 8)];
  return tiff("MM", join(image, ...others.map((entry) => directory("MM", [entry])), new Uint8Array(40)));
}

const zip = join(text("PK\x03\x04"), new Uint8Array(30), text("PK\x05\x06"), new Uint8Array(18));
const page = text("<html><script>alert(1)</script></html>");
const zeros = (offset: number, length: number): Uint8Array =>
  offset < Number.MAX_SAFE_INTEGER ? new Uint8Array(length) : zip;

describe("the examination of a complete file", () => {
  it.each([...fixtureNames])("accepts %s", async (name) => {
    expect(await watchExamination(fixture(name))).toMatchObject({ problem: null, faults: [] });
  });

  it.each(samples)("accepts the sample %s", async (_name, bytes) => {
    expect(await watchExamination(bytes)).toMatchObject({ problem: null, faults: [] });
  });

  it.each([
    ["a video after an image, as from phones", join(fixture("still.jpg"), fixture("silent.mp4"))],
    ["a second image after an image", join(fixture("still.jpg"), fixture("still.jpg"))],
    ["zeros after an image", join(fixture("still.jpg"), new Uint8Array(9_000))],
    ["zeros after a GIF", join(fixture("still.gif"), new Uint8Array(90_000))],
    [
      "a camera's own data after a video",
      join(fixture("index-last.mp4"), text("\xf0\x12\x34\x56 8db42d694ccc418790ed")),
    ],
    ["a note after a video", join(fixture("index-last.mp4"), text("\nmade by hand\n"))],
    ["one empty block too many in a GIF", join(fixture("still.gif").subarray(0, -1), text("\0\0;"))],
    ["the missing last byte of a WebP", fixture("lossy.webp").subarray(0, -1)],
    ["a large image", jpeg(640, 480, { before: 200_000 })],
  ])("tolerates %s", async (_what, bytes) => {
    expect(await watchExamination(bytes)).toMatchObject({ problem: null, faults: [] });
  });

  it("accepts an unknown length", async () => {
    expect((await watchExamination(fixture("silent.mp4"), null)).problem).toBeNull();
  });
});

describe("the examination of a truncated file", () => {
  it.each(fixtureNames.flatMap((name) => [0.6, 0.9].map((share) => [share, name] as const)))(
    "reports one cut after %d of %s",
    async (share, name) => {
      const bytes = fixture(name);
      const { problem } = await watchExamination(bytes.subarray(0, Math.floor(bytes.length * share)));
      expect(problem).toContain("is truncated");
    },
  );

  it.each([
    ["jpeg", join(jpeg(640, 480).subarray(0, -2), text("\x12\x34\xff\0".repeat(20_000)))],
    ["png", join(png(7, 5).subarray(0, -12), new Uint8Array(90_000))],
    ["gif", join(gif(7, 5, [text("\xff".repeat(300_000))]).subarray(0, 200_000))],
    ["png of one large chunk", pngOfChunks(1, 200_000).subarray(0, 150_000)],
    ["png of many chunks", pngOfChunks(100, 8_192).subarray(0, 700_000)],
    ["png within its header", png(7, 5).subarray(0, 20)],
    ["jpeg before its size", fixture("still.jpg").subarray(0, 40)],
  ])("reports a %s of which only head and tail are read", async (_kind, bytes) => {
    expect((await watchExamination(bytes)).problem).toContain("is truncated");
  });

  it.each([
    ["one", 1],
    ["many", 100],
  ])("accepts a PNG of %s chunks with a phone's own data after it", async (_, chunks) => {
    const { problem } = await watchExamination(join(pngOfChunks(chunks, 8_192), new Uint8Array(90_000)));
    expect(problem).toBeNull();
  });

  it("reports a video whose recording was not finished", async () => {
    const bytes = join(ftyp("isom", "isom"), box("mdat", new Uint8Array(1_000)));
    expect((await watchExamination(bytes)).problem).toContain("has no index (moov)");
  });

  it("reports a GIF with broken blocks", async () => {
    const bytes = join(fixture("still.gif").subarray(0, -1), text("?;"));
    expect((await watchExamination(bytes)).problem).toContain("is broken");
  });
});

describe("the examination of a file that is two things at the same time", () => {
  const pictures = fixtureNames.filter((name) => !/avif|heic/.test(name));

  it.each(pictures)("reports %s with an archive after it", async (name) => {
    expect((await watchExamination(join(fixture(name), zip))).problem).toContain("with a ZIP archive");
  });

  it.each([
    ["GIF and script", join(text("GIF89a/*"), gif(7, 5).subarray(8), text("*/=1;alert(1)")), "a script"],
    ["JPEG and page", join(fixture("still.jpg"), page), "a web page"],
    [
      "PNG of a large chunk and long page",
      join(pngOfChunks(1, 90_000), text(`<html>${"a".repeat(90_000)}</html>`)),
      "a web page",
    ],
    ["PNG and long page", join(fixture("still.png"), text(`<html>${"a".repeat(90_000)}</html>`)), "a web page"],
    [
      "page in a video's first box",
      join(ftyp("isom", "isom", ...["<html>  <script>  "]), movie("isom", "first", { width: 4, height: 3 })),
      "a web page",
    ],
    ["page after a video", join(fixture("index-first.mp4"), text(`<html>${"a".repeat(900)}`)), "a web page"],
    ["page after a HEIC image", join(fixture("still.heic"), text(`<html>${"a".repeat(90_000)}`)), "a web page"],
    ["page in WebM", join(fixture("vp9.webm"), page), "a web page"],
    [
      "PHP in a GIF's comment",
      join(fixture("still.gif").subarray(0, -1), text("\x21\xfe\x10<?php phpinfo();\0;")),
      "a PHP program",
    ],
    ["document after an image", join(fixture("still.jpg"), text("\n%PDF-1.7\n%%EOF")), "a PDF document"],
  ])("reports %s", async (_what, bytes, hidden) => {
    const { problem } = await watchExamination(bytes);
    expect(problem).toContain(hidden);
    expect(problem).toContain("save the image or video alone");
  });

  it("ignores an archive's signature that occurs in an image by chance", async () => {
    const chance = jpeg(640, 480).slice();
    chance.set(text("PK\x05\x06"), chance.length - 40);
    expect((await watchExamination(chance)).problem).toBeNull();
  });
});

describe("the examination of a small file with a large content", () => {
  it.each([
    ["PNG", png(3, 4, 1).slice(), 16],
    ["WebP", webp("VP8X", 16_384, 16_384), null],
  ] as const)("reports a %s of too many pixels", async (_kind, bytes, place) => {
    const huge = bytes.slice();
    if (place !== null) huge.set(join(uint(50_000, 4), uint(50_000, 4)), place);
    expect((await watchExamination(huge)).problem).toMatch(/has \d+ × \d+ pixels; use one with at most/);
  });

  it("accepts the maximum", async () => {
    expect((await watchExamination(webp("VP8X", 16_383, 16_383))).problem).toBeNull();
  });

  it.each([9_900, 11_000, 100_000])("reports a GIF of %d frames", async (count) => {
    const { problem, faults, bytesRead } = await watchExamination(
      gif(
        7,
        5,
        Array.from({ length: count }, () => text("\x01\0")),
      ),
    );
    expect(problem).toEqual(
      count > 10_000 ? expect.stringMatching(/^has about \d+ frames; use one with at most 10000/) : null,
    );
    expect([faults, bytesRead < 256 * 1024]).toEqual([[], true]);
  });

  it("reports a PNG that announces a million frames", async () => {
    expect((await watchExamination(png(3, 4, 1_000_000))).problem).toContain("has about 1000000 frames");
  });
});

describe("the examination of a file of another kind", () => {
  it.each([
    ["an SVG drawing", text('<?xml version="1.0"?>\n<!-- made by hand -->\n<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ["an SVG drawing", text("\xef\xbb\xbf <svg>")],
    ["a web page (HTML)", text("<!doctype html><html></html>")],
    ["an XML document", text("<rss></rss>")],
    ["a JSON document", text('{"error":"not found"}')],
    ["a text file", text("not found")],
    ["a PDF document", text("%PDF-1.7 and so on")],
    ["a ZIP archive or an office document", zip],
    ["sound (MP3)", text("ID3\x04 and so on")],
    ["sound (M4A)", movie("M4A ", "first", { width: 1, height: 1, handler: "soun" })],
    ["an MP4 file without a video track", movie("isom", "first", { width: 0, height: 0, handler: "soun" })],
    ["a Matroska file without a video track", webm({ trackType: 2 })],
    ["an AVI video", text("RIFF\x24\0\0\0AVI LIST and so on")],
    ["a program", text("MZ\x90\0\x03")],
  ])("reports %s", async (name, bytes) => {
    const { problem } = await watchExamination(bytes);
    expect(problem).toBe(
      `is ${name}, not a supported image or video, whatever its file name; use a JPEG, PNG, GIF, WebP, AVIF, HEIC, MP4, MOV or WebM file`,
    );
  });

  it.each([new Uint8Array(), Uint8Array.of(1, 2, 3)])("reports unknown bytes, %o", async (bytes) => {
    expect((await watchExamination(bytes)).problem).toContain("is not a supported image or video");
  });
});

describe("malicious bytes", () => {
  const seed = Number(process.env.SEED ?? 20_261_121);
  const files = [
    ...fixtureNames.map((name) => [name, fixture(name)] as const),
    ...locatedNames.map((name) => [`located ${name}`, located(name)] as const),
    ...samples.map(([name, bytes]) => [name, bytes] as const),
  ];

  it.each(files)(`never make the examination of a mutated %s loop or throw (seed ${seed})`, async (_name, bytes) => {
    const random = seededRandom(seed);
    for (let round = 0; round < 20; round++) {
      const bad = mutated(bytes, random.of(files)[1], random);
      const size = random.of([bad.length, null]);
      expect((await watchExamination(bad, size)).faults).toEqual([]);
    }
  });

  const inside = fixtureNames.filter((name) => /\.(mp4|mov|mkv)$/.test(name));
  const descriptions = ["avcC", "hvcC", "av1C", "vpcC", "stsd", "mdhd", "stsz", "trun", "tfhd", "c\xa2"];

  it.each(inside)(
    `in the codec data of %s never make the examination loop, throw or invent values (seed ${seed})`,
    async (name) => {
      const random = seededRandom(seed);
      const bytes = fixture(name);
      const places = descriptions
        .map((mark) => Buffer.from(bytes).indexOf(Buffer.from(mark, "latin1")))
        .filter((at) => at > 0);
      expect(places.length).toBeGreaterThan(0);
      for (let round = 0; round < 60; round++) {
        const bad = bytes.slice();
        const place = random.of(places) + random.between(0, 48);
        for (let left = random.between(1, 6); left > 0; left--)
          bad[place + random.between(0, 9)] = random.of([0, 1, 0x7f, 0xff, random.between(0, 255)]);
        const { faults, facts } = await watchExamination(bad, random.of([bad.length, null]));
        expect(faults).toEqual([]);
        expect(["4:0:0", "4:2:0", "4:2:2", "4:4:4", undefined]).toContain(facts?.chroma);
        expect([undefined, ...Array.from({ length: 8 }, (_, index) => index + 8)]).toContain(facts?.bit_depth);
      }
    },
  );

  const tables = box(
    "stbl",
    box("stsd", new Uint8Array(600)),
    box("stts", uint(0, 4), uint(999, 4), new Uint8Array(9_999)),
  );
  const track = box(
    "trak",
    box("mdia", box("hdlr", uint(0, 8), text("vide"), new Uint8Array(13)), box("minf", tables)),
  );

  it.each([
    ["tracks in a video", join(ftyp("isom", "isom"), box("moov", ...Array.from({ length: 400 }, () => track)))],
  ])("with a great many %s are not read completely", async (_what, bytes) => {
    const { faults, bytesRead } = await watchExamination(bytes);
    expect(faults).toEqual([]);
    expect(bytesRead).toBeGreaterThan(64 * 1024);
  });

  it("in a JPEG's notes are skipped, however many there are", async () => {
    const notes = text(`\xff\xe1\x10\0${"n".repeat(4_094)}`);
    const { faults, bytesRead } = await watchExamination(
      join(text("\xff\xd8"), ...Array.from({ length: 64 }, () => notes)),
    );
    expect(faults).toEqual([]);
    expect(bytesRead).toBeLessThan(40 * 1024);
  });

  it.each(containers)(
    `never make the examination of mutated EXIF in %s loop or throw (seed ${seed})`,
    async (_name, around) => {
      const random = seededRandom(seed);
      const exif = manyDirectories();
      for (let round = 0; round < 100; round++) {
        const { faults } = await watchExamination(around(mutated(exif, exif, random)));
        expect(faults).toEqual([]);
      }
    },
  );

  it("in a PNG's text that would expand to sixteen megabytes are not decompressed", async () => {
    const bomb = deflateSync(new Uint8Array(2 ** 24).fill(0x20));
    const chunk = pngChunk("zTXt", join(text("Raw profile type exif\0\0"), bomb));
    const bytes = fixture("still.png");
    const { facts, faults } = await watchExamination(join(bytes.subarray(0, 33), chunk, bytes.subarray(33)));
    expect([facts?.width, faults]).toEqual([64, []]);
  });

  it("with chunk names all over a PNG's end are followed only up to a limit", async () => {
    const names = text("\0\0\0\x04eXIf".repeat(9_000));
    const bytes = join(fixture("still.png").subarray(0, -12), names);
    expect((await watchExamination(bytes)).faults).toEqual([]);
  });

  it.each(files)("in an endless %s are read only for a short time", async (_name, bytes) => {
    for (const size of [null, Number.MAX_SAFE_INTEGER]) {
      expect((await watchExamination(bytes, size, zeros)).faults).toEqual([]);
    }
  });
});
