import type { AppQuota } from "../contract/spec.ts";
import type { AppAtNetwork } from "./app-limits.ts";

/** The key of the counter for an app's posts on the day of `now`. */
export function quotaCounter({ network, app }: AppAtNetwork, { day_in }: AppQuota, now: number): string {
  return JSON.stringify(["quota", network, app, dayOf(now, day_in)]);
}

/** Longer than any day, milliseconds. */
export const quotaCounterMs = 48 * 3_600_000;

/** By time zone. Cached because creating one takes longer than the rest of a plan. */
const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** `2026-11-24` */
function dayOf(now: number, timeZone: string): string {
  const options = { timeZone, year: "numeric", month: "2-digit", day: "2-digit" } as const;
  const format = dayFormats.get(timeZone) ?? new Intl.DateTimeFormat("en-CA", options);
  dayFormats.set(timeZone, format);
  return format.format(now);
}
