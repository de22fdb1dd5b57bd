import { type Budget, type BudgetWindow, postsBudget } from "../contract/budgets.ts";
import type { NetworkId } from "../contract/network-id.ts";
import type { NetworkSpec } from "../contract/spec.ts";
import type { AppAtNetwork } from "./app-limits.ts";

/** Those who share a budget. */
export interface BudgetHolder {
  network: NetworkId;
  /** The app or the profile; null: there is only one, or it is unknown. */
  id: string | null;
}

/** The window of a budget at one moment. */
export interface WindowAt {
  /** Its beginning, milliseconds. */
  from: number;
  /** Its end, which belongs to the next one, milliseconds. */
  until: number;
  /** Unique among the windows of the budget: `2026-11-24` for a day. */
  name: string;
}

/** The app's daily quota of posts. Null: the service counts none. */
export function postsQuota({ budgets = [] }: Pick<NetworkSpec, "budgets">): { posts: number; day_in: string } | null {
  const found = budgets.find(({ name, per }) => name === postsBudget && per === "app");
  return found?.day_in === undefined ? null : { posts: found.limit, day_in: found.day_in };
}

/** The counter for an app's posts on the day of `now`, for `Storage.increment`. */
export function postsCounter(
  { network, app }: AppAtNetwork,
  { day_in }: { day_in: string },
  now: number,
): { key: string; expiresAt: number } {
  const window = windowAt({ day_in }, now);
  return { key: budgetKey(postsBudget, { network, id: app }, window), expiresAt: expiryOf(window) };
}

/**
 * The key of a budget's counter in storage.
 *
 * @param of what is counted in addition to the whole
 */
export function budgetKey(
  name: Budget["name"],
  { network, id }: BudgetHolder,
  window: WindowAt,
  of: readonly string[] = [],
): string {
  // Posts were counted before other budgets, so that their key has no name.
  return JSON.stringify(["quota", network, id, window.name, ...(name === postsBudget ? [] : [name]), ...of]);
}

/** When the counters of a window may be deleted: after the next window, which reads them. */
export function expiryOf({ from, until }: WindowAt): number {
  return until + 2 * (until - from);
}

export function windowAt(window: BudgetWindow, now: number): WindowAt {
  if (window.seconds === undefined) return dayAt(window.day_in, now);
  const lengthMs = window.seconds * 1_000;
  const number = Math.floor(now / lengthMs);
  return { from: number * lengthMs, until: (number + 1) * lengthMs, name: String(number) };
}

/** The window before this one. */
export function windowBefore(window: BudgetWindow, { from }: WindowAt): WindowAt {
  return windowAt(window, from - 1);
}

const minuteMs = 60_000;
/** Longer than any day, minutes. */
const longestDay = 49 * 60;

/** The newest day of each time zone. Finding a day takes longer than the rest of a plan. */
const days = new Map<string, WindowAt>();

function dayAt(timeZone: string, now: number): WindowAt {
  const known = days.get(timeZone);
  if (known !== undefined && known.from <= now && now < known.until) return known;
  const name = dateIn(timeZone, now);
  const minute = Math.floor(now / minuteMs);
  const isToday = (each: number): boolean => dateIn(timeZone, each * minuteMs) === name;
  // Clocks change at whole minutes.
  const day = {
    from: minuteMs * (1 + lastWhere((each) => !isToday(each), minute - longestDay, minute)),
    until: minuteMs * (1 + lastWhere(isToday, minute, minute + longestDay)),
    name,
  };
  days.set(timeZone, day);
  return day;
}

/** The last number for which it holds, if it holds for all up to that one. @param low it holds @param high it does not */
function lastWhere(holds: (number: number) => boolean, low: number, high: number): number {
  let [yes, no] = [low, high];
  while (no - yes > 1) {
    const middle = Math.floor((yes + no) / 2);
    if (holds(middle)) yes = middle;
    else no = middle;
  }
  return yes;
}

/** By time zone. */
const dateFormats = new Map<string, Intl.DateTimeFormat>();

/** `2026-11-24` */
function dateIn(timeZone: string, now: number): string {
  const options = { timeZone, year: "numeric", month: "2-digit", day: "2-digit" } as const;
  const format = dateFormats.get(timeZone) ?? new Intl.DateTimeFormat("en-CA", options);
  dateFormats.set(timeZone, format);
  return format.format(now);
}
