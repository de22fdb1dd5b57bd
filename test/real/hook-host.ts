/**
 * A process that receives Twitch's events, on an existing SQLite file, and is killed at any
 * moment. It prints `ready` when it listens.
 */
import { createServer } from "node:http";
import { type DemoTime, demoClock } from "../../examples/demo/clock.ts";
import { createHandler } from "../../src/http/index.ts";
import { toNodeHandler } from "../../src/http/node.ts";
import { twitch } from "../../src/networks/twitch/index.ts";
import { remoteSandbox } from "../../src/sandbox/serve.ts";
import { createSocialService } from "../../src/service.ts";
import { sqliteStorage } from "../../src/storage/sqlite/index.ts";
import { silentLogger } from "../support/logger.ts";
import { testBaseUrl, testKey } from "../support/service.ts";

export interface HookHost {
  port: number;
  database: string;
  time: DemoTime;
  /** The URL of the simulated networks. */
  sandbox: string;
  app: { client_id: string; client_secret: string };
  /** The credentials of the channel, where it is not connected yet. */
  credentials: { access_token: string; refresh_token: string };
}

const { port, database, time, sandbox, app, credentials } = JSON.parse(process.env.POSTRIDER_HOST ?? "") as HookHost;
const clock = demoClock(time);
const http = remoteSandbox(sandbox, fetch);
const social = createSocialService({
  storage: sqliteStorage(database, { clock }),
  networks: [twitch({ app })],
  encryptionKey: testKey,
  clock,
  http,
  untrustedHttp: http,
  baseUrl: testBaseUrl,
  logger: silentLogger,
});
const server = createServer(toNodeHandler(createHandler(social)));
await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
await social.start();
if ((await social.profiles.list()).pagination.total === 0)
  await social.profiles.connect({ network: "twitch", credentials });
process.on("disconnect", () => process.exit());
process.send?.("ready");
