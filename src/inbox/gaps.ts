import type { Gap } from "../networks/contract/inbox.ts";
import { connectedThere } from "./network-clock.ts";
import type { HookState, InboxState } from "./rows.ts";

/** Maximum number of gaps; the newest are kept. */
const maxGaps = 20;

/** The state with one more gap. Time before the connection is no gap, because its messages are not all read. */
export function withGap(state: InboxState, gap: Gap | null | undefined): InboxState {
  const from = Math.max(gap?.from ?? 0, connectedThere(state));
  if (gap == null || from >= gap.until) return state;
  const { until } = gap;
  const gaps = state.gaps ?? [];
  // A list that is read again reports the same gap again.
  if (gaps.some((known) => known.from <= from && known.until >= until)) return state;
  return { ...state, gaps: [...gaps, { from, until }].slice(-maxGaps) };
}

/**
 * The time between the loss of the subscription and its new confirmation, when the network sent nothing; null: no such
 * time.
 */
export function gapOf(before: HookState | undefined, after: HookState): Gap | null {
  const from = before?.lost_since;
  return from === undefined || after.lost_since !== undefined ? null : { from, until: after.subscribed_at ?? from };
}
