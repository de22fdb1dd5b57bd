/** `npx tsx examples/publishing/order.ts`: a scheduled post that is committed or rolled back with an order. */
import { randomBytes } from "node:crypto";
import Database from "libsql"; // Or better-sqlite3, or `DatabaseSync` of node:sqlite.
import { createSocialService } from "postrider";
import { bluesky } from "postrider/networks/bluesky";
import { createSandbox } from "postrider/sandbox";
import { sqliteStorage } from "postrider/storage/sqlite";

const database = new Database(":memory:");
database.exec("CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT)");

const { http, untrustedHttp, ...simulated } = createSandbox();
const social = createSocialService({
  storage: sqliteStorage(database),
  networks: [bluesky()],
  encryptionKey: randomBytes(32).toString("base64"),
  http,
  untrustedHttp,
});
const { handle, password } = simulated.bluesky.addAccount({ handle: "alice.sandbox.example" });
const credentials = { identifier: handle, app_password: password };
const profile = await social.profiles.connect({ network: "bluesky", credentials });
await social.start(); // Scheduled posts need a running worker.

for (const end of ["ROLLBACK", "COMMIT"]) {
  const prepared = await social.posts.prepare({
    profile_ids: [profile.id],
    text: "It is on its way.",
    scheduled_at: "2099-01-01T09:00:00Z",
  });
  database.exec("BEGIN IMMEDIATE");
  void prepared.save(database); // SQLite writes synchronously: do not await inside the transaction.
  database.exec("INSERT INTO orders (status) VALUES ('shipped')");
  database.exec(end);
  const { pagination } = await social.posts.list({ status: "scheduled" });
  console.log(end, pagination.total);
}
await social.stop();
