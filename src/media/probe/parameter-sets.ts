import { type Bits, bitsOf } from "./bits.ts";
import { viewOf } from "./reader.ts";

/** Of the units in one configuration; a real one has a handful. */
const maxUnits = 64;

/**
 * The code of the transfer function in the first sequence parameter set of an
 * `hvcC` box (ISO/IEC 14496-15, section 8.3.2); null where it names none.
 */
export function hevcTransfer(configuration: Uint8Array): number | null {
  const sequenceParameters = 33;
  let offset = 23;
  for (let left = configuration[22] ?? 0; left > 0 && offset + 3 <= configuration.length; left--) {
    const type = (configuration[offset] ?? 0) & 0x3f;
    const units = unitsAt(configuration, offset + 3, viewOf(configuration).getUint16(offset + 1));
    const [unit] = units.found;
    if (type === sequenceParameters && unit !== undefined) return transferIn(unit.subarray(2), passHevcSequence);
    offset = units.end;
  }
  return null;
}

/** The same of an `avcC` box (ISO/IEC 14496-15, section 5.3.3). */
export function avcTransfer(configuration: Uint8Array): number | null {
  const [unit] = unitsAt(configuration, 6, (configuration[5] ?? 0) & 31).found;
  return unit === undefined ? null : transferIn(unit.subarray(1), passAvcSequence);
}

/** Units, each behind its length. */
function unitsAt(bytes: Uint8Array, start: number, count: number): { found: Uint8Array[]; end: number } {
  const found: Uint8Array[] = [];
  let end = start;
  for (let left = Math.min(count, maxUnits); left > 0 && end + 2 <= bytes.length; left--) {
    const from = end + 2;
    end = from + viewOf(bytes).getUint16(end);
    found.push(bytes.subarray(from, end));
  }
  return { found, end };
}

/** @param pass reads up to what says how the video is to be shown, and whether there is such */
function transferIn(unit: Uint8Array, pass: (bits: Bits) => boolean): number | null {
  const bits = bitsOf(withoutEscapes(unit));
  if (!pass(bits)) return null;
  const transfer = shownTransfer(bits);
  return bits.isWhole() ? transfer : null;
}

/** A 3 behind two zero bytes stands only there so that nothing looks like the start of a unit. */
function withoutEscapes(unit: Uint8Array): Uint8Array {
  return unit.filter((byte, at) => !(byte === 3 && at >= 2 && unit[at - 1] === 0 && unit[at - 2] === 0));
}

/** The start of the VUI parameters, which both codecs have alike: ITU-T H.264, section E.1.1; H.265, section E.2.1. */
function shownTransfer(bits: Bits): number | null {
  const ownAspect = 255;
  if (bits.flag() && bits.read(8) === ownAspect) bits.skip(32);
  if (bits.flag()) bits.skip(1);
  if (!bits.flag()) return null;
  bits.skip(4);
  if (!bits.flag()) return null;
  bits.skip(8);
  return bits.read(8);
}

/** ITU-T H.265, section 7.3.2.2.1, up to the VUI parameters. */
function passHevcSequence(bits: Bits): boolean {
  bits.skip(4);
  const subLayers = bits.read(3);
  bits.skip(1);
  passHevcProfile(bits, subLayers);
  bits.golomb();
  if (bits.golomb() === 3) bits.skip(1);
  passGolombs(bits, 2);
  if (bits.flag()) passGolombs(bits, 4);
  passGolombs(bits, 2);
  const orderBits = bits.golomb() + 4;
  passGolombs(bits, 3 * (bits.flag() ? subLayers + 1 : 1));
  passGolombs(bits, 6);
  if (bits.flag() && bits.flag()) passHevcScaling(bits);
  bits.skip(2);
  if (bits.flag()) {
    bits.skip(8);
    passGolombs(bits, 2);
    bits.skip(1);
  }
  passReferences(bits, bits.golomb());
  if (bits.flag()) bits.skip(Math.min(bits.golomb(), 32) * (orderBits + 1));
  bits.skip(2);
  return bits.flag();
}

/** Section 7.3.3. */
function passHevcProfile(bits: Bits, subLayers: number): void {
  const [profileBits, levelBits] = [88, 8];
  bits.skip(profileBits + levelBits);
  if (subLayers === 0) return;
  const present = Array.from({ length: 8 }, () => ({ profile: bits.flag(), level: bits.flag() })).slice(0, subLayers);
  for (const { profile, level } of present) bits.skip((profile ? profileBits : 0) + (level ? levelBits : 0));
}

/** Section 7.3.4. */
function passHevcScaling(bits: Bits): void {
  for (let size = 0; size < 4; size++) {
    for (let matrix = 0; matrix < 6; matrix += size === 3 ? 3 : 1) {
      const isOwn = bits.flag();
      passGolombs(bits, isOwn ? Math.min(64, 16 << (2 * size)) + (size > 1 ? 1 : 0) : 1);
    }
  }
}

/** Section 7.3.7: each set of reference pictures may be told by what differs from the one before. */
function passReferences(bits: Bits, sets: number): void {
  let before = 0;
  for (let set = 0; set < Math.min(sets, 64); set++) {
    if (set > 0 && bits.flag()) {
      bits.skip(1);
      bits.golomb();
      let kept = 0;
      for (let picture = 0; picture <= before; picture++) if (bits.flag() || bits.flag()) kept++;
      before = kept;
    } else {
      before = Math.min(bits.golomb(), 16) + Math.min(bits.golomb(), 16);
      for (let picture = 0; picture < before; picture++) {
        bits.golomb();
        bits.skip(1);
      }
    }
  }
}

/** Profiles that say more: ITU-T H.264, section 7.3.2.1.1. */
const highProfiles: readonly number[] = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135];

/** Section 7.3.2.1.1, up to the VUI parameters. */
function passAvcSequence(bits: Bits): boolean {
  const profile = bits.read(8);
  bits.skip(16);
  bits.golomb();
  if (highProfiles.includes(profile)) passAvcDepths(bits);
  bits.golomb();
  const order = bits.golomb();
  if (order === 0) bits.golomb();
  if (order === 1) {
    bits.skip(1);
    passGolombs(bits, 2);
    passGolombs(bits, Math.min(bits.golomb(), 255));
  }
  bits.golomb();
  bits.skip(1);
  passGolombs(bits, 2);
  if (!bits.flag()) bits.skip(1);
  bits.skip(1);
  if (bits.flag()) passGolombs(bits, 4);
  return bits.flag();
}

function passAvcDepths(bits: Bits): void {
  const chroma = bits.golomb();
  if (chroma === 3) bits.skip(1);
  passGolombs(bits, 2);
  bits.skip(1);
  if (!bits.flag()) return;
  for (let list = 0; list < (chroma === 3 ? 12 : 8); list++) if (bits.flag()) passAvcScaling(bits, list < 6 ? 16 : 64);
}

/** Section 7.3.2.1.1.1: a list ends early where the next number would be zero. */
function passAvcScaling(bits: Bits, length: number): void {
  let last = 8;
  for (let place = 0; place < length && last !== 0; place++) last = (last + bits.signedGolomb() + 256) % 256;
}

function passGolombs(bits: Bits, count: number): void {
  for (let left = count; left > 0; left--) bits.golomb();
}
