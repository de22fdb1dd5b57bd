import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import { type Clock, systemClock } from "../../src/ports/clock.ts";
import { postgresStorage } from "../../src/storage/postgres/index.ts";
import { sqliteStorage } from "../../src/storage/sqlite/index.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { type PostgresServer, startPostgres } from "../support/postgres.ts";
import type { ArenaWorld, StorePlace } from "./arena-world.ts";

/** Where the rows of one arena are, and gone with it. */
export interface ArenaStore {
  place: StorePlace;
  /** The server that keeps them, which may be stopped; null: there is none. */
  server: PostgresServer | null;
  remove(): Promise<void>;
}

/** @throws Error when Postgres cannot be started here */
export async function createArenaStore(kind: StorePlace["kind"]): Promise<ArenaStore> {
  if (kind === "postgres") {
    // With its disk: what was committed must survive the server.
    const server = await startPostgres([]);
    if (typeof server === "string") throw new Error(server);
    return { place: { kind, url: server.url }, server, remove: server.remove };
  }
  const folder = await mkdtemp(join(tmpdir(), "postrider-arena-"));
  return {
    place: { kind, file: join(folder, "arena.db") },
    server: null,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Connections of one process. */
const maxConnections = 8;

/** Opens it for one process. Closing it closes its connections, too. */
export function openArenaStore({ store, time }: Pick<ArenaWorld, "store" | "time">, clock: Clock): Storage {
  // The disk is no faster than ever, however fast time runs.
  if (store.kind === "sqlite") return sqliteStorage(store.file, { clock: { ...systemClock, now: clock.now } });
  const pool = new Pool({ connectionString: store.url, max: maxConnections });
  pool.on("error", () => undefined);
  const storage = postgresStorage(pool);
  return {
    ...storage,
    // The server's clock is right, and runs as fast as all others.
    async now() {
      const real = await storage.now();
      return Math.floor(real + (real - time.fastFrom) * (time.speed - 1));
    },
    async close() {
      await storage.close();
      await pool.end();
    },
  };
}
