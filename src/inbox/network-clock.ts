import type { InboxState } from "./rows.ts";

/** `Date` is in whole seconds, and an answer takes a while to come, milliseconds. */
const toleranceMs = 5_000;
/** No clock is taken to be further behind, milliseconds. */
const farthestMs = 86_400_000;

/** By how much a server's clock is behind `now`, as the `Date` of its answer says, milliseconds; 0: it is right, or ahead. Null: it does not say. */
export function behindMs(date: string | null, now: number): number | null {
  const behind = now - Date.parse(date ?? "");
  if (Number.isNaN(behind)) return null;
  return behind < toleranceMs ? 0 : Math.min(Math.floor(behind), farthestMs);
}

/** When the account was connected, by the clock that dates what is written to it, milliseconds. */
export function connectedThere({
  connected_at,
  behind_ms = 0,
}: Pick<InboxState, "behind_ms" | "connected_at">): number {
  return connected_at - behind_ms;
}

/** None of its lists has been read yet. */
export function isFirstLook({ sources }: Pick<InboxState, "sources">): boolean {
  return Object.values(sources).every(({ cursor }) => cursor === null);
}
