/** The databases that the benchmarks of scheduling run on, each with its storage on the same handle. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Libsql from "libsql";
import { Pool } from "pg";
import { numbered } from "../../src/storage/sql/statement.ts";
import type { SqliteHandle } from "../../src/storage/sqlite/index.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { startPostgres } from "../support/postgres.ts";
import type { Built } from "./built.ts";

export interface BenchDatabase {
  name: "SQLite" | "Postgres";
  storage: Storage;
  /** Runs a statement that has a `?` for each of its values, by itself. */
  run(text: string, values?: readonly (number | string)[]): Promise<void>;
  /** Closes it and removes what it held. */
  remove(): Promise<void>;
}

export interface SqliteDatabase extends BenchDatabase {
  file: string;
  handle: SqliteHandle;
}

export interface PostgresDatabase extends BenchDatabase {
  url: string;
  pool: Pool;
}

export async function openSqlite(built: Built): Promise<SqliteDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "postrider-bench-"));
  const file = join(folder, "social.db");
  const handle: SqliteHandle = new Libsql(file);
  const storage = built.sqliteStorage(handle);
  await storage.migrate();
  return {
    name: "SQLite",
    storage,
    file,
    handle,
    async run(text, values = []) {
      handle.prepare(text).run(...values);
    },
    async remove() {
      await storage.close();
      handle.close?.();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A server of its own that syncs its disk, as servers do by default; and a pool of ten, as `pg` makes it. */
export async function openPostgres(built: Built): Promise<PostgresDatabase> {
  const server = await startPostgres([]);
  if (typeof server === "string") throw new Error(server);
  const pool = new Pool({ connectionString: server.url });
  pool.on("error", () => {});
  const storage = built.postgresStorage(pool);
  await storage.migrate();
  return {
    name: "Postgres",
    storage,
    url: server.url,
    pool,
    async run(text, values = []) {
      await pool.query(numbered(text), [...values]);
    },
    async remove() {
      await storage.close();
      await pool.end();
      await server.remove();
    },
  };
}
