import { type Dialect, tableName } from "./sql.ts";
import { createTablesSql } from "./tables.ts";

/** A migration's id, which is recorded after it has run, and its statements. */
export type Migration = readonly [id: string, sql: string];

/**
 * All migrations from an empty database to the current tables, in order, one for each group of tables. There is no way
 * back. A released migration keeps its id and its effect. A later change of `schema.ts` needs a new migration, which
 * updates older tables and does nothing to tables that 001 has already created in their current form.
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

/** All migrations as one SQL text, which records each of them. Running it twice is harmless. */
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

/**
 * The table of recent writes, each with an id. If the response to a commit is lost, it shows whether the commit
 * happened.
 */
function createWritesSql(dialect: Dialect, tablePrefix: string): string {
  return `CREATE TABLE IF NOT EXISTS ${tableName(tablePrefix, "writes")} (
  "id" ${dialect.text} CONSTRAINT ${tableName(tablePrefix, "writes_id")} PRIMARY KEY,
  "written_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
);
`;
}
