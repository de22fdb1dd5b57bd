import type { InboxState } from "./rows.ts";

/** Difference that counts as none, milliseconds: `Date` has whole seconds, and a response takes time. */
const toleranceMs = 5_000;
/** Maximum difference, milliseconds. */
const farthestMs = 86_400_000;

/**
 * How far a server's clock is behind `now`, by the `Date` of its response, milliseconds; 0: it is right or ahead. Null:
 * the response has no date.
 */
export function behindMs(date: string | null, now: number): number | null {
  const behind = now - Date.parse(date ?? "");
  if (Number.isNaN(behind)) return null;
  return behind < toleranceMs ? 0 : Math.min(Math.floor(behind), farthestMs);
}

/** When the account was connected, by the network's clock, which also dates its messages, milliseconds. */
export function connectedThere({
  connected_at,
  behind_ms = 0,
}: Pick<InboxState, "behind_ms" | "connected_at">): number {
  return connected_at - behind_ms;
}

/** True: none of the inbox's lists has been read yet. */
export function isFirstLook({ sources }: Pick<InboxState, "sources">): boolean {
  return Object.values(sources).every(({ cursor }) => cursor === null);
}
