import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import { postgresStorage } from "../../src/storage/postgres/index.ts";
import { sqliteStorage } from "../../src/storage/sqlite/index.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { startPostgres } from "./postgres.ts";

/** Real databases for a test file. */
export interface Databases {
  /** By name, each with tables of its own at every call; null: it cannot be started here. */
  all: readonly (readonly [name: string, open: (() => Storage) | null])[];
  remove(): Promise<void>;
}

export async function startDatabases(): Promise<Databases> {
  const server = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), "postrider-databases-"));
  const pools: Pool[] = [];
  let opened = 0;

  function openPostgres(connectionString: string): Storage {
    const pool = new Pool({ connectionString, max: 10 });
    pool.on("error", () => {});
    pools.push(pool);
    return postgresStorage(pool, { tablePrefix: `test${opened++}_` });
  }

  return {
    all: [
      ["SQLite", () => sqliteStorage(join(folder, `${opened++}.db`))],
      ["Postgres", typeof server === "string" ? null : () => openPostgres(server.url)],
    ],
    async remove() {
      for (const pool of pools) await pool.end();
      if (typeof server !== "string") await server.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
