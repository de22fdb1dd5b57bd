import { type CollectionName, collections } from "../schema.ts";
import { type Dialect, indexName, tableName } from "./sql.ts";
import { list, quoted } from "./statement.ts";

/** Columns of a collection that a step does not know yet. */
export interface LaterColumns {
  collection: CollectionName;
  columns: readonly string[];
}

/**
 * `CREATE TABLE` and indexes of all collections. Fields that are no column live as JSON in the column `data`.
 *
 * @param later left out, with the indexes over them. @default none
 */
export function createTablesSql(dialect: Dialect, tablePrefix: string, later?: LaterColumns): string {
  return Object.entries(collections)
    .map(([collection, { columns, uniques, indexes }]) => {
      const table = tableName(tablePrefix, collection);
      const isLater = (column: string): boolean => later?.collection === collection && later.columns.includes(column);
      const index = (kind: string, over: readonly string[]): string => {
        const name = quoted(indexName(dialect, tablePrefix, collection, over));
        const inOrder = over.map((column) => quoted(column) + dialect.nullsInIndex).join(", ");
        return `CREATE ${kind} IF NOT EXISTS ${name} ON ${table} (${inOrder});\n`;
      };
      return [
        createTableSql(
          dialect,
          table,
          Object.entries(columns).filter(([column]) => !isLater(column)),
        ),
        ...uniques.map((unique) => index("UNIQUE INDEX", unique)),
        ...indexes.filter((over) => !over.some(isLater)).map((over) => index("INDEX", over)),
      ].join("");
    })
    .join("");
}

function createTableSql(
  dialect: Dialect,
  table: string,
  columns: readonly (readonly [name: string, kind: "text" | "integer"])[],
): string {
  const lines = columns.map(([column, kind]) => `  ${quoted(column)} ${dialect[kind]},\n`);
  const key = `  "id" ${dialect.text} PRIMARY KEY NOT NULL,\n`;
  return `CREATE TABLE IF NOT EXISTS ${table} (\n${key}${lines.join("")}  "data" ${dialect.text} NOT NULL\n);\n`;
}

/** Gives a table columns that it may have already, empty in its rows. Repeatable. */
export function addColumnsSql(dialect: Dialect, tablePrefix: string, { collection, columns }: LaterColumns): string {
  const table = tableName(tablePrefix, collection);
  const all = Object.entries(collections[collection].columns);
  if (dialect.addsColumns) {
    const added = all.filter(([column]) => columns.includes(column));
    return added
      .map(([name, kind]) => `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${quoted(name)} ${dialect[kind]};\n`)
      .join("");
  }
  const next = tableName(tablePrefix, `${collection}_next`);
  const kept = list(["id", ...all.map(([name]) => name).filter((name) => !columns.includes(name)), "data"]);
  return [
    `DROP TABLE IF EXISTS ${next};\n`,
    createTableSql(dialect, next, all),
    `INSERT INTO ${next} (${kept}) SELECT ${kept} FROM ${table};\n`,
    `DROP TABLE ${table};\nALTER TABLE ${next} RENAME TO ${table};\n`,
  ].join("");
}
