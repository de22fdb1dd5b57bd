/** Reads bits one after another; zeros follow the last one. */
export interface Bits {
  /** The next `count` bits as a number; at most 32. */
  read(count: number): number;
  skip(count: number): void;
  flag(): boolean;
  /** A number in Exp-Golomb code (ITU-T H.264, section 9.1). */
  golomb(): number;
  /** A signed number in Exp-Golomb code. */
  signedGolomb(): number;
  /** True: nothing was read beyond the end. */
  isWhole(): boolean;
}

export function bitsOf(bytes: Uint8Array): Bits {
  let at = 0;
  function read(count: number): number {
    let value = 0;
    for (const end = at + count; at < end; at++) value = value * 2 + (((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    return value;
  }
  function golomb(): number {
    let zeros = 0;
    while (zeros < 32 && read(1) === 0) zeros++;
    return 2 ** zeros - 1 + read(zeros);
  }
  return {
    read,
    golomb,
    skip(count) {
      at += count;
    },
    flag: () => read(1) === 1,
    signedGolomb() {
      const code = golomb();
      return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
    },
    isWhole: () => at <= bytes.length * 8,
  };
}
