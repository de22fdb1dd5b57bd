import type { Clock } from "../ports/clock.ts";

/**
 * When this process sent each request, by its monotonic clock. If the store's time is set back, a request looks younger
 * than it is, and would be repeated under a key that the network has forgotten.
 */
export interface SentHere {
  note(intentId: string): void;
  /** Null: another process sent it, or it is too long ago to matter. */
  agoMs(intentId: string): number | null;
}

/** No network keeps a key for blind repetition as long as this, milliseconds. */
const forgottenAfterMs = 600_000;

export function createSentHere({ monotonic }: Pick<Clock, "monotonic">): SentHere {
  const sentAt = new Map<string, number>();

  /** Deletes old entries. The oldest come first. */
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
