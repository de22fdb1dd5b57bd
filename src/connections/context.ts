import { hash } from "node:crypto";
import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { BrowserLoginContext, RegisteredApps } from "../networks/contract/browser-login.ts";
import type { NetworkId } from "../networks/contract/network-id.ts";
import { createLoginContext } from "../networks/runtime/session.ts";
import { isoTime } from "../ports/clock.ts";
import type { SealedPlace } from "../ports/vault.ts";
import { isConflictIn } from "../storage/storage.ts";
import { fromRow, toRow } from "../storage/typed.ts";
import type { Json, JsonObject } from "../wire/json.ts";
import type { ConnectionPorts } from "./ports.ts";

/** @param given.secrets values that no error may repeat, recognized by their names */
export function createBrowserContext(
  ports: ConnectionPorts,
  adapter: NetworkAdapter,
  given: Pick<BrowserLoginContext, "accountId" | "redirectUri" | "state"> & { secrets: JsonObject },
): BrowserLoginContext {
  const { accountId, redirectUri, state, secrets } = given;
  const concealed: Json[] = [secrets];
  return {
    ...createLoginContext(adapter, ports.session, { concealed }),
    accountId,
    redirectUri,
    state,
    randomBytes: (length) => ports.ids.bytes(length),
    conceal: (answer) => void concealed.push(answer as Json),
    apps: createApps(ports, adapter.spec.network),
  };
}

/** An app that was registered at a server automatically. */
export interface AppRow {
  id: string;
  network: NetworkId;
  created_at: string;
  private: { sealed: string };
}

/** How long a registration is used, milliseconds: servers delete those that seem unused. */
export const appLifeMs = 30 * 86_400_000;

function createApps({ storage, vault }: ConnectionPorts, network: NetworkId): RegisteredApps {
  const idOf = (key: string): string => `${network}:${hash("sha256", key)}`;

  return {
    async get(key, register) {
      const id = idOf(key);
      const found = await storage.get("apps", id);
      const now = await storage.now();
      if (found !== null) {
        const { created_at, private: state } = fromRow<AppRow>(found);
        const isGood = Date.parse(created_at) + appLifeMs > now && vault.lackFor(state.sealed) === null;
        if (isGood) return vault.open(state.sealed, placeOfApp(id));
        await storage.write([{ kind: "delete", collection: "apps", id }]);
      }
      const app = await register();
      const row: AppRow = {
        id,
        network,
        created_at: isoTime(now),
        private: { sealed: vault.seal(app, placeOfApp(id)) },
      };
      try {
        await storage.write([{ kind: "insert", collection: "apps", row: toRow(row) }]);
      } catch (error) {
        // Another sign-in has registered one meanwhile; both are valid.
        if (!isConflictIn("apps", error)) throw error;
      }
      return app;
    },
    forget: (key) => storage.write([{ kind: "delete", collection: "apps", id: idOf(key) }]),
  };
}

/** Registrations belong to the service, not to one of its accounts. */
function placeOfApp(id: string): SealedPlace {
  return { account: "", collection: "apps", id, field: "app" };
}
