import { demoClock } from "../../examples/demo/clock.ts";
import { type Clock, systemClock } from "../../src/clock.ts";
import { bluesky } from "../../src/networks/bluesky/index.ts";
import { discord } from "../../src/networks/discord/index.ts";
import { mastodon } from "../../src/networks/mastodon/index.ts";
import { remoteSandbox } from "../../src/sandbox/serve.ts";
import { createSocialService, type SocialService } from "../../src/service.ts";
import { sqliteStorage } from "../../src/storage/sqlite.ts";
import { silentLogger } from "../support/logger.ts";
import { testKey } from "../support/service.ts";
import type { ArenaWorld } from "./arena-world.ts";

/** Says which process a request comes from. */
export const processHeader = "x-prove-process";

export function openArenaService(world: ArenaWorld): SocialService {
  const clock = demoClock(world.time);
  const http = remoteSandbox(world.lineUrl, (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set(processHeader, String(process.pid));
    return fetch(input, { ...init, headers });
  });
  return createSocialService({
    storage: sqliteStorage(world.database, { clock: waitingInReal(clock) }),
    networks: [
      bluesky(world.blueskyService === undefined ? {} : { service: world.blueskyService }),
      mastodon(),
      discord(),
    ],
    encryptionKey: testKey,
    clock,
    http,
    untrustedHttp: http,
    publishWaitMs: 0,
    logger: silentLogger,
  });
}

/** The disk is no faster than ever, however fast time runs. */
function waitingInReal({ now }: Clock): Clock {
  return { ...systemClock, now };
}
