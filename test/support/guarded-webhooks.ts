import { createRefusalOf } from "../../src/outbound/guard/refusal.ts";
import { randomIds } from "../../src/ports/ids.ts";
import { createVault } from "../../src/ports/vault.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { createWebhooks, type Webhooks } from "../../src/webhooks/webhooks.ts";
import { silentLogger } from "./logger.ts";
import { testKey } from "./service.ts";

/** Names as a made-up resolver knows them. */
const addressesOf: Readonly<Record<string, readonly string[]>> = {
  "example.com": ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"],
  "inside.example.com": ["10.0.0.7"],
  "half.example.com": ["93.184.216.34", "127.0.0.1"],
  "metadata.example.com": ["169.254.169.254"],
  "empty.example.com": [],
};

export async function resolveMadeUp(name: string): Promise<string[]> {
  const found = addressesOf[name];
  if (found === undefined) throw Object.assign(new Error(`no address of ${name}`), { code: "ENOTFOUND" });
  return [...found];
}

/** Webhooks behind the guard's own rules; nothing is ever sent. */
export function guardedWebhooks({ allow = [] }: { allow?: readonly string[] } = {}): Webhooks {
  const clock = manualClock();
  return createWebhooks(
    {
      storage: memoryStorage({ clock }),
      clock,
      ids: randomIds,
      logger: silentLogger,
      vault: createVault([testKey], randomIds),
      untrustedHttp: () => Promise.reject(new Error("nothing is sent in this test")),
      refusalOf: createRefusalOf({ clock, resolve: resolveMadeUp, allow }),
      wake: () => {},
    },
    "default",
  );
}
