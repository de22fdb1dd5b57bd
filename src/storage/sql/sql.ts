import type * as z from "zod";
import { option } from "../../ports/parse-options.ts";
import type { JsonObject } from "../../wire/json.ts";
import { type ColumnValue, columnsOf, columnValue, withoutColumns } from "../columns.ts";
import { type CollectionName, sweptRows } from "../schema.ts";
import type { ClaimOptions, Row, Where } from "../storage.ts";
import { allOf, list, quoted, type Statement, whereSql } from "./statement.ts";

export type { Statement } from "./statement.ts";

/** The differences between the databases' SQL. */
export interface Dialect {
  /** The type of text columns. It must compare by code point. */
  text: string;
  integer: string;
  /** Appended to the columns of an index, so that its order is that of `find`: null before all values. */
  nullsInIndex: "" | " NULLS FIRST";
  /** A table that may be empty after a power loss, if that makes writes cheaper. */
  forgetfulTable: "TABLE" | "UNLOGGED TABLE";
  /** Maximum length of a name; the database cuts off the rest. */
  maxNameLength: number;
  /** True: the database is reached over a network connection, so its response to a commit may get lost. */
  isRemote: boolean;
  /** True: the database reads each part of a `UNION` in the order of the whole, and only as far as a page needs. */
  mergesUnions: boolean;
  /** The position of a text within another, from 1; 0: not found. */
  placeOf(text: string, sought: string): string;
  /** True if the column has one of the values that a subquery returns. The subquery runs first. */
  isAmong(column: string, question: string): string;
}

export const sqliteDialect: Dialect = {
  text: "TEXT",
  integer: "INTEGER",
  nullsInIndex: "",
  forgetfulTable: "TABLE",
  maxNameLength: Number.POSITIVE_INFINITY,
  isRemote: false,
  mergesUnions: true,
  placeOf: (text, sought) => `instr(${text}, ${sought})`,
  isAmong: (column, question) => `${column} IN (${question})`,
};

export const postgresDialect: Dialect = {
  text: 'TEXT COLLATE "C"',
  integer: "BIGINT",
  nullsInIndex: " NULLS FIRST",
  forgetfulTable: "UNLOGGED TABLE",
  maxNameLength: 63, // https://www.postgresql.org/docs/18/limits.html, read November 2026
  isRemote: true,
  mergesUnions: false,
  placeOf: (text, sought) => `strpos(${text}, ${sought})`,
  isAmong: (column, question) => `${column} = ANY (ARRAY(${question}))`,
};

/** The default prefix of all table names. */
export const defaultTablePrefix = "postrider_";

/** The schema of the option `tablePrefix`. */
export function prefixOption({ maxLength = 200 }: { maxLength?: number } = {}): z.ZodType {
  const right = `letters, digits and _, at most ${maxLength}`;
  return option(right, (value) => typeof value === "string" && value.length <= maxLength && /^\w*$/.test(value));
}

/** The quoted name of a table. */
export function tableName(tablePrefix: string, name: string): string {
  return quoted(tablePrefix + name);
}

/** The name of the index on `columns`. Errors about a unique contain it. */
export function indexName(
  dialect: Dialect,
  tablePrefix: string,
  collection: string,
  columns: readonly string[],
): string {
  return `${tablePrefix}${collection}_${columns.join("_")}`.slice(0, dialect.maxNameLength);
}

/** The columns of a collection as a select list. `rowFrom` reads its results. */
export function selectList(collection: CollectionName, alias?: string): string {
  const names = [...columnsOf(collection), "data"];
  return alias === undefined ? list(names) : names.map((name) => `${alias}.${quoted(name)}`).join(", ");
}

/** The row from a result of `selectList`. */
export function rowFrom(collection: CollectionName, found: Record<string, unknown>): Row {
  const columns: Record<string, unknown> = {};
  for (const column of columnsOf(collection)) columns[column] = found[column];
  const rest = JSON.parse(String(found.data));
  // `Object.assign` takes a fifth of the time of spreading, but with this name would set the prototype.
  return Object.hasOwn(rest, "__proto__") ? { ...columns, ...rest } : Object.assign(columns, rest);
}

/** Selects the row with this id if it matches `where`. */
export function getSql(tablePrefix: string, collection: CollectionName, id: string, where: Where = {}): Statement {
  const table = tableName(tablePrefix, collection);
  const condition = fitsSql(table, { id, where });
  return { text: `SELECT ${selectList(collection)} FROM ${table} WHERE ${condition.text}`, values: condition.values };
}

/** The condition for the row with this id if it matches `where`. */
export function fitsSql(table: string, { id, where }: { id: string; where: Where }): Statement {
  return allOf([whereSql(table, { id }), whereSql(table, where)]);
}

