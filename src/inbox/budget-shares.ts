import type { Budget } from "../networks/contract/budgets.ts";
import type { WindowAt } from "../networks/runtime/budgets.ts";

/** The part of a budget that lists may use by the end of its window. The rest is for posts and replies. */
const partOfLists = 0.8;
/** Lists may use this part from the window's beginning. */
const partAtOnce = 0.05;
/** The part of the lists' units for what was written before a profile was connected. */
const partOfBackfill = 0.2;
/** An account may use this many times its even share of the lists' units. */
const timesEvenShare = 2;

/** A share of a budget, and what is counted for it. */
export interface Share {
  /** The end of its counter's key. */
  of: readonly string[];
  /** How many units may have been used at a time of the window, milliseconds. */
  mostAt(now: number): number;
  /** From when on this many units may have been used, milliseconds; the window's end: never in this window. */
  allows(units: number): number;
}

/** The use of a budget by lists. */
export interface BudgetUse {
  budget: Budget;
  window: WindowAt;
  /** The account of the service whose inbox is read. */
  accountId: string;
  /** Accounts whose lists use the budget. */
  accounts: number;
  /** True: the list was never read to its end. */
  isBackfill: boolean;
  /** Units that are reserved at once. A share always has room for one reservation. */
  units: number;
}

/** The shares of a budget that reading a list counts against. */
export function sharesOf({ budget, window, accountId, accounts, isBackfill, units }: BudgetUse): Share[] {
  const growing = (part: number, of: readonly string[]): Share => ({ of, ...growingShare(part * budget.limit) });
  return [
    { of: [], mostAt: () => budget.limit, allows: (used) => (used > budget.limit ? window.until : window.from) },
    growing(1, ["lists"]),
    growing(Math.min(1, timesEvenShare / accounts), ["lists", accountId]),
    ...(isBackfill ? [growing(partOfBackfill, ["backfill"])] : []),
  ];

  /** Its units become available as the window elapses. */
  function growingShare(whole: number): Omit<Share, "of"> {
    const least = whole * (partOfLists + partAtOnce) < units ? units : 0;
    return {
      mostAt(now) {
        const elapsed = (now - window.from) / (window.until - window.from);
        return Math.max(least, whole * (partOfLists * elapsed + partAtOnce));
      },
      allows(used) {
        if (used <= least) return window.from;
        const elapsed = Math.max(0, (used / whole - partAtOnce) / partOfLists);
        return Math.min(window.until, Math.ceil(window.from + elapsed * (window.until - window.from)));
      },
    };
  }
}

/** The time between two requests of a list, milliseconds, at which all lists together use what they may use. */
export function evenPaceMs(
  { limit }: Budget,
  { from, until }: WindowAt,
  { units, lists, accounts }: { units: number; lists: number; accounts: number },
): number {
  return (units * lists * accounts * (until - from)) / (partOfLists * limit);
}
