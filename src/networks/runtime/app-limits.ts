import type { ErrorTable } from "../contract/errors.ts";
import type { NetworkId } from "../contract/network-id.ts";
import type { Refusal } from "./error-map.ts";

/** The host's app at a network: its own limits hold for all profiles that came through it. */
export interface AppAtNetwork {
  network: NetworkId;
  /** The network's id for the app; null: there is only one, or none is known. */
  app: string | null;
}

/** Until when a network takes nothing more from an app, whichever profile asks. */
export interface AppLimits {
  /** Keeps what a refusal says of the app's limit. */
  note(app: AppAtNetwork, refusal: Refusal): Promise<void>;
  /** The store's time, milliseconds; 0: as far as is known it takes something. */
  until(app: AppAtNetwork): Promise<number>;
}

/** The end of the app's limit that a refusal tells; null: it tells none. */
export function appLimitIn(refusal: Refusal): number | null {
  return refusal.effect === "later" && refusal.scope === "app" ? refusal.retryAt : null;
}

/** Whether the network has limits of the app at all. */
export function hasAppLimits({ rows }: ErrorTable): boolean {
  return rows.some((row) => "scope" in row && row.scope === "app");
}

/** Known to this process alone. */
export function createAppLimits(): AppLimits {
  const ends = new Map<string, number>();
  const keyOf = ({ network, app }: AppAtNetwork): string => JSON.stringify([network, app]);
  return {
    async note(app, refusal) {
      const until = appLimitIn(refusal);
      if (until !== null) ends.set(keyOf(app), until);
    },
    until: async (app) => ends.get(keyOf(app)) ?? 0,
  };
}