/** The condition of a claim: due and not leased. */
export function dueSql(
  table: string,
  { now, id, exceptAccounts = [] }: Pick<ClaimOptions, "now" | "id" | "exceptAccounts">,
): Statement {
  const due = whereSql(table, {
    due_at: { lte: now },
    ...(id === undefined ? {} : { id }),
    ...(exceptAccounts.length === 0 ? {} : { account_id: { not_in: exceptAccounts } }),
  });
  const lease = `${table}."lease_until"`;
  return allOf([due, { text: `(${lease} IS NULL OR ${lease} <= ?)`, values: [now] }]);
}

/** The condition of a claim of posts: due, and not claimed by another process. */
export function duePostsSql(
  table: string,
  { now, leaseUntil, exceptAccounts = [] }: Pick<ClaimOptions, "now" | "leaseUntil" | "exceptAccounts">,
): Statement {
  const due = whereSql(table, {
    status: "scheduled",
    due_at: { lte: now },
    ...(exceptAccounts.length === 0 ? {} : { account_id: { not_in: exceptAccounts } }),
  });
  const taken = whereSql(table, { due_at: { gte: -leaseUntil, lt: -now } });
  return allOf([due, { text: `NOT (${taken.text})`, values: taken.values }]);
}

/** Creates the query for the smallest `due_at`, at or before a time, of all rows that the worker reads for due work. */
export function nextDueSql(
  tablePrefix: string,
  { mergesUnions }: Dialect = sqliteDialect,
): (until: number) => Statement {
  const smallest = 'ORDER BY "due_at" ASC NULLS FIRST LIMIT 1';
  const walks = sweptRows.map(({ collection, where }) => {
    const table = tableName(tablePrefix, collection);
    const condition = whereSql(table, { ...where, due_at: { gte: 0, lte: 0 } });
    const text = `SELECT "due_at" FROM ${table} WHERE ${condition.text}`;
    return {
      text: mergesUnions ? text : `SELECT * FROM (${text} ${smallest}) AS walk`,
      values: condition.values.slice(0, -2),
    };
  });
  // The earliest end of a post's claim.
  const posts = tableName(tablePrefix, "posts");
  const started = whereSql(posts, { status: "scheduled", due_at: { lt: 0, gte: 0 } });
  const first = `SELECT "due_at" FROM ${posts} WHERE ${started.text} ORDER BY "due_at" DESC NULLS LAST LIMIT 1`;
  const claims = `SELECT -"due_at" AS "due_at" FROM (${first}) AS claims`;
  // Built once, because an idle process repeats the query.
  const text = `${[...walks.map((walk) => walk.text), claims].join(" UNION ALL ")} ${smallest}`;
  return (until) => ({
    text,
    values: [...walks.flatMap(({ values }) => [...values, until, 0]), ...started.values.slice(0, -2), 0, -until],
  });
}

/** Inserts a row, or nothing if the id or a unique is taken. */
export function insertSql(tablePrefix: string, collection: CollectionName, row: Row): Statement {
  const { names, values } = insertedValues(collection, row);
  return {
    text: `INSERT INTO ${tableName(tablePrefix, collection)} (${list(names)}) VALUES (${names.map(() => "?").join(", ")}) ON CONFLICT DO NOTHING`,
    values,
  };
}

/** The names of a table's columns, and a row's values in the same order. */
export function insertedValues(collection: CollectionName, row: Row): { names: string[]; values: ColumnValue[] } {
  const names = [...columnsOf(collection), "data"];
  return { names, values: names.map((name) => storedValue(collection, row, name)) };
}

/** The stored value of a row or change in a column, which may be `data`. */
export function storedValue(collection: CollectionName, row: JsonObject, name: string): ColumnValue {
  return name === "data" ? dataOf(collection, row) : columnValue(row, name);
}

/**
 * The assignments of `SET` for a change. Loops, because it runs for every changed row.
 *
 * @param dataSql returns the assignment of `data` for the fields that are not columns
 */
export function assignments(
  collection: CollectionName,
  change: JsonObject,
  dataSql: (others: JsonObject) => Statement,
): Statement {
  const texts: string[] = [];
  const values: ColumnValue[] = [];
  for (const column of columnsOf(collection)) {
    if (!Object.hasOwn(change, column)) continue;
    texts.push(`${quoted(column)} = ?`);
    values.push(columnValue(change, column));
  }
  const others = withoutColumns(collection, change);
  if (Object.keys(others).length > 0) {
    const data = dataSql(others);
    texts.push(data.text);
    values.push(...data.values);
  }
  return { text: texts.join(", "), values };
}

/** Sets `data` to these fields, none of which is a column. */
export function wholeData(others: JsonObject): Statement {
  return { text: '"data" = ?', values: [JSON.stringify(others)] };
}

/** The fields that are not columns, as JSON. */
function dataOf(collection: CollectionName, row: JsonObject): string {
  return JSON.stringify(withoutColumns(collection, row));
}
