import { createSocialService } from "postrider";
import { bluesky } from "postrider/networks/bluesky";
import { mastodon } from "postrider/networks/mastodon";
import { sqliteStorage } from "postrider/storage/sqlite";

const [, , restoredFrom] = process.argv;

const social = createSocialService({
  storage: sqliteStorage(process.env.SOCIAL_DATABASE ?? "social.db"),
  networks: [bluesky(), mastodon()],
  encryptionKey: process.env.SOCIAL_ENCRYPTION_KEY,
});

process.once("SIGTERM", () => void social.stop());
await social.start({ restoredFrom });
