import { crc32, deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { findLocations } from "../../../src/media/location/find.ts";
import { bytesReader } from "../../../src/media/probe/reader.ts";
import { directory, tiff } from "../exif/tiff.ts";
import { fixture } from "../fixtures.ts";
import { cleaned, located, tracesIn } from "../located.ts";
import { box, ftyp, gif, join, pngOfChunks, text, uint } from "../samples.ts";

const position = `<exif:GPSLatitude>10,30.0N</exif:GPSLatitude>`;
const packet = (content: string, ...attributes: string[]): string =>
  `<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF><rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" ${attributes.join(" ")}>${content}</rdf:Description></rdf:RDF></x:xmpmeta>`;

const segment = (marker: number, ...content: Uint8Array[]): Uint8Array => {
  const whole = join(...content);
  return join(Uint8Array.of(0xff, marker), uint(whole.length + 2, 2), whole);
};

const still = fixture("still.jpg");
const jpegOf = (...segments: Uint8Array[]): Uint8Array => join(still.subarray(0, 2), ...segments, still.subarray(2));
const xmpSegment = (given: string): Uint8Array => segment(0xe1, text(`http://ns.adobe.com/xap/1.0/\0${given}`));

const chunk = (name: string, content: Uint8Array): Uint8Array => {
  const named = join(text(name), content);
  return join(uint(content.length, 4), named, uint(crc32(named), 4));
};

const video = located("silent.mp4");

describe("a JPEG with a location", () => {
  it("loses a position that spans two pieces of extended XMP, in any order", async () => {
    const whole = packet(position);
    const cut = whole.indexOf("30.0N");
    const piece = (from: number, to: number) =>
      segment(
        0xe1,
        text(`http://ns.adobe.com/xmp/extension/\0${"A".repeat(32)}`),
        ...[uint(whole.length, 4), uint(from, 4), text(whole.slice(from, to))],
      );
    const { bytes, left } = await cleaned(jpegOf(piece(cut, whole.length), piece(0, cut)));
    expect([Buffer.from(bytes).includes("30.0N"), Buffer.from(bytes).includes("GPS"), left]).toEqual([
      false,
      false,
      [],
    ]);
    expect(Buffer.from(bytes).includes("x:xmpmeta")).toBe(true);
  });

  it("loses the position of its second image", async () => {
    const list = directory("MM", [{ tag: 0xb002, type: 7, count: 32, value: 26 }]);
    const entry = (offset: number) => join(uint(0, 4), uint(0, 4), uint(offset, 4), uint(0, 4));
    const made = (offset: number) =>
      jpegOf(segment(0xe2, text("MPF\0"), tiff("MM", join(list, entry(0), entry(offset)))));
    // Counted from the list's header.
    const second = made(0).length - (2 + 4 + 4);
    const { bytes, left } = await cleaned(join(made(second), located("still.jpg")));
    expect([tracesIn(bytes), left]).toEqual([[], []]);
  });

  const marked = (length: number) =>
    packet(
      `<rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="Primary" Item:Length="0"/></rdf:li><rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="video/mp4" Item:Semantic="MotionPhoto" Item:Length="${length}"/></rdf:li>`,
    );

  it("loses the position of the video after it, which Google's phones announce in XMP", async () => {
    const { bytes, left } = await cleaned(join(jpegOf(xmpSegment(marked(video.length))), video));
    expect([tracesIn(bytes), left]).toEqual([[], []]);
  });

  it("loses the position of the video after it, which Samsung's phones list in blocks", async () => {
    const little = (value: number, size: number) => uint(value, size).reverse();
    const block = join(little(0, 2), little(0x0a30, 2), little(16, 4), text("MotionPhoto_Data"), video);
    const list = join(
      ...[text("SEFH"), little(107, 4), little(1, 4)],
      ...[little(0, 2), little(0x0a30, 2), little(block.length, 4), little(block.length, 4)],
    );
    const end = join(little(list.length, 4), text("SEFT"));
    const { bytes, left } = await cleaned(join(still, block, list, end));
    expect(tracesIn(bytes)).toEqual([]);
    // The bytes after the video are not boxes.
    expect(left).toEqual([]);
  });

  it("is reported if its video is not where it should be", async () => {
    const { left } = await cleaned(join(jpegOf(xmpSegment(marked(video.length + 7))), video));
    expect(left).toContain("hidden_video");
  });

  it("keeps other properties in the same packet, and other texts in the same resources", async () => {
    const given = jpegOf(xmpSegment(packet(`<dc:title>Kept</dc:title>${position}`, `exif:GPSAltitude='100/1'`)));
    const { bytes } = await cleaned(given);
    const changed = [...given.keys()].filter((index) => given[index] !== bytes[index]);
    expect(changed.length).toBeLessThanOrEqual(position.length + "exif:GPSAltitude='100/1'".length);
    expect(Buffer.from(bytes).toString("latin1")).toMatch(/<dc:title>Kept<\/dc:title> +<\/rdf:Description>/);
  });

  it("is reported if its XMP ends within a position", async () => {
    const { left } = await cleaned(jpegOf(xmpSegment(packet("<exif:GPSLatitude>10,30.0N"))));
    expect(left).toEqual(["out_of_reach"]);
  });
});

it("an image that marks all its data as locations is blanked only up to a limit", async () => {
  const values = Array.from({ length: 500 }, (_, tag) => ({ tag, type: 1, count: 60_000, value: 26 }));
  const head = directory("MM", [{ tag: 0x8825, type: 4, value: 26 }]);
  const exif = join(text("Exif\0\0"), tiff("MM", join(head, directory("MM", values), new Uint8Array(56_000))));
  const { patches, left } = await findLocations(bytesReader(jpegOf(segment(0xe1, exif))));
  expect(patches.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeLessThanOrEqual(256 * 1024);
  expect(left).toEqual(["out_of_reach"]);
});

describe("a PNG with a location", () => {
  const raw = (profile: Uint8Array): Uint8Array =>
    text(`\nxmp\n ${profile.length}\n${Buffer.from(profile).toString("hex").replace(/.{72}/g, "$&\n")}\n`);
  const head = pngOfChunks(0, 0).subarray(0, 33);
  const rest = pngOfChunks(1, 100).subarray(33);
  const xmp = text(packet(position));

  it.each([
    ["compressed XMP", chunk("iTXt", join(text("XML:com.adobe.xmp\0\x01\0\0\0"), deflateSync(xmp)))],
    ["XMP as compressed digits", chunk("zTXt", join(text("Raw profile type xmp\0\0"), deflateSync(raw(xmp))))],
    ["XMP as digits", chunk("tEXt", join(text("Raw profile type xmp\0"), raw(xmp)))],
  ])("loses %s with a position completely", async (_what, written) => {
    const { bytes, left } = await cleaned(join(head, written, rest));
    const texts = Buffer.from(bytes.subarray(head.length, head.length + written.length)).toString("latin1");
    expect(texts.slice(4, -4)).toBe("tEXtComment\0".padEnd(written.length - 8));
    expect(left).toEqual([]);
  });

  it("keeps compressed XMP without a position", async () => {
    const other = deflateSync(text(packet("<dc:title>Kept</dc:title>")));
    const given = join(head, chunk("iTXt", join(text("XML:com.adobe.xmp\0\x01\0\0\0"), other)), rest);
    expect((await cleaned(given)).bytes).toBe(given);
  });

  it("is reported if a compressed text cannot be opened, or is too long", async () => {
    const long = deflateSync(new Uint8Array(2_000_000));
    for (const content of [text("nonsense"), long]) {
      const written = chunk("zTXt", join(text("Raw profile type exif\0\0"), content));
      expect((await cleaned(join(head, written, rest))).left).toEqual(["compressed_text"]);
    }
  });

  it.each(["IDAT", "fdAT"] as const)("loses a position after pixels in many chunks (%s)", async (name) => {
    const pixels = pngOfChunks(200, 8_192, name).subarray(0, -12);
    const written = chunk("iTXt", join(text("XML:com.adobe.xmp\0\0\0\0\0"), xmp));
    const { bytes, left } = await cleaned(join(pixels, written, rest.subarray(-12)));
    expect([tracesIn(bytes), left]).toEqual([[], []]);
    const sum = bytes.subarray(pixels.length + written.length - 4, pixels.length + written.length);
    const checked = bytes.subarray(pixels.length + 4, pixels.length + written.length - 4);
    expect(Buffer.from(sum)).toEqual(Buffer.from(uint(crc32(checked), 4)));
  });
});

it("a GIF loses a position in its XMP", async () => {
  const whole = gif(7, 5);
  const xmp = text(`!\xff\x0bXMP DataXMP${packet(position)}<?xpacket end="w"?>\x01\0`);
  const { bytes, left } = await cleaned(join(whole.subarray(0, 19), xmp, whole.subarray(19)));
  expect([tracesIn(bytes), left]).toEqual([[], []]);
});

describe("a video with a location", () => {
  const track = (type: string, ...content: Uint8Array[]): Uint8Array => {
    const entries = box("stsd", uint(0, 4), uint(1, 4), box(type, new Uint8Array(8), ...content));
    return box("trak", box("mdia", box("minf", box("stbl", entries))));
  };
  const keys = (name: string): Uint8Array => box("keys", box("mdta", text(name)));

  it.each([
    ["GoPro's", track("gpmd")],
    ["Google's", track("camm")],
    ["Sony's", track("rtmd")],
    ["Apple's", track("mebx", keys("com.apple.quicktime.location.ISO6709"))],
    ["a dashcam's", box("gps ", uint(0, 8))],
  ])("is reported for %s track of positions", async (_who, written) => {
    const { left } = await cleaned(join(ftyp("isom", "isom"), box("moov", written)));
    expect(left).toEqual(["timed_track"]);
  });

  it("is not reported for another track of Apple's", async () => {
    const faces = track("mebx", keys("com.apple.quicktime.detected-face"));
    expect((await cleaned(join(ftyp("isom", "isom"), box("moov", faces)))).left).toEqual([]);
  });

  it("in a HEIC image loses its position", async () => {
    const { bytes, left } = await cleaned(join(fixture("still.heic"), box("mpvd", video)));
    expect([tracesIn(bytes), left]).toEqual([[], []]);
  });
});
