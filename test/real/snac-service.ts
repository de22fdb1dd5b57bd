import { mastodon } from "../../src/networks/mastodon/index.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { createSocialService, type SocialService } from "../../src/service.ts";
import { sqliteStorage } from "../../src/storage/sqlite/index.ts";
import { silentLogger } from "../support/logger.ts";
import { testKey } from "../support/service.ts";

/** A service that publishes on the server behind the front. */
export function openSnacService(options: {
  database: string;
  clock: Clock;
  http: typeof fetch;
  scopes?: readonly ("publish" | "inbox")[];
}): SocialService {
  return createSocialService({
    storage: sqliteStorage(options.database, { clock: options.clock }),
    networks: [mastodon(options.scopes === undefined ? {} : { scopes: options.scopes })],
    encryptionKey: testKey,
    clock: options.clock,
    http: options.http,
    untrustedHttp: options.http,
    // The outcome comes as an event.
    publishWaitMs: 0,
    logger: silentLogger,
  });
}
