import { deflateSync } from "node:zlib";
import { fixture } from "../fixtures.ts";
import { join, jpegSegment, little, pngChunk, text } from "../samples.ts";

/** The places of EXIF data in images: each puts them into a file of 64 × 48 pixels. */
export const containers: [name: string, around: (exif: Uint8Array) => Uint8Array][] = [
  ["a JPEG's first segment", (exif) => jpegWith(exif, 2)],
  ["a JPEG's segment after others", (exif) => jpegWith(exif, jpegEnd("\xff\xc0"))],
  ["a JPEG's segment after the size", (exif) => jpegWith(exif, jpegEnd("\xff\xda"))],
  ["a PNG's chunk", (exif) => pngWith(pngChunk("eXIf", exif), 33)],
  ["a PNG's chunk after the pixels", (exif) => pngWith(pngChunk("eXIf", exif), -12)],
  ["a PNG's text", (exif) => pngWith(pngChunk("tEXt", join(keyword, profileOf(exif))), 33)],
  [
    "a PNG's compressed text",
    (exif) => pngWith(pngChunk("zTXt", join(keyword, text("\0"), deflateSync(profileOf(exif)))), 33),
  ],
  [
    "a PNG's international text after the pixels",
    (exif) => pngWith(pngChunk("iTXt", join(keyword, text("\x01\0\0\0"), deflateSync(profileOf(exif)))), -12),
  ],
  ["a WebP's chunk", webpWith],
];

function jpegEnd(marker: string): number {
  return Buffer.from(fixture("still.jpg")).indexOf(marker, "latin1");
}

function jpegWith(exif: Uint8Array, at: number): Uint8Array {
  const bytes = fixture("still.jpg");
  return join(bytes.subarray(0, at), jpegSegment(0xe1, join(text("Exif\0\0"), exif)), bytes.subarray(at));
}

const keyword = text("Raw profile type exif\0");

function profileOf(exif: Uint8Array): Uint8Array {
  const digits = Buffer.from(exif).toString("hex").replaceAll(/.{72}/g, "$&\n");
  return text(`\nexif\n${String(exif.length).padStart(8)}\n${digits}\n`);
}

function pngWith(chunk: Uint8Array, at: number): Uint8Array {
  const bytes = fixture("still.png");
  return join(bytes.subarray(0, at), chunk, bytes.subarray(at));
}

function webpWith(exif: Uint8Array): Uint8Array {
  const chunk = (name: string, content: Uint8Array): Uint8Array =>
    join(text(name), little(content.length, 4), content, new Uint8Array(content.length % 2));
  const extended = chunk("VP8X", join(Uint8Array.of(0x08, 0, 0, 0), little(63, 3), little(47, 3)));
  const whole = join(text("WEBP"), extended, fixture("lossy.webp").subarray(12), chunk("EXIF", exif));
  return join(text("RIFF"), little(whole.length, 4), whole);
}
