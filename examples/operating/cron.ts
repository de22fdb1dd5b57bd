/** `SOCIAL_ENCRYPTION_KEY=… npx tsx examples/operating/cron.ts`: processes due work, then exits; for a cron job that runs every minute. */
import { createSocialService } from "postrider";
import { bluesky } from "postrider/networks/bluesky";
import { discord } from "postrider/networks/discord";
import { mastodon } from "postrider/networks/mastodon";
import { sqliteStorage } from "postrider/storage/sqlite";

const social = createSocialService({
  storage: sqliteStorage(process.env.SOCIAL_DATABASE ?? "social.db"),
  networks: [bluesky(), mastodon(), discord()],
  encryptionKey: process.env.SOCIAL_ENCRYPTION_KEY,
});
const { posts, profiles, inboxes, endpoints, hasMore } = await social.runDue({ forMs: 20_000, atMost: 100 });
console.log({ posts, profiles, inboxes, endpoints, hasMore });
