import type { ErrorTable } from "../contract/errors.ts";
import type { NetworkId } from "../contract/network-id.ts";
import type { Refusal } from "./error-map.ts";

/** The host's app at a network. Its limits apply to all profiles that were connected through it. */
export interface AppAtNetwork {
  network: NetworkId;
  /** The network's id for the app. Null: there is only one, or it is unknown. */
  app: string | null;
}

/** Until when a network accepts no more requests from an app, for any profile. */
export interface AppLimits {
  /** Stores the app's limit that an error states. */
  note(app: AppAtNetwork, refusal: Refusal): Promise<void>;
  /** The store's time, milliseconds. 0: no limit is known. */
  until(app: AppAtNetwork): Promise<number>;
}

/** When the app's limit ends, from an error. Null: the error is not about a limit of the app. */
export function appLimitIn(refusal: Refusal): number | null {
  return refusal.effect === "later" && refusal.scope === "app" ? refusal.retryAt : null;
}

/** True: the network has limits per app. */
export function hasAppLimits({ rows }: ErrorTable): boolean {
  return rows.some((row) => "scope" in row && row.scope === "app");
}

/** Limits in this process's memory only. */
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
