/**
 * `DATABASE_URL=postgres://… SOCIAL_ENCRYPTION_KEY=… npx tsx examples/postgres/worker.ts`:
 * processes due work, on as many machines as you like.
 */
import { Pool } from "pg";
import PgBoss from "pg-boss"; // From version 11 on: { PgBoss }.
import { createSocialService } from "postrider";
import { bluesky } from "postrider/networks/bluesky";
import { discord } from "postrider/networks/discord";
import { mastodon } from "postrider/networks/mastodon";
import { pgBossScheduler } from "postrider/scheduler/pg-boss";
import { postgresStorage } from "postrider/storage/postgres";

const connectionString = process.env.DATABASE_URL ?? "";
const pool = new Pool({ connectionString });
pool.on("error", console.error); // Without it, an idle connection that breaks ends the process.
const boss = new PgBoss({ connectionString });
boss.on("error", console.error);
await boss.start();

const social = createSocialService({
  storage: postgresStorage(pool),
  scheduler: pgBossScheduler(boss),
  networks: [bluesky(), mastodon(), discord()],
  encryptionKey: process.env.SOCIAL_ENCRYPTION_KEY,
});
process.once("SIGTERM", async () => {
  await social.stop(); // First: it finishes work in progress.
  await boss.stop();
  await pool.end();
});
await social.start();
console.log("The service has started.");
