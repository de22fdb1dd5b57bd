import type { Gap } from "../networks/contract/inbox.ts";
import { connectedThere } from "./network-clock.ts";
import type { HookState, InboxState } from "./rows.ts";

/** The newest that are kept. */
const maxGaps = 20;

/** The inbox with a time in which something may be missing. What is older than the connection is none: not all of it is read. */
export function withGap(state: InboxState, gap: Gap | null | undefined): InboxState {
  const from = Math.max(gap?.from ?? 0, connectedThere(state));
  if (gap == null || from >= gap.until) return state;
  const { until } = gap;
  const gaps = state.gaps ?? [];
  // A list that is read again has the same gap again.
  if (gaps.some((known) => known.from <= from && known.until >= until)) return state;
  return { ...state, gaps: [...gaps, { from, until }].slice(-maxGaps) };
}

/** What no list brings is missing from when the network last sent until it sends again. */
export function gapOf(before: HookState | undefined, after: HookState): Gap | null {
  const from = before?.lost_since;
  return from === undefined || after.lost_since !== undefined ? null : { from, until: after.subscribed_at ?? from };
}
