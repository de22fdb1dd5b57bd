import type { Chroma } from "../../networks/contract/limits.ts";
import { contentsAt } from "./boxes.ts";
import { viewOf } from "./reader.ts";

/** What a decoder must support to decode a video. Null: the file does not state it. */
export interface PictureFormat {
  /** The codec's own name in lower case: `high`, `main-10`, `0`. */
  profile: string | null;
  chroma: Chroma | null;
  /** Bits of each brightness value. */
  bitDepth: number | null;
}

/** The box of a sample entry with a codec's configuration. */
const boxes: Readonly<Record<string, string>> = { h264: "avcC", hevc: "hvcC", av1: "av1C", vp9: "vpcC" };

const readers: Readonly<Record<string, (record: Uint8Array) => PictureFormat | null>> = {
  h264: readAvc,
  hevc: readHevc,
  av1: readAv1,
  // Unlike the others, this box has version and flags.
  vp9: (record) => readVp9(record.subarray(4)),
};

/** Bytes before the boxes of a visual sample entry (ISO/IEC 14496-12, section 12.1.3). */
const entryBytes = 78;

/** The format in a visual sample entry. */
export function formatInEntry(entry: Uint8Array, codec: string): PictureFormat | null {
  const type = boxes[codec];
  const [record] = type === undefined ? [] : contentsAt(entry.subarray(entryBytes), type);
  return record === undefined ? null : (readers[codec]?.(record) ?? null);
}

/**
 * The format in Matroska's `CodecPrivate`, which has the same records as MP4 (RFC 9559; matroska.org, "Codec
 * Mappings"), except for VP9.
 */
export function formatInPrivate(record: Uint8Array | undefined, codec: string | null): PictureFormat | null {
  return record === undefined || codec === null || codec === "vp9" ? null : (readers[codec]?.(record) ?? null);
}

const chromas = ["4:0:0", "4:2:0", "4:2:2", "4:4:4"] as const satisfies Chroma[];

/** ISO/IEC 14496-10, annex A: `profile_idc`. The profiles before `high` have only one format. */
const avcProfiles: Readonly<Record<number, string>> = {
  44: "cavlc-4:4:4",
  66: "baseline",
  77: "main",
  88: "extended",
  100: "high",
  110: "high-10",
  122: "high-4:2:2",
  244: "high-4:4:4",
};

const avcWithFormat = [44, 100, 110, 122, 244];

/**
 * ISO/IEC 14496-15, section 5.3.3.1. Chroma and depth are read from the first sequence parameter set, since some
 * encoders omit the record's own fields.
 */
function readAvc(record: Uint8Array): PictureFormat | null {
  const [version, profileIdc = 0] = record;
  const profile = avcProfiles[profileIdc] ?? null;
  if (version !== 1 || profile === null) return null;
  if (!avcWithFormat.includes(profileIdc)) return { profile, chroma: "4:2:0", bitDepth: 8 };
  // Six bytes, the number of sets, and the length of the first one, which begins with a byte of its type.
  const set = record.subarray(8);
  const isSet = record.length > 12 && ((set[0] ?? 0) & 31) === 7 && set[1] === profileIdc;
  return { profile, ...(isSet ? avcFormat(set.subarray(4)) : { chroma: null, bitDepth: null }) };
}

/** The part after profile, constraints and level: ISO/IEC 14496-10, section 7.3.2.1.1. */
function avcFormat(bytes: Uint8Array): Pick<PictureFormat, "chroma" | "bitDepth"> {
  const bits = exponentialGolomb(bytes);
  bits.next(); // The set's id.
  const chromaFormat = bits.next();
  if (chromaFormat === 3) bits.skip(1);
  const depth = bits.next();
  return { chroma: chromas[chromaFormat ?? -1] ?? null, bitDepth: depth === null || depth > 6 ? null : depth + 8 };
}

/**
 * Reads numbers in Exp-Golomb code: after the first one bit, as many bits as zeros before it (section 9.1). Null: too
 * large, or truncated.
 */
function exponentialGolomb(bytes: Uint8Array): { next(): number | null; skip(bits: number): void } {
  let at = 0;
  const bit = (): number => ((bytes[at >> 3] ?? 0) >> (7 - (at++ & 7))) & 1;
  return {
    next() {
      let zeros = 0;
      while (bit() === 0) if (++zeros > 8) return null;
      let value = 1;
      for (let left = zeros; left > 0; left--) value = value * 2 + bit();
      return at > bytes.length * 8 ? null : value - 1;
    },
    skip(bits) {
      at += bits;
    },
  };
}

/** ISO/IEC 23008-2, annex A: `general_profile_idc`. */
const hevcProfiles: Readonly<Record<number, string>> = {
  1: "main",
  2: "main-10",
  3: "main-still-picture",
  4: "range-extensions",
};

/** ISO/IEC 14496-15, section 8.3.3.1. */
function readHevc(record: Uint8Array): PictureFormat | null {
  if (record[0] !== 1 || record.length < 18) return null;
  const [profile = 0, chromaFormat = 0, depth = 0] = [record[1], record[16], record[17]];
  return {
    profile: hevcProfiles[profile & 31] ?? null,
    chroma: chromas[chromaFormat & 3] ?? null,
    bitDepth: 8 + (depth & 7),
  };
}

const av1Profiles = ["main", "high", "professional"] as const;

/** AV1 in ISOBMFF, section 2.3.3: `high_bitdepth`, `twelve_bit`, `monochrome` and the chroma subsampling. */
function readAv1(record: Uint8Array): PictureFormat | null {
  if (record[0] !== 0x81 || record.length < 3) return null;
  const flags = viewOf(record).getUint8(2);
  const halved = (flags >> 2) & 3;
  return {
    profile: av1Profiles[(record[1] ?? 0) >> 5] ?? null,
    chroma: flags & 16 ? "4:0:0" : halved === 3 ? "4:2:0" : halved === 2 ? "4:2:2" : "4:4:4",
    bitDepth: flags & 64 ? (flags & 32 ? 12 : 10) : 8,
  };
}

/** VP Codec ISO Media File Format Binding, section "VP Codec Configuration Box". */
function readVp9(record: Uint8Array): PictureFormat | null {
  if (record.length < 3) return null;
  const format = viewOf(record).getUint8(2);
  const chroma = (["4:2:0", "4:2:0", "4:2:2", "4:4:4"] as const)[(format >> 1) & 7] ?? null;
  const profile = viewOf(record).getUint8(0);
  return {
    profile: profile < 4 ? String(profile) : null,
    chroma,
    bitDepth: [8, 10, 12].find((depth) => depth === format >> 4) ?? null,
  };
}
