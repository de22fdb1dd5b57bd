import { contentsAt, readBox } from "./boxes.ts";
import { formatInEntry, type PictureFormat } from "./codec-configuration.ts";
import { sampleEntryCodec } from "./codecs.ts";
import { entryTransfer } from "./color.ts";
import { textAt, viewOf } from "./reader.ts";

export interface SampleEntry {
  codec: string;
  channels: number | null;
  sampleRate: number | null;
  colorTransfer: "hlg" | "pq" | null;
  /** Null: audio, or not stated. */
  picture: PictureFormat | null;
}

/** The first entry of an `stsd` box, which describes its samples (ISO/IEC 14496-12, section 8.5.2). Null: corrupt. */
export function readSampleEntry(content: Uint8Array, isSound: boolean): SampleEntry | null {
  // `stsd` begins with version, flags and a count.
  const box = readBox(content.subarray(8, 24), 8);
  if (box === null) return null;
  const entry = content.subarray(box.start, box.end);
  const decoder = ["mp4a", "mp4v"].includes(box.type) ? findDecoder(entry) : null;
  const codec = sampleEntryCodec(box.type, decoder?.objectType ?? null);
  if (!isSound) {
    const picture = formatInEntry(entry, codec);
    return { codec, channels: null, sampleRate: null, picture, colorTransfer: entryTransfer(entry) };
  }
  const { channels, sampleRate } = soundOf(entry);
  // An MP4 states two channels there regardless of the actual number.
  return {
    codec,
    channels: decoder === null ? channels : decoder.channels,
    sampleRate: decoder?.sampleRate ?? sampleRate,
    colorTransfer: null,
    picture: null,
  };
}

function soundOf(entry: Uint8Array): { channels: number | null; sampleRate: number | null } {
  if (entry.length < 28) return { channels: null, sampleRate: null };
  const view = viewOf(entry);
  // QuickTime's version 2 has both at later offsets, the rate as a double.
  const isVersion2 = view.getUint16(8) === 2 && entry.length >= 44;
  const channels = isVersion2 ? view.getUint32(40) : view.getUint16(16);
  const sampleRate = isVersion2 ? view.getFloat64(32) : view.getUint16(24);
  return { channels: inRange(channels, 255), sampleRate: inRange(Math.round(sampleRate), 1_000_000) };
}

function inRange(value: number, max: number): number | null {
  return value > 0 && value <= max ? value : null;
}

interface Decoder {
  objectType: number;
  channels: number | null;
  sampleRate: number | null;
}

/** The decoder's description in the `esds` box (ISO/IEC 14496-1, section 7.2.6), anywhere in the entry. */
function findDecoder(entry: Uint8Array): Decoder | null {
  const esds = [...fixedLengths].flatMap((length) => [
    ...contentsAt(entry.subarray(length), "esds"),
    ...contentsAt(entry.subarray(length), "wave", "esds"),
  ])[0];
  if (esds === undefined) return null;
  const stream = readDescriptor(esds.subarray(4));
  if (stream?.tag !== 3) return null;
  const config = readDescriptor(stream.content.subarray(3 + optionalBytes(stream.content)));
  if (config?.tag !== 4 || config.content[0] === undefined) return null;
  const specific = readDescriptor(config.content.subarray(13));
  const isAac = config.content[0] === 0x40;
  const sound = isAac && specific?.tag === 5 ? aacSound(specific.content) : { channels: null, sampleRate: null };
  return { objectType: config.content[0], ...sound };
}

/** Bytes before the boxes of an entry: for audio, of versions 0, 1 and 2; for video. */
const fixedLengths = [28, 44, 64, 78] as const;

/** Length of an elementary stream's optional fields: a dependency on another stream, a URL, and a clock. */
function optionalBytes(stream: Uint8Array): number {
  const flags = stream[2] ?? 0;
  const address = (flags & 0x40) === 0 ? 0 : 1 + (stream[3 + (flags & 0x80 ? 2 : 0)] ?? 0);
  return (flags & 0x80 ? 2 : 0) + address + (flags & 0x20 ? 2 : 0);
}

/** A descriptor: a tag, then a length of one to four bytes with seven bits each. */
function readDescriptor(bytes: Uint8Array): { tag: number; content: Uint8Array } | null {
  const tag = bytes[0];
  if (tag === undefined) return null;
  let length = 0;
  for (let offset = 1; offset <= 4; offset++) {
    const byte = bytes[offset] ?? 0;
    length = length * 128 + (byte & 0x7f);
    if (byte < 0x80) return { tag, content: bytes.subarray(offset + 1, offset + 1 + length) };
  }
  return null;
}

/** ISO/IEC 14496-3, section 1.6.3.4. */
const aacSampleRates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
] as const;

/** Five bits for the type, four for the rate, four for the channels; for other forms, the entry's own fields are used. */
function aacSound(config: Uint8Array): { channels: number | null; sampleRate: number | null } {
  if (config.length < 2) return { channels: null, sampleRate: null };
  const bits = viewOf(config).getUint16(0);
  const sampleRate = aacSampleRates[(bits >> 7) & 15];
  if (bits >> 11 === 31 || sampleRate === undefined) return { channels: null, sampleRate: null };
  const channels = (bits >> 3) & 15;
  return { channels: channels === 7 ? 8 : channels > 0 && channels < 7 ? channels : null, sampleRate };
}

/** The kind of a track by its handler type; null: captions, data and the rest. */
export function kindOfTrack(handler: Uint8Array): "video" | "sound" | null {
  const type = textAt(handler, 8, 4);
  if (type === "vide") return "video";
  return type === "soun" ? "sound" : null;
}
