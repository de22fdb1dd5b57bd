import type * as z from "zod";
import { option } from "../../ports/parse-options.ts";
import type { JsonObject } from "../../wire/json.ts";
import { type ColumnValue, columnsOf, columnValue, orderOf, withoutColumns } from "../columns.ts";
import { type CollectionName, sweptRows, targetsPointBy, targetsRepeat } from "../schema.ts";
import type { ClaimOptions, Condition, FindQuery, Row, Where } from "../storage.ts";
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
}

export const sqliteDialect: Dialect = {
  text: "TEXT",
  integer: "INTEGER",
  nullsInIndex: "",
  forgetfulTable: "TABLE",
  maxNameLength: Number.POSITIVE_INFINITY,
  isRemote: false,
  mergesUnions: true,
};

export const postgresDialect: Dialect = {
  text: 'TEXT COLLATE "C"',
  integer: "BIGINT",
  nullsInIndex: " NULLS FIRST",
  forgetfulTable: "UNLOGGED TABLE",
  maxNameLength: 63, // https://www.postgresql.org/docs/18/limits.html, read November 2026
  isRemote: true,
  mergesUnions: false,
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

/** The same, without the fields that are no columns: they are most of a row, and to be parsed. */
function columnList(collection: CollectionName): string {
  return `${list([...columnsOf(collection)])}, '{}' AS "data"`;
}

/** The row that a select list brought. */
export function rowFrom(collection: CollectionName, found: Record<string, unknown>): Row {
  const columns: Record<string, unknown> = {};
  for (const column of columnsOf(collection)) columns[column] = found[column];
  const rest = JSON.parse(String(found.data));
  // A fifth of the time that spreading takes; but this name would set the prototype.
  return Object.hasOwn(rest, "__proto__") ? { ...columns, ...rest } : Object.assign(columns, rest);
}

export function findSql(
  tablePrefix: string,
  collection: CollectionName,
  query: FindQuery,
  dialect: Dialect = sqliteDialect,
): Statement {
  const columns = query.needsOnlyColumns === true ? columnList(collection) : selectList(collection);
  const found = `SELECT ${columns} FROM ${tableName(tablePrefix, collection)} WHERE`;
  const order = orderSql(query, "id");
  if (isAnsweredByTargets(query)) {
    const page = walkTargets(tablePrefix, query, query, dialect.mergesUnions);
    const text = `${found} "id" IN (SELECT ${quoted(targetsPointBy)} FROM (${page.text}) AS page) ${order}`;
    return { text, values: page.values };
  }
  const condition = queryCondition(tablePrefix, collection, query);
  const page = pageSql(query);
  return { text: `${found} ${condition.text} ${order} ${page.text}`, values: [...condition.values, ...page.values] };
}

/** Answers `total`. */
export function countSql(tablePrefix: string, collection: CollectionName, query: FindQuery): Statement {
  if (isAnsweredByTargets(query)) {
    const all = walkTargets(tablePrefix, query, {}, true);
    return { text: `SELECT COUNT(*) AS total FROM (${all.text}) AS found`, values: all.values };
  }
  const condition = queryCondition(tablePrefix, collection, query);
  return {
    text: `SELECT COUNT(*) AS total FROM ${tableName(tablePrefix, collection)} WHERE ${condition.text}`,
    values: condition.values,
  };
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

function queryCondition(tablePrefix: string, collection: CollectionName, { where, some }: FindQuery): Statement {
  const table = tableName(tablePrefix, collection);
  const own = whereSql(table, where);
  if (some === undefined) return own;
  const theirs = whereSql("target", some.targets);
  const targets = `SELECT 1 FROM ${tableName(tablePrefix, "targets")} AS target`;
  const exists = `EXISTS (${targets} WHERE target.${quoted(targetsPointBy)} = ${table}."id" AND ${theirs.text})`;
  return allOf([own, { text: exists, values: theirs.values }]);
}

type TargetsQuery = FindQuery & Required<Pick<FindQuery, "some">>;

/** True when everything that is asked of the posts, their order too, stands in their targets. */
function isAnsweredByTargets(query: FindQuery): query is TargetsQuery {
  const asked = [...Object.keys(query.where), orderOf(query).column];
  return query.some !== undefined && asked.every((column) => targetsRepeat.includes(column));
}

/**
 * The posts of matching targets, each once and in its place, read off an index as far as the page reaches.
 *
 * @param mergesUnions the dialect's
 */
function walkTargets(
  tablePrefix: string,
  query: TargetsQuery,
  { limit, offset }: Pick<FindQuery, "limit" | "offset">,
  mergesUnions: boolean,
): Statement {
  const table = tableName(tablePrefix, "targets");
  const columns = list([orderOf(query).column, targetsPointBy]);
  // An index is in order for one value at a time; `UNION` merges what is in order.
  const walks = singly(query.some.targets).map((targets) =>
    allOf([whereSql(table, query.where), whereSql(table, targets)]),
  );
  const order = orderSql(query, targetsPointBy);
  const page = pageSql({ limit, offset });
  // A page needs no more of any walk than if it were alone.
  const isCut = !mergesUnions && limit !== undefined && walks.length > 1;
  const reach = isCut ? pageSql({ limit: limit + (offset ?? 0) }) : { text: "", values: [] };
  const texts = walks.map(({ text }) => `SELECT DISTINCT ${columns} FROM ${table} WHERE ${text}`);
  const cut = (text: string): string => (isCut ? `SELECT * FROM (${text} ${order} ${reach.text}) AS walk` : text);
  return {
    text: `${texts.map(cut).join(" UNION ")} ${order} ${page.text}`,
    values: [...walks.flatMap(({ values }) => [...values, ...reach.values]), ...page.values],
  };
}

/** Databases refuse a `UNION` of very many. */
const maxWalks = 50;

/** `where` once for each value of its lists, unless these are too many. */
function singly(where: Where): Where[] {
  return Object.entries(where).reduce<Where[]>(
    (wheres, [column, condition]) => {
      const single = membersOf(condition).flatMap((value) => wheres.map((each) => ({ ...each, [column]: value })));
      return single.length === 0 || single.length > maxWalks ? wheres : single;
    },
    [where],
  );
}

/** The values of a condition that is nothing but a list; none of any other. */
function membersOf(condition: Condition): (string | number)[] {
  if (typeof condition !== "object" || condition === null || Object.keys(condition).join() !== "in") return [];
  return [...new Set(condition.in)];
}

/** @param id the column that decides where the order's own is equal */
function orderSql(query: FindQuery, id: string): string {
  const { column, direction } = orderOf(query);
  const suffix = direction === "asc" ? "ASC NULLS FIRST" : "DESC NULLS LAST";
  return `ORDER BY ${[...new Set([column, id])].map((name) => `${quoted(name)} ${suffix}`).join(", ")}`;
}

function pageSql({
  limit = Number.MAX_SAFE_INTEGER,
  offset = 0,
}: {
  limit?: number | undefined;
  offset?: number | undefined;
}): Statement {
  return { text: "LIMIT ? OFFSET ?", values: [limit, offset] };
}

/** The fields that are no column, as JSON. */
function dataOf(collection: CollectionName, row: JsonObject): string {
  return JSON.stringify(withoutColumns(collection, row));
}
