import { fileTypeFromBuffer } from "file-type";
import { imageSize } from "image-size";
import { describe, expect, it } from "vitest";
import { type MediaReader, probeMedia } from "../../src/media/probe/probe.ts";
import { bytesReader } from "../../src/media/probe/reader.ts";
import {
  box,
  ftyp,
  gif,
  heif,
  join,
  jpeg,
  largeBox,
  moov,
  movie,
  png,
  samples,
  text,
  uint,
  webm,
  webp,
} from "./samples.ts";

const probe = (bytes: Uint8Array): ReturnType<typeof probeMedia> => probeMedia(bytesReader(bytes));

describe("probeMedia", () => {
  it.each(samples)("recognizes a %s", async (_name, bytes, mime_type, width, height) => {
    expect(await probe(bytes)).toMatchObject({ mime_type, width, height });
  });

  it.each(samples)("agrees with file-type about a %s", async (_name, bytes, mime) => {
    expect((await fileTypeFromBuffer(bytes))?.mime).toBe(mime);
  });

  it.each(samples.filter(([, , mime]) => mime.startsWith("image/") && !/hei|avif/.test(mime)))(
    "agrees with image-size about a %s",
    async (_name, bytes) => {
      const { width, height } = imageSize(bytes);
      expect(await probe(bytes)).toMatchObject({ width, height });
    },
  );

  it("returns gif for an animated GIF, and image with frames for an animated PNG", async () => {
    expect(await probe(gif(3, 4))).toMatchObject({ type: "gif", duration_seconds: null });
    expect(await probe(png(3, 4, 12))).toMatchObject({ type: "image", mime_type: "image/png", frames: 12 });
    expect(await probe(png(3, 4))).toMatchObject({ is_animated: false, frames: 1 });
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])("rotates a JPEG by its EXIF orientation %d", async (orientation) => {
    const size = orientation >= 5 ? { width: 480, height: 640 } : { width: 640, height: 480 };
    expect(await probe(jpeg(640, 480, { orientation }))).toMatchObject(size);
    expect(await probe(jpeg(640, 480, { orientation, byteOrder: "II" }))).toMatchObject(size);
    expect(imageSize(jpeg(640, 480, { orientation })).orientation).toBe(orientation);
  });

  it("does not read on for the size of a JPEG after 256 KB of metadata", async () => {
    expect(await probe(jpeg(640, 480, { before: 300_000 }))).toMatchObject({ mime_type: "image/jpeg", width: null });
  });

  it("returns a HEIC's whole image, not its tiles, rotated", async () => {
    expect(
      await probe(
        heif("heic", [
          [512, 512],
          [4032, 3024],
        ]),
      ),
    ).toMatchObject({ width: 4032, height: 3024 });
    expect(await probe(heif("heic", [[4032, 3024]], 1))).toMatchObject({ width: 3024, height: 4032 });
    expect(await probe(heif("heic", [[4032, 3024]], 2))).toMatchObject({ width: 4032, height: 3024 });
  });

  it.each([
    ["index first", movie("isom", "first", { width: 4, height: 3, seconds: 12.5 })],
    ["index last", movie("isom", "last", { width: 4, height: 3, seconds: 12.5 })],
    ["long times", movie("isom", "last", { width: 4, height: 3, seconds: 12.5, isLong: true })],
    ["turned", movie("isom", "first", { width: 3, height: 4, seconds: 12.5, isTurned: true })],
    ["turned, long", movie("isom", "first", { width: 3, height: 4, seconds: 12.5, isTurned: true, isLong: true })],
    ["fragmented", movie("iso5", "first", { width: 4, height: 3, seconds: 12.5, isFragmented: true })],
    [
      "index after a box of 64-bit size",
      join(ftyp("isom"), largeBox("mdat", new Uint8Array(9)), moov({ width: 4, height: 3, seconds: 12.5 })),
    ],
    [
      "index that runs to the end",
      join(ftyp("isom"), uint(0, 4), moov({ width: 4, height: 3, seconds: 12.5 }).subarray(4)),
    ],
    ["no ftyp", join(box("wide"), box("mdat", new Uint8Array(9)), moov({ width: 4, height: 3, seconds: 12.5 }))],
  ])("reads size and length of a video: %s", async (_how, bytes) => {
    expect(await probe(bytes)).toMatchObject({ type: "video", width: 4, height: 3, duration_seconds: 12.5 });
  });

  it("recognizes a video whose index is truncated, and reads as much of size and length as possible", async () => {
    const whole = movie("isom", "last", { width: 4, height: 3 });
    const nothing = { mime_type: "video/mp4", width: null, height: null, duration_seconds: null };
    expect(await probe(whole.subarray(0, 200))).toMatchObject(nothing);
    const all = { mime_type: "video/mp4", width: 4, height: 3, duration_seconds: 1 };
    expect(await probe(whole.subarray(0, whole.length - 10))).toMatchObject(all);
  });

  it("skips megabytes of index tables, and reads only small pieces", async () => {
    const table = box("free", new Uint8Array(40 * 1024 * 1024));
    const plain = movie("isom", "first", { width: 4, height: 3, seconds: 12.5 });
    const index = moov({ width: 4, height: 3, seconds: 12.5 });
    const bytes = join(ftyp("isom"), box("moov", join(table, index.subarray(8))));
    let maxBytes = 0;
    const reader = bytesReader(bytes);
    const facts = await probeMedia({
      ...reader,
      read(offset, length) {
        maxBytes = Math.max(maxBytes, length);
        return reader.read(offset, length);
      },
    });
    expect(facts).toEqual({ ...(await probe(plain)), bitrate: Math.round((bytes.length * 8) / 12.5) });
    expect(maxBytes).toBeLessThanOrEqual(512);
  });

  it("does not read a large index completely", async () => {
    const reads: number[] = [];
    const start = join(ftyp("isom"), uint(17 * 1024 * 1024, 4), text("moov"));
    const reader: MediaReader = {
      sizeBytes: null,
      async read(offset, length) {
        reads.push(length);
        return start.subarray(offset, offset + length);
      },
    };
    expect(await probeMedia(reader)).toMatchObject({ mime_type: "video/mp4", width: null });
    expect(Math.max(...reads)).toBeLessThanOrEqual(256 * 1024);
  });

  it.each([
    ["webm with a length", webm({ seconds: 3.5 }), "video/webm", 3.5],
    ["live webm", webm({ isLive: true }), "video/webm", null],
    ["matroska", webm({ docType: "matroska", seconds: 3.5 }), "video/matroska", 3.5],
  ])("reads a %s", async (_what, bytes, mime_type, duration_seconds) => {
    expect(await probe(bytes)).toMatchObject({ type: "video", mime_type, width: 640, height: 360, duration_seconds });
  });

  it.each([
    ["nothing", new Uint8Array()],
    ["SVG", text('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ["XML", text('<?xml version="1.0"?><svg/>')],
    ["HTML", text("<!doctype html><html></html>")],
    ["text", text("The free lunch is over, widely moov and mdat")],
    ["text that starts like a box", text("xxxxwide xxxxxxxxxxxxxxx")],
    ["zip", text("PK\x03\x04 and so on, for long enough")],
    ["PDF", text("%PDF-1.7 and so on, for long enough")],
    ["BMP", text("BM and so on, for long enough")],
    ["TIFF", text("II*\0 and so on, for long enough")],
    ["gzip", text("\x1f\x8b\x08\0 and so on, for long enough")],
    ["MP3", text("ID3\x04 and so on, for long enough")],
    ["WAV", text("RIFF\x24\0\0\0WAVEfmt and so on")],
    ["WebP without an image", text("RIFF\x24\0\0\0WEBPJUNK and so on")],
    ["PNG without a header", text("\x89PNG\r\n\x1a\n\0\0\0\x04CgBI and so on")],
    ["sound in MP4", movie("M4A ", "first", { width: 1, height: 1, handler: "soun" })],
    ["sound in an MP4 for videos", movie("isom", "first", { width: 0, height: 0, handler: "soun" })],
    ["sound in WebM", webm({ trackType: 2 })],
    ["another EBML document", webm({ docType: "other" })],
    ["another brand", ftyp("jp2 ", "jp2 ")],
    ["raw camera image", join(ftyp("crx ", "crx ", "isom"), moov({ width: 4, height: 3 }))],
  ])("does not recognize %s", async (_what, bytes) => {
    expect(await probe(bytes)).toBeNull();
  });

  it.each([
    ["gif", gif(3, 4).subarray(0, 7)],
    ["png", png(3, 4).subarray(0, 20)],
    ["jpeg", jpeg(3, 4).subarray(0, 12)],
    ["webp", webp("VP8X", 3, 4).subarray(0, 18)],
    ["avif", heif("avif", [[3, 4]]).subarray(0, 60)],
  ])("returns no size for a truncated %s", async (_what, bytes) => {
    expect(await probe(bytes)).toMatchObject({ width: null, height: null });
  });
});

describe("a search through endless bytes", () => {
  it.each([
    ["fill bytes of a JPEG", join(Uint8Array.of(0xff, 0xd8), new Uint8Array(300_000).fill(0xff))],
    ["empty segments of a JPEG", join(Uint8Array.of(0xff, 0xd8), text("\xff\xe2\0\x02".repeat(60_000)))],
    ["empty boxes of a video", join(ftyp("isom"), text("\0\0\0\x08free".repeat(60_000)))],
    ["empty boxes of an index", join(ftyp("isom"), box("moov", text("\0\0\0\x08trak".repeat(1_000_000))))],
    ["empty elements of a WebM", join(webm().subarray(0, 30), text("\xec\x80".repeat(120_000)))],
    ["nested containers of a WebM", join(webm().subarray(0, 30), text("\x18\x53\x80\x67\x80".repeat(50_000)))],
    ["empty chunks of a PNG", join(png(1, 1).subarray(0, 33), text("\0\0\0\0tEXt\0\0\0\0".repeat(20_000)))],
  ])("ends soon on %s", async (_what, bytes) => {
    let reads = 0;
    const reader = bytesReader(bytes);
    await probeMedia({
      ...reader,
      read(offset, length) {
        reads += 1;
        return reader.read(offset, length);
      },
    });
    expect(reads).toBeLessThan(2_100);
  });
});
