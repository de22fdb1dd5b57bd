import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The drivers whose handles `typedHost` passes, with the packages of their types. */
export const drivers: readonly string[] = ["libsql", "pg", "@types/pg", "postgres"];

/** What a host that writes everything down would say; a wrong use must stay an error. */
export const typedHost = `
import Libsql from "libsql";
import pg from "pg";
import postgres from "postgres";
import { createSocialService, type Post, SocialError, type SocialServiceOptions } from "postrider";
import { createHandler } from "postrider/http";
import { bluesky } from "postrider/networks/bluesky";
import { discord } from "postrider/networks/discord";
import { mastodon } from "postrider/networks/mastodon";
import { timerScheduler } from "postrider/scheduler/timer";
import { memoryStorage } from "postrider/storage/memory";
import { postgresStorage } from "postrider/storage/postgres";
import { sqliteStorage } from "postrider/storage/sqlite";
const social = createSocialService({ storage: memoryStorage(), networks: [bluesky()] });
export const posts: Promise<Post> = social.posts.create({ profile_ids: ["prof_1"], text: "Hello" });
export const stop: () => void = social.on("post.published", ({ post }) => { const id: string = post.id; void id; });
// @ts-expect-error no such event
social.on("post.lost", () => {});
void social.posts.create({
  profile_ids: ["prof_1"],
  media: ["https://example.com/a.jpg", new Blob([]), { file: new URL("file:///a.jpg"), alt: "A fox" }],
  networks: { bluesky: { media: new Uint8Array() } },
});
// @ts-expect-error texts name no file of the host's
void social.posts.create({ profile_ids: ["prof_1"], media: [{ path: "a.jpg" }] });
// @ts-expect-error a text is a string
void social.posts.create({ profile_ids: ["prof_1"], text: 7 });
export const known: boolean = SocialError.is(new Error());
export const storages = [
  sqliteStorage("social.db", { tablePrefix: process.env.PREFIX }),
  sqliteStorage(new Libsql("social.db")),
  postgresStorage(new pg.Pool(), { tablePrefix: process.env.PREFIX }),
  postgresStorage(new pg.Client()),
  postgresStorage(postgres("")),
];
const unset: Omit<SocialServiceOptions, "storage"> = {
  migrate: undefined,
  networks: undefined,
  encryptionKey: process.env.SOCIAL_KEY,
  tenants: undefined,
  entitlements: undefined,
  publishWaitMs: undefined,
  maxRetryMs: undefined,
  maxLatenessMs: undefined,
  scheduler: timerScheduler({ clock: undefined, logger: undefined }),
  clock: undefined,
  http: undefined,
  untrustedHttp: undefined,
  allowedHosts: undefined,
  logger: undefined,
  ids: undefined,
};
export const services = storages.map((storage) => {
  const networks = [bluesky({ service: process.env.SERVICE }), mastodon(), discord()];
  return createSocialService({ ...unset, storage, networks, encryptionKey: process.env.SOCIAL_KEY, tenants: undefined });
});
export const handlers = services.map((service) => createHandler(service, { basePath: process.env.BASE, waitUntil: undefined }));
`;

/** With `@types/better-sqlite3`, which is not among the package's own tools. */
export const betterSqliteHost = `
import BetterSqlite from "better-sqlite3";
import { sqliteStorage as sqliteStorageOf } from "postrider/storage/sqlite";
export const better = sqliteStorageOf(new BetterSqlite("social.db"));
`;

/** What a compiler has to say about files of a host, and about the package they use; libraries are checked, too. */
export async function compile(compiler: string, files: readonly string[], host: string): Promise<string> {
  const flags = ["--module", "nodenext", "--strict", "--noEmit", "--types", "node", "--target", "es2022"];
  const strictest = ["--exactOptionalPropertyTypes", "true", "--skipLibCheck", "false", "--pretty", "false"];
  const checking = run(process.execPath, [join(compiler, "bin/tsc"), ...flags, ...strictest, ...files], { cwd: host });
  const findings = await checking.then(
    () => "",
    // A compiler that is not there has no findings either.
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
  );
  // The drivers' own types are not ours: pg-protocol's need a newer compiler than 5.6.
  return findings
    .split("\n")
    .filter((line) => !/^\S*node_modules\/(?!postrider\/)\S+\(\d+,\d+\): /.test(line))
    .join("\n");
}
