import { SocialError } from "../../wire/errors.ts";
import { collections } from "../schema.ts";
import { type Dialect, indexName, tableName } from "./sql.ts";
import { quoted } from "./statement.ts";

/**
 * `CREATE TABLE` and indexes of all collections. Fields that are not columns are stored as JSON in the column `data`.
 */
export function createTablesSql(dialect: Dialect, tablePrefix: string): string {
  return Object.entries(collections)
    .map(([collection, { columns, uniques, indexes }]) => {
      const table = tableName(tablePrefix, collection);
      const lines = Object.entries(columns).map(([column, kind]) => `  ${quoted(column)} ${dialect[kind]},\n`);
      const key = `  "id" ${dialect.text} PRIMARY KEY NOT NULL,\n`;
      const index = (kind: string, over: readonly string[]): string => {
        const name = quoted(indexName(dialect, tablePrefix, collection, over));
        const inOrder = over.map((column) => quoted(column) + dialect.nullsInIndex).join(", ");
        return `CREATE ${kind} IF NOT EXISTS ${name} ON ${table} (${inOrder});\n`;
      };
      return [
        `CREATE TABLE IF NOT EXISTS ${table} (\n${key}${lines.join("")}  "data" ${dialect.text} NOT NULL\n);\n`,
        ...uniques.map((unique) => index("UNIQUE INDEX", unique)),
        ...indexes.map((over) => index("INDEX", over)),
      ].join("");
    })
    .join("");
}

/**
 * The error of a query before the migration, or with another prefix.
 *
 * @param migrationSql the call that returns the SQL
 */
export function tableMissing(name: string, { migrationSql, cause }: { migrationSql: string; cause: unknown }): Error {
  const message =
    `The table ${name} does not exist. With migrate: false, run storage.migrate() or the SQL of ${migrationSql} before ` +
    "the first use; or leave out migrate. Where the tables have another prefix, give the storage that tablePrefix.";
  return new SocialError("internal_error", message, { cause });
}
