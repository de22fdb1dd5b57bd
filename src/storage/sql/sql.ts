import type * as z from "zod";
import { option } from "../../ports/parse-options.ts";
import type { JsonObject } from "../../wire/json.ts";
import { type ColumnValue, columnsOf, columnValue, withoutColumns } from "../columns.ts";
import { type CollectionName, sweptRows } from "../schema.ts";
import type { ClaimOptions, Row, Where } from "../storage.ts";
import { allOf, list, quoted, type Statement, whereSql } from "./statement.ts";

export type { Statement } from "./statement.ts";

/** Where the databases differ in what they call things. */
export interface Dialect {
  /** A column's type. Text must compare by code point. */
  text: string;
  integer: string;
  /** What follows a column of an index, so that the index is in the order that `find` asks for: null below everything. */
  nullsInIndex: "" | " NULLS FIRST";
  /** A table that may be empty after a loss of power, if that makes it cheaper. */
  forgetfulTable: "TABLE" | "UNLOGGED TABLE";
  /** A name's letters that count; the rest is cut off. */
  maxNameLength: number;
  /** True: the database is reached over a connection, so its answer to a commit may get lost. */
  isRemote: boolean;
  /** True: the parts of a `UNION` are read in the order of the whole, as far as a page of it reaches. */
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

/** What every table's name begins with, by default. */
export const defaultTablePrefix = "postrider_";

/** The option that says what every table's name begins with. */
export function prefixOption({ maxLength = 200 }: { maxLength?: number } = {}): z.ZodType {
  const right = `letters, digits and _, at most ${maxLength}`;
  return option(right, (value) => typeof value === "string" && value.length <= maxLength && /^\w*$/.test(value));
}

/** The quoted name of a table. */
export function tableName(tablePrefix: string, name: string): string {
  return quoted(tablePrefix + name);
}

/** The name of the index over `columns`; errors about a unique give it. */
export function indexName(
  dialect: Dialect,
  tablePrefix: string,
  collection: string,
  columns: readonly string[],
): string {
  return `${tablePrefix}${collection}_${columns.join("_")}`.slice(0, dialect.maxNameLength);
}

/** The columns of a collection as a select list; `rowFrom` reads what comes back. */
export function selectList(collection: CollectionName, alias?: string): string {
  const names = [...columnsOf(collection), "data"];
  return alias === undefined ? list(names) : names.map((name) => `${alias}.${quoted(name)}`).join(", ");
}

/** The row that a select list brought. */
export function rowFrom(collection: CollectionName, found: Record<string, unknown>): Row {
  const columns: Record<string, unknown> = {};
  for (const column of columnsOf(collection)) columns[column] = found[column];
  const rest = JSON.parse(String(found.data));
  // A fifth of the time that spreading takes; but this name would set the prototype.
  return Object.hasOwn(rest, "__proto__") ? { ...columns, ...rest } : Object.assign(columns, rest);
}

/** Answers the row with this id, if it fulfils `where`. */
export function getSql(tablePrefix: string, collection: CollectionName, id: string, where: Where = {}): Statement {
  const table = tableName(tablePrefix, collection);
  const condition = fitsSql(table, { id, where });
  return { text: `SELECT ${selectList(collection)} FROM ${table} WHERE ${condition.text}`, values: condition.values };
}

/** Holds for the row with this id, if it fulfils `where`. */
export function fitsSql(table: string, { id, where }: { id: string; where: Where }): Statement {
  return allOf([whereSql(table, { id }), whereSql(table, where)]);
}

/** What a claim takes: what is due and not leased. */
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

/** Makes the question for the smallest `due_at` by a moment of all that a sweep looks for. */
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
  // The first end of a post's claim.
  const posts = tableName(tablePrefix, "posts");
  const started = whereSql(posts, { status: "scheduled", due_at: { lt: 0, gte: 0 } });
  const first = `SELECT "due_at" FROM ${posts} WHERE ${started.text} ORDER BY "due_at" DESC NULLS LAST LIMIT 1`;
  const claims = `SELECT -"due_at" AS "due_at" FROM (${first}) AS claims`;
  // Made once: an idle process asks it over and over.
  const text = `${[...walks.map((walk) => walk.text), claims].join(" UNION ALL ")} ${smallest}`;
  return (until) => ({
    text,
    values: [...walks.flatMap(({ values }) => [...values, until, 0]), ...started.values.slice(0, -2), 0, -until],
  });
}

/** Inserts nothing when the id or a unique is taken. */
export function insertSql(tablePrefix: string, collection: CollectionName, row: Row): Statement {
  const { names, values } = insertedValues(collection, row);
  return {
    text: `INSERT INTO ${tableName(tablePrefix, collection)} (${list(names)}) VALUES (${names.map(() => "?").join(", ")}) ON CONFLICT DO NOTHING`,
    values,
  };
}

/** What a table holds of a row: the values of its columns, by their names in order. */
export function insertedValues(collection: CollectionName, row: Row): { names: string[]; values: ColumnValue[] } {
  const names = [...columnsOf(collection), "data"];
  return { names, values: names.map((name) => storedValue(collection, row, name)) };
}

/** What a table holds of a row, or a change, in a column, `data` among them. */
export function storedValue(collection: CollectionName, row: JsonObject, name: string): ColumnValue {
  return name === "data" ? dataOf(collection, row) : columnValue(row, name);
}

/**
 * What to SET for a change. Loops, since each row that changes comes by.
 *
 * @param dataSql sets `data` so that the fields that are no column are as `others` says
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

/** Sets `data` to these fields, of which none is a column. */
export function wholeData(others: JsonObject): Statement {
  return { text: '"data" = ?', values: [JSON.stringify(others)] };
}

/** The fields that are no column, as JSON. */
function dataOf(collection: CollectionName, row: JsonObject): string {
  return JSON.stringify(withoutColumns(collection, row));
}
