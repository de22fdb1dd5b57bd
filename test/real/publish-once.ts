import { createRequire } from "node:module";
import { createSocialService } from "postrider";
import { bluesky } from "postrider/networks/bluesky";
import { remoteSandbox } from "postrider/sandbox";
import { type SqliteHandle, sqliteStorage } from "postrider/storage/sqlite";

/**
 * A process that publishes one post on a simulated network, which
 * durability.real.ts observes from outside. Its one argument is JSON.
 */
interface Errand {
  database: string;
  sandboxUrl: string;
  encryptionKey: string;
  identifier: string;
  app_password: string;
  text: string;
  /** SQLite's setting in place of FULL. */
  synchronous: "FULL" | "NORMAL";
}

const errand = JSON.parse(process.argv[2] ?? "") as Errand;
const { identifier, app_password, text } = errand;
const http = remoteSandbox(errand.sandboxUrl, fetch);
const social = createSocialService({
  storage: sqliteStorage(openDatabase(errand)),
  networks: [bluesky()],
  encryptionKey: errand.encryptionKey,
  http,
  untrustedHttp: http,
});
const profile = await social.profiles.connect({ network: "bluesky", credentials: { identifier, app_password } });
const post = await social.posts.create({ profile_ids: [profile.id], text });
console.log(post.status);

/** The storage sets FULL on any handle; for a counter-test the handle itself weakens that. */
function openDatabase({ database, synchronous }: Errand): string | SqliteHandle {
  if (synchronous === "FULL") return database;
  const Database = createRequire(import.meta.url)("libsql") as new (file: string) => SqliteHandle;
  const handle = new Database(database);
  return {
    exec: (sql) => handle.exec(sql.replace("synchronous = FULL", `synchronous = ${synchronous}`)),
    prepare: (sql) => handle.prepare(sql),
  };
}
