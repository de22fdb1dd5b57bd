import { bluesky } from "../../src/networks/bluesky/index.ts";
import type { NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { remoteSandbox } from "../../src/sandbox/serve.ts";
import { createSocialService, type SocialService } from "../../src/service.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { silentLogger } from "../support/logger.ts";
import { testKey, testNetworks } from "../support/service.ts";
import type { ArenaWorld } from "./arena-world.ts";

/** Says which process a request comes from. */
export const processHeader = "x-prove-process";

export function openArenaService(
  { lineUrl, blueskyService }: Pick<ArenaWorld, "lineUrl" | "blueskyService">,
  { storage, clock }: { storage: Storage; clock: Clock },
): SocialService {
  const http = remoteSandbox(lineUrl, (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set(processHeader, String(process.pid));
    return fetch(input, { ...init, headers });
  });
  return createSocialService({
    storage,
    networks: networksWith(blueskyService),
    encryptionKey: testKey,
    clock,
    http,
    untrustedHttp: http,
    publishWaitMs: 0,
    logger: silentLogger,
  });
}

/** All of them, Bluesky on the server that is given. */
function networksWith(blueskyService: string | undefined): NetworkAdapter[] {
  if (blueskyService === undefined) return testNetworks();
  const own = bluesky({ service: blueskyService });
  return testNetworks().map((each) => (each.spec.network === own.spec.network ? own : each));
}
