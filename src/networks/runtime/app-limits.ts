import type { NetworkId } from "../contract/network-id.ts";
import type { Refusal } from "./error-map.ts";

/**
 * Until when a network takes nothing more from the host's app, whichever
 * profile asks. Known to this process alone: another one learns it by its own
 * first refusal.
 */
export interface AppLimits {
  /** Remembers what a refusal says of the app's limit. */
  note(network: NetworkId, refusal: Refusal): void;
  /** The store's time, milliseconds; 0: as far as is known it takes something. */
  until(network: NetworkId): number;
}

export function createAppLimits(): AppLimits {
  const ends = new Map<NetworkId, number>();
  return {
    note(network, refusal) {
      if (refusal.effect !== "later" || refusal.scope !== "app" || refusal.retryAt === null) return;
      ends.set(network, refusal.retryAt);
    },
    until: (network) => ends.get(network) ?? 0,
  };
}
