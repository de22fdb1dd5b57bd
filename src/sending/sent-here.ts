import type { Clock } from "../ports/clock.ts";

/**
 * When this process sent which request, by its own monotonic clock. The
 * store's time may have been set back since; then a request looks younger than
 * it is, and would be repeated under a key that the network has forgotten.
 */
export interface SentHere {
  note(intentId: string): void;
  /** Null: another process sent it, or it was too long ago to matter. */
  agoMs(intentId: string): number | null;
}

/** No network keeps a key that is repeated blindly for as long as this, milliseconds. */
const forgottenAfterMs = 600_000;

export function createSentHere({ monotonic }: Pick<Clock, "monotonic">): SentHere {
  const sentAt = new Map<string, number>();

  /** The oldest stand first. */
  function forgetOld(): void {
    for (const [id, at] of sentAt) {
      if (monotonic() - at < forgottenAfterMs) return;
      sentAt.delete(id);
    }
  }

  return {
    note(intentId) {
      forgetOld();
      sentAt.set(intentId, monotonic());
    },
    agoMs(intentId) {
      const at = sentAt.get(intentId);
      return at === undefined ? null : monotonic() - at;
    },
  };
}
