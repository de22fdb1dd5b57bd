import type { JsonObject } from "../json.ts";
import { type ColumnValue, columnsOf, columnValue } from "./columns.ts";
import { type CollectionName, collections, targetsPointBy } from "./schema.ts";
import type { Condition, FindQuery, Row, Where } from "./storage.ts";

/** A statement with a `?` for each of its values, in their order. */
export interface Statement {
  text: string;
  values: ColumnValue[];
}

/** What one database calls the two kinds of column. Text must compare by code point. */
export interface Dialect {
  text: string;
  integer: string;
}

export const sqliteDialect: Dialect = { text: "TEXT", integer: "INTEGER" };

/** What every table's name begins with, unless told otherwise. */
export const defaultTablePrefix = "postrider_";

/** The quoted name of a table. */
export function tableName(tablePrefix: string, name: string): string {
  if (!/^\w*$/.test(tablePrefix))
    throw new TypeError(`The table prefix "${tablePrefix}" is not made of letters, digits and _.`);
  return quoted(tablePrefix + name);
}

/** `CREATE TABLE` and indexes of all collections. Fields that are no column live as JSON in the column `data`. */
export function createTablesSql(dialect: Dialect, tablePrefix: string): string {
  return Object.entries(collections)
    .map(([collection, { columns, uniques, indexes }]) => {
      const table = tableName(tablePrefix, collection);
      const columnLines = Object.entries(columns).map(([column, kind]) => `  ${quoted(column)} ${dialect[kind]},\n`);
      const index = (kind: string, over: readonly string[]): string => {
        const name = quoted(`${tablePrefix}${collection}_${over.join("_")}`);
        return `CREATE ${kind} IF NOT EXISTS ${name} ON ${table} (${list(over)});\n`;
      };
      return [
        `CREATE TABLE IF NOT EXISTS ${table} (\n  "id" ${dialect.text} PRIMARY KEY NOT NULL,\n`,
        ...columnLines,
        `  "data" ${dialect.text} NOT NULL\n);\n`,
        ...uniques.map((unique) => index("UNIQUE INDEX", unique)),
        ...indexes.map((columns) => index("INDEX", columns)),
      ].join("");
    })
    .join("");
}

/** The columns of a collection as a select list; `rowFrom` reads what comes back. */
export function selectList(collection: CollectionName): string {
  return list([...columnsOf(collection), "data"]);
}

/** The row that a select list brought. */
export function rowFrom(collection: CollectionName, found: Record<string, unknown>): Row {
  const columns = columnsOf(collection).map((column) => [column, found[column]]);
  return { ...Object.fromEntries(columns), ...JSON.parse(String(found.data)) };
}

export function findSql(tablePrefix: string, collection: CollectionName, query: FindQuery): Statement {
  const { column, direction } = query.order ?? { column: "created_at", direction: "desc" };
  const suffix = direction === "asc" ? "ASC NULLS FIRST" : "DESC NULLS LAST";
  const order = (column === "id" ? ["id"] : [column, "id"]).map((name) => `${quoted(name)} ${suffix}`).join(", ");
  const condition = queryCondition(tablePrefix, collection, query);
  return {
    text: `SELECT ${selectList(collection)} FROM ${tableName(tablePrefix, collection)} WHERE ${condition.text} ORDER BY ${order} LIMIT ? OFFSET ?`,
    values: [...condition.values, query.limit ?? Number.MAX_SAFE_INTEGER, query.offset ?? 0],
  };
}

/** Answers `total`. */
export function countSql(tablePrefix: string, collection: CollectionName, query: FindQuery): Statement {
  const condition = queryCondition(tablePrefix, collection, query);
  return {
    text: `SELECT COUNT(*) AS total FROM ${tableName(tablePrefix, collection)} WHERE ${condition.text}`,
    values: condition.values,
  };
}

/** Answers the row with this id, if it fulfils `where`. */
export function getSql(tablePrefix: string, collection: CollectionName, id: string, where: Where = {}): Statement {
  const table = tableName(tablePrefix, collection);
  const condition = allOf([whereSql(table, where), whereSql(table, { id })]);
  return { text: `SELECT ${selectList(collection)} FROM ${table} WHERE ${condition.text}`, values: condition.values };
}

/** Answers the id, or nothing when the id or a unique is taken. */
export function insertSql(tablePrefix: string, collection: CollectionName, row: Row): Statement {
  const columns = columnsOf(collection);
  const names = [...columns, "data"];
  return {
    text: `INSERT INTO ${tableName(tablePrefix, collection)} (${list(names)}) VALUES (${names.map(() => "?").join(", ")}) ON CONFLICT DO NOTHING RETURNING "id"`,
    values: [...columns.map((column) => columnValue(row, column)), dataOf(collection, row)],
  };
}

/** What to SET so that the stored row becomes `row`, of which only the fields `changed` differ. */
export function assignments(collection: CollectionName, row: Row, changed: JsonObject): Statement {
  const columns = columnsOf(collection).filter((column) => Object.hasOwn(changed, column));
  const values = columns.map((column) => columnValue(row, column));
  if (columns.length < Object.keys(changed).length) {
    columns.push("data");
    values.push(dataOf(collection, row));
  }
  return { text: columns.map((column) => `${quoted(column)} = ?`).join(", "), values };
}

/** `where` as a condition on `table`, a quoted name or alias. */
function whereSql(table: string, where: Where): Statement {
  return allOf(
    Object.entries(where).map(([column, condition]) => conditionSql(`${table}.${quoted(column)}`, condition)),
  );
}

function queryCondition(tablePrefix: string, collection: CollectionName, { where, some }: FindQuery): Statement {
  const table = tableName(tablePrefix, collection);
  const own = whereSql(table, where);
  if (some === undefined) return own;
  const theirs = whereSql("target", some.targets);
  const targets = `SELECT 1 FROM ${tableName(tablePrefix, "targets")} AS target`;
  const exists = `EXISTS (${targets} WHERE target.${quoted(targetsPointBy)} = ${table}."id" AND ${theirs.text})`;
  return allOf([own, { text: exists, values: theirs.values }]);
}

function conditionSql(column: string, condition: Condition): Statement {
  if (condition === null) return { text: `${column} IS NULL`, values: [] };
  if (typeof condition !== "object") return { text: `${column} = ?`, values: [condition] };
  const { in: members, lt, lte, gte, not_null } = condition;
  const parts: Statement[] = [];
  if (members?.length === 0) parts.push({ text: "1 = 0", values: [] });
  else if (members) parts.push({ text: `${column} IN (${members.map(() => "?").join(", ")})`, values: [...members] });
  if (lt !== undefined) parts.push({ text: `${column} < ?`, values: [lt] });
  if (lte !== undefined) parts.push({ text: `${column} <= ?`, values: [lte] });
  if (gte !== undefined) parts.push({ text: `${column} >= ?`, values: [gte] });
  if (not_null) parts.push({ text: `${column} IS NOT NULL`, values: [] });
  return allOf(parts);
}

function allOf(parts: readonly Statement[]): Statement {
  if (parts.length === 0) return { text: "1 = 1", values: [] };
  return { text: parts.map(({ text }) => text).join(" AND "), values: parts.flatMap(({ values }) => values) };
}

/** The fields that are no column, as JSON. */
function dataOf(collection: CollectionName, row: Row): string {
  const columns = columnsOf(collection);
  return JSON.stringify(Object.fromEntries(Object.entries(row).filter(([name]) => !columns.includes(name))));
}

function list(names: readonly string[]): string {
  return names.map(quoted).join(", ");
}

function quoted(name: string): string {
  return `"${name}"`;
}
