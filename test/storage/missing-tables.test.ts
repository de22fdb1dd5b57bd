import { Pool } from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { postgresStorage } from "../../src/storage/postgres/index.ts";
import { sqliteStorage } from "../../src/storage/sqlite/index.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { failureOf } from "../support/failure.ts";
import { startPostgres } from "../support/postgres.ts";
import { createTestService } from "../support/service.ts";

const server = await startPostgres();
const url = typeof server === "string" ? "" : server.url;
const pool = new Pool({ connectionString: url });

afterAll(async () => {
  await pool.end();
  if (typeof server !== "string") await server.remove();
});

describe.each<[string, () => Storage, string]>([
  ["SQLite", () => sqliteStorage(":memory:"), "sqliteMigrationSql()"],
  ...(typeof server === "string"
    ? []
    : [["Postgres", () => postgresStorage(pool), "postgresMigrationSql()"] as [string, () => Storage, string]]),
])("a missing table with migrate: false, on %s", (name, open, migrationSql) => {
  it("is named in the error of reads and writes, with the command to run", async () => {
    const storage = open();
    const { social } = createTestService({ storage, migrate: false });
    const calls: [string, () => Promise<unknown>][] = [
      ["posts", () => social.posts.list()],
      ["posts", () => storage.get("posts", "post_1")],
      [name === "Postgres" ? "writes" : "keys", () => social.keys.create()],
    ];
    for (const [table, call] of calls) {
      const error = await failureOf(call());
      expect(error.message).toBe(
        `The table postrider_${table} does not exist. With migrate: false, run storage.migrate() or the SQL of ${migrationSql} before the first use; or leave out migrate. Where the tables have another prefix, give the storage that tablePrefix.`,
      );
      expect(error.cause).toBeDefined();
    }
  });
});
