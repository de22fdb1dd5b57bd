import * as z from "zod";

/** Ids are 64-bit numbers, too large for JavaScript's, so they stay strings. https://docs.discord.com/developers/reference (2026-08) */
export const snowflake = z.string().regex(/^\d{5,20}$/, "A Discord id: digits only.");

/** 2015-01-01. The upper 42 bits of an id count milliseconds from here. */
const epochMs = 1_420_070_400_000n;

/** The creation time in an id, milliseconds since 1970. */
export function timeOf(id: string): number {
  return Number((BigInt(id) >> 22n) + epochMs);
}

/** The smallest id of an object created at `ms` (milliseconds since 1970). */
export function snowflakeAt(ms: number): bigint {
  const sinceEpoch = BigInt(Math.floor(ms)) - epochMs;
  return sinceEpoch < 0n ? 0n : sinceEpoch << 22n;
}
