import { textAt } from "./reader.ts";

/** How other files begin → what they are. */
const starts: readonly (readonly [start: string, name: string])[] = [
  ["%PDF-", "a PDF document"],
  ["PK\x03\x04", "a ZIP archive or an office document"],
  ["PK\x05\x06", "an empty ZIP archive"],
  ["\x1f\x8b", "a gzip archive"],
  ["Rar!\x1a", "a RAR archive"],
  ["7z\xbc\xaf", "a 7z archive"],
  ["BM", "a BMP image"],
  ["II*\0", "a TIFF image or a raw camera image"],
  ["MM\0*", "a TIFF image or a raw camera image"],
  ["\0\0\x01\0", "an icon (ICO)"],
  ["8BPS", "a Photoshop document"],
  ["\xff\x0a", "a JPEG XL image"],
  ["\0\0\0\x0cJXL ", "a JPEG XL image"],
  ["\0\0\0\x0cjP  ", "a JPEG 2000 image"],
  ["%!PS", "a PostScript document"],
  ["ID3", "sound (MP3)"],
  ["\xff\xfb", "sound (MP3)"],
  ["\xff\xf1", "sound (AAC)"],
  ["fLaC", "sound (FLAC)"],
  ["OggS", "an Ogg file"],
  ["FLV\x01", "an FLV video"],
  ["\x30\x26\xb2\x75", "a WMV or WMA file"],
  ["\0\0\x01\xba", "an MPEG video"],
  ["MZ", "a program"],
  ["\x7fELF", "a program"],
  ["\x1a\x45\xdf\xa3", "a Matroska file without a video track"],
];

/** Files in RIFF, by the word at byte 8. */
const riffKinds: Readonly<Record<string, string>> = {
  WAVE: "sound (WAV)",
  "AVI ": "an AVI video",
  WEBP: "a WebP file without an image",
};

/** Texts, by what they begin with or have in them early on. */
const texts: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^<(!doctype svg|svg[\s>])|^<(\?xml|!--|!doctype)[\s\S]*<svg[\s>]/i, "an SVG drawing"],
  [/^<(!doctype html|html|head|body|script)|^<(\?xml|!--)[\s\S]*<html[\s>]/i, "a web page (HTML)"],
  [/^<(\?xml|[a-z])/i, "an XML document"],
  [/^<\?php/i, "a PHP program"],
  [/^#EXTM3U/, "a playlist, not the video itself"],
  [/^[[{]/, "a JSON document"],
];

/** What a file is that is none of those that we take, from its first kilobyte; null when nobody knows. */
export function otherKind(start: Uint8Array): string | null {
  const begins = textAt(start, 0, 1_024);
  const named = starts.find(([magic]) => begins.startsWith(magic))?.[1];
  if (named !== undefined) return named;
  if (begins.startsWith("RIFF")) return riffKinds[begins.slice(8, 12)] ?? null;
  if (begins.slice(4, 8) === "ftyp") {
    return /^(M4[ABP]|F4[AB]) ?/.test(begins.slice(8, 12)) ? "sound (M4A)" : "an MP4 file without a video track";
  }
  return textKind(start, begins);
}

function textKind(start: Uint8Array, begins: string): string | null {
  // Behind the mark that some editors write first.
  const text = begins.replace(/^\xef\xbb\xbf/, "").trimStart();
  const isText =
    text !== "" && start.subarray(0, 1_024).every((byte) => byte >= 0x20 || [0x09, 0x0a, 0x0c, 0x0d].includes(byte));
  if (!isText) return null;
  return texts.find(([pattern]) => pattern.test(text))?.[1] ?? "a text file";
}
