import { hash } from "node:crypto";
import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import { type AppAtNetwork, type AppLimits, appLimitIn } from "../networks/runtime/app-limits.ts";
import type { OpenCredentials } from "../profiles/credentials.ts";
import { isConflictIn, type Storage } from "../storage/storage.ts";

/** Rate limits of apps, one row for each network and app, shared by all processes. */
export function createStoredAppLimits(storage: Storage): AppLimits {
  return {
    async note(app, refusal) {
      const until = appLimitIn(refusal);
      if (until === null) return;
      const row = { id: idOf(app), network: app.network, until };
      try {
        await storage.write([
          { kind: "delete", collection: "app_limits", id: row.id },
          { kind: "insert", collection: "app_limits", row },
        ]);
      } catch (error) {
        // Another process has recorded the same limit at the same moment.
        if (!isConflictIn("app_limits", error)) throw error;
      }
    },
    async until(app) {
      const row = await storage.get("app_limits", idOf(app));
      return row === null ? 0 : Number(row.until);
    },
  };
}

/** The app whose limits apply to what is sent. */
export function appOf({
  adapter,
  credentials,
}: {
  adapter: NetworkAdapter;
  credentials: Pick<OpenCredentials, "profile">;
}): AppAtNetwork {
  return { network: adapter.spec.network, app: credentials.profile().private.app ?? null };
}

function idOf({ network, app }: AppAtNetwork): string {
  return app === null ? network : `${network}:${hash("sha256", app).slice(0, 32)}`;
}
