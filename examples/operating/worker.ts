/** `SOCIAL_ENCRYPTION_KEY=… npx tsx examples/operating/worker.ts`: processes due work until SIGTERM. */
import { createSocialService } from "postrider";
import { bluesky } from "postrider/networks/bluesky";
import { discord } from "postrider/networks/discord";
import { mastodon } from "postrider/networks/mastodon";
import { sqliteStorage } from "postrider/storage/sqlite";

const social = createSocialService({
  storage: sqliteStorage(process.env.SOCIAL_DATABASE ?? "social.db"),
  networks: [bluesky(), mastodon(), discord()],
  encryptionKey: process.env.SOCIAL_ENCRYPTION_KEY,
  logger: console, // Or pino.
});
process.once("SIGTERM", () => void social.stop());
await social.start();
console.log("The service has started.");
