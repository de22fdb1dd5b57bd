import * as z from "zod";

/** Ids are 64-bit numbers, too large for ours, so they stay text. https://docs.discord.com/developers/reference (2026-08) */
export const snowflake = z.string().regex(/^\d{5,20}$/, "A Discord id: digits only.");

/** 2015-01-01, from where the upper 42 bits count milliseconds. */
const epochMs = 1_420_070_400_000n;

/** When something was made, by its id, milliseconds since 1970. */
export function timeOf(id: string): number {
  return Number((BigInt(id) >> 22n) + epochMs);
}

/** The smallest id that something made at `ms` (milliseconds since 1970) can have. */
export function snowflakeAt(ms: number): bigint {
  const sinceEpoch = BigInt(Math.floor(ms)) - epochMs;
  return sinceEpoch < 0n ? 0n : sinceEpoch << 22n;
}
