import type { Pool } from "pg";
import { bluesky } from "../../src/networks/bluesky/index.ts";
import { remoteSandbox } from "../../src/sandbox/serve.ts";
import { createSocialService, type SocialService } from "../../src/service.ts";
import { postgresStorage } from "../../src/storage/postgres.ts";
import { silentLogger } from "../support/logger.ts";
import { testKey } from "../support/service.ts";

/** What every process is told. */
export interface PostgresWorld {
  postgresUrl: string;
  /** Where the simulated network listens. */
  lineUrl: string;
}

export function openPostgresService({ lineUrl }: PostgresWorld, pool: Pool): SocialService {
  const http = remoteSandbox(lineUrl, fetch);
  return createSocialService({
    storage: postgresStorage(pool),
    networks: [bluesky()],
    encryptionKey: testKey,
    http,
    untrustedHttp: http,
    publishWaitMs: 0,
    logger: silentLogger,
  });
}
