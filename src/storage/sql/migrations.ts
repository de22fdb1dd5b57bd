import { type Dialect, tableName } from "./sql.ts";
import { createTablesSql } from "./tables.ts";

/** An id, recorded once it has run, and the statements that it runs. */
export type Migration = readonly [id: string, sql: string];

/**
 * All steps from an empty database to today's tables, in order, one for each group of tables. Forward only: a step that
 * was released keeps its id and its effect; a change of `schema.ts` after that comes with a step that brings older
 * tables there, and that does nothing where 001 has made them as they are now.
 */
export function migrations(dialect: Dialect, tablePrefix: string): Migration[] {
  return [
    ["001_collections", createTablesSql(dialect, tablePrefix)],
    ["002_counters", createCountersSql(dialect, tablePrefix)],
    ...(dialect.isRemote ? [["003_writes", createWritesSql(dialect, tablePrefix)] as const] : []),
  ];
}

/** The table that records which migrations have run. */
export function createMigrationsSql(dialect: Dialect, tablePrefix: string): string {
  return `CREATE TABLE IF NOT EXISTS ${tableName(tablePrefix, "migrations")} ("id" ${dialect.text} PRIMARY KEY NOT NULL);\n`;
}

/** All migrations as one text that records its steps. Running it twice is harmless. */
export function migrationSql(dialect: Dialect, tablePrefix: string): string {
  const record = (id: string): string =>
    `INSERT INTO ${tableName(tablePrefix, "migrations")} ("id") VALUES ('${id}') ON CONFLICT DO NOTHING;\n`;
  const steps = migrations(dialect, tablePrefix).map(([id, sql]) => `-- ${id}\n${sql}${record(id)}`);
  return [createMigrationsSql(dialect, tablePrefix), ...steps].join("\n");
}

function createCountersSql(dialect: Dialect, tablePrefix: string): string {
  const table = tableName(tablePrefix, "counters");
  return `CREATE ${dialect.forgetfulTable} IF NOT EXISTS ${table} (
  "key" ${dialect.text} PRIMARY KEY NOT NULL,
  "value" ${dialect.integer} NOT NULL,
  "expires_at" ${dialect.integer} NOT NULL
);
CREATE INDEX IF NOT EXISTS ${tableName(tablePrefix, "counters_expires_at")} ON ${table} ("expires_at");
`;
}

/** Recent writes, each under an id: when the answer to a commit is lost, this table says whether it happened. */
function createWritesSql(dialect: Dialect, tablePrefix: string): string {
  return `CREATE TABLE IF NOT EXISTS ${tableName(tablePrefix, "writes")} (
  "id" ${dialect.text} CONSTRAINT ${tableName(tablePrefix, "writes_id")} PRIMARY KEY,
  "written_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
);
`;
}
