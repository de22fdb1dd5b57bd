/** A host's process: publishes what is due and what it is sent, and ends when it is asked to, as a platform does. */
import { bluesky } from "../../src/networks/bluesky/index.ts";
import type { CreatePost } from "../../src/posts/schema.ts";
import { remoteSandbox } from "../../src/sandbox/serve.ts";
import { createSocialService } from "../../src/service.ts";
import { sqliteStorage } from "../../src/storage/sqlite/index.ts";
import { silentLogger } from "./logger.ts";
import { testKey } from "./service.ts";

/** What it says. */
export type UntilSigtermMessage = "ready" | "ending";

const [database = "", lineUrl = ""] = process.argv.slice(2);
const http = remoteSandbox(lineUrl, fetch);
const social = createSocialService({
  storage: sqliteStorage(database),
  networks: [bluesky()],
  encryptionKey: testKey,
  http,
  untrustedHttp: http,
  logger: silentLogger,
});

process.on("message", (body: CreatePost) => void social.posts.create(body));
process.once("SIGTERM", async () => {
  process.send?.("ending" satisfies UntilSigtermMessage);
  await social.stop();
  process.exit();
});
await social.start();
process.send?.("ready" satisfies UntilSigtermMessage);
