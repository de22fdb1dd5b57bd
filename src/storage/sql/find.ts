import { columnsOf, orderOf, schemaOf } from "../columns.ts";
import { type CollectionName, targetsListed, targetsPointBy, targetsRepeat } from "../schema.ts";
import type { Condition, FindQuery, Where } from "../storage.ts";
import { type Dialect, selectList, sqliteDialect, tableName } from "./sql.ts";
import { allOf, list, quoted, type Statement, whereSql } from "./statement.ts";

/** Answers the rows of a page. */
export function findSql(
  tablePrefix: string,
  collection: CollectionName,
  query: FindQuery,
  dialect: Dialect = sqliteDialect,
): Statement {
  const columns = query.needsOnlyColumns === true ? columnList(collection) : selectList(collection);
  const found = `SELECT ${columns} FROM ${tableName(tablePrefix, collection)} WHERE`;
  const order = orderSql(query, "id");
  const source = sourceOf(collection, query);
  if (source !== null) {
    const page = walk(tablePrefix, source, query, dialect.mergesUnions);
    const text = `${found} "id" IN (SELECT ${quoted(source.id)} FROM (${page.text}) AS page) ${order}`;
    return { text, values: page.values };
  }
  const condition = queryCondition(tablePrefix, collection, query);
  const page = pageSql(query);
  return { text: `${found} ${condition.text} ${order} ${page.text}`, values: [...condition.values, ...page.values] };
}

/** Answers `total`. */
export function countSql(
  tablePrefix: string,
  collection: CollectionName,
  query: FindQuery,
  dialect: Dialect = sqliteDialect,
): Statement {
  const targets = targetsOf(query);
  if (targets === null) {
    const condition = queryCondition(tablePrefix, collection, query);
    return counted(tableName(tablePrefix, collection), condition);
  }
  if (hasEachOnce(targets))
    return counted(tableName(tablePrefix, "targets"), sourceCondition(tablePrefix, targets, query));
  const listed = listedCondition(tablePrefix, query, dialect);
  if (listed !== null) return counted(tableName(tablePrefix, collection), listed);
  const all = walk(tablePrefix, targets, withoutPage(query), true);
  return { text: `SELECT COUNT(*) AS total FROM (${all.text}) AS found`, values: all.values };
}

function counted(table: string, { text, values }: Statement): Statement {
  return { text: `SELECT COUNT(*) AS total FROM ${table} WHERE ${text}`, values };
}

/** The columns of a collection as a select list, without the fields that are none: they are most of a row, and to be parsed. */
function columnList(collection: CollectionName): string {
  return `${list([...columnsOf(collection)])}, '{}' AS "data"`;
}

/** Where the ids of a page are read, off an index that is in the page's order. */
interface Source {
  collection: CollectionName;
  where: Where;
  /** The column that holds the ids. */
  id: string;
  /** The columns that the index has before the order's own: it is in order where each has one value. */
  prefix: readonly string[];
}

/** Null: the rows of the page are read as they are found. */
function sourceOf(collection: CollectionName, query: FindQuery): Source | null {
  const targets = targetsOf(query);
  if (targets !== null || query.some !== undefined || query.limit === undefined) return targets;
  const index = indexInOrder(collection, query, { where: query.where, id: "id" });
  if (index === null) return null;
  const { prefix, others } = index;
  // Where one value of each column is asked for, and nothing besides, databases find the way themselves.
  const isPlain = others.length === 0 && !prefix.some((column) => membersOf(query.where[column]).length > 1);
  return isPlain ? null : { collection, where: query.where, id: "id", prefix };
}

/** The targets of the posts, where everything that is asked of these, their order too, stands in them; null: it does not. */
function targetsOf(query: FindQuery): Source | null {
  if (query.some === undefined) return null;
  const asked = [...Object.keys(query.where), orderOf(query).column];
  if (!asked.every((column) => Object.hasOwn(targetsRepeat, column))) return null;
  const repeated = Object.entries(query.where).map(([column, condition]) => [
    targetsRepeat[column] ?? column,
    condition,
  ]);
  if (repeated.some(([column]) => Object.hasOwn(query.some?.targets ?? {}, String(column)))) return null;
  const where: Where = { ...Object.fromEntries(repeated), ...query.some.targets };
  const index = indexInOrder("targets", query, { where, id: targetsPointBy });
  return { collection: "targets", where, id: targetsPointBy, prefix: index?.prefix ?? Object.keys(where) };
}

/** The index with the longest prefix that is in the query's order for one value of each column, and has all that is asked. */
function indexInOrder(
  collection: CollectionName,
  query: FindQuery,
  { where, id }: Pick<Source, "where" | "id">,
): { prefix: readonly string[]; others: string[] } | null {
  const { column } = orderOf(query);
  const fitting = schemaOf(collection).indexes.flatMap((index) => {
    const place = index.indexOf(column);
    const prefix = index.slice(0, place);
    if (place < 0 || index[place + 1] !== id) return [];
    if (!prefix.every((each) => isPinned(where[each])) || !Object.keys(where).every((each) => index.includes(each)))
      return [];
    const others = Object.keys(where).filter((each) => each !== column && !prefix.includes(each));
    return [{ prefix, others }];
  });
  return fitting.sort((one, other) => other.prefix.length - one.prefix.length)[0] ?? null;
}

/** True when the targets that are found have each post once: a unique holds the post, and one value of each other column. */
function hasEachOnce({ where }: Source): boolean {
  return schemaOf("targets").uniques.some(
    (unique) =>
      unique.includes(targetsPointBy) && unique.every((column) => column === targetsPointBy || isSingle(where[column])),
  );
}

/** Databases refuse statements of very many parts. */
const maxParts = 100;

/**
 * Posts of one account with targets that have one of several values, by the column that lists these. Null: something else
 * is asked. The lists that there are, few beside the posts, are read one by one off the index that has them in front.
 */
function listedCondition(
  tablePrefix: string,
  { where, some, ...query }: FindQuery,
  { placeOf, isAmong }: Dialect,
): Statement | null {
  const { column, of } = targetsListed;
  const theirs = some?.targets[of];
  const wanted = typeof theirs === "string" ? [theirs] : membersOf(theirs);
  const account = where.account_id;
  const isAskedAlone = Object.keys(some?.targets ?? {}).join() === of;
  if (!isAskedAlone || !isSingle(account) || wanted.length === 0 || wanted.length > maxParts) return null;
  const table = tableName(tablePrefix, "posts");
  const [name, ownAccount] = [quoted(column), whereSql(table, { account_id: account })];
  const next = `SELECT MIN(${name}) AS "list" FROM ${table} WHERE ${ownAccount.text}`;
  const each =
    `WITH RECURSIVE lists AS (${next} UNION ALL ` +
    `SELECT (${next} AND ${name} > lists."list") FROM lists WHERE lists."list" IS NOT NULL)`;
  const has = wanted.map(() => `${placeOf(`',' || lists."list" || ','`, "?")} > 0`).join(" OR ");
  const lists = `${each} SELECT "list" FROM lists WHERE ${has}`;
  return allOf([
    whereSql(table, where),
    afterSql(table, { where, ...query }, "id"),
    {
      text: isAmong(`${table}.${name}`, lists),
      values: [...ownAccount.values, ...ownAccount.values, ...wanted.map((value) => `,${value},`)],
    },
  ]);
}

function queryCondition(tablePrefix: string, collection: CollectionName, query: FindQuery): Statement {
  const table = tableName(tablePrefix, collection);
  const own = allOf([whereSql(table, query.where), afterSql(table, query, "id")]);
  if (query.some === undefined) return own;
  const theirs = whereSql("target", query.some.targets);
  const targets = `SELECT 1 FROM ${tableName(tablePrefix, "targets")} AS target`;
  const exists = `EXISTS (${targets} WHERE target.${quoted(targetsPointBy)} = ${table}."id" AND ${theirs.text})`;
  return allOf([own, { text: exists, values: theirs.values }]);
}

function sourceCondition(tablePrefix: string, { collection, where, id }: Source, query: FindQuery): Statement {
  const table = tableName(tablePrefix, collection);
  return allOf([whereSql(table, where), afterSql(table, query, id)]);
}

/** Holds behind the place where the last page ended. */
function afterSql(table: string, query: FindQuery, id: string): Statement {
  if (query.after === undefined) return allOf([]);
  const { column, direction } = orderOf(query);
  const place = [column, id].map((name) => `${table}.${quoted(name)}`).join(", ");
  return {
    text: `(${place}) ${direction === "asc" ? ">" : "<"} (?, ?)`,
    values: [query.after.value, query.after.id],
  };
}

/**
 * The ids of a source, each once and in its place, read off an index as far as the page reaches.
 *
 * @param mergesUnions the dialect's
 */
function walk(tablePrefix: string, source: Source, query: FindQuery, mergesUnions: boolean): Statement {
  const { limit, offset } = query;
  const table = tableName(tablePrefix, source.collection);
  const columns = list([...new Set([orderOf(query).column, source.id])]);
  // An index is in order for one value at a time; `UNION` merges what is in order.
  const walks = singly(source).map((where) => sourceCondition(tablePrefix, { ...source, where }, query));
  const order = orderSql(query, source.id);
  const page = pageSql({ limit, offset });
  // A page needs no more of any walk than if it were alone.
  const isCut = !mergesUnions && limit !== undefined && walks.length > 1;
  const reach = isCut ? pageSql({ limit: limit + (offset ?? 0) }) : { text: "", values: [] };
  const [distinct, union] = source.id === "id" ? ["", "UNION ALL"] : ["DISTINCT ", "UNION"];
  const texts = walks.map(({ text }) => `SELECT ${distinct}${columns} FROM ${table} WHERE ${text}`);
  const cut = (text: string): string => (isCut ? `SELECT * FROM (${text} ${order} ${reach.text}) AS walk` : text);
  return {
    text: `${texts.map(cut).join(` ${union} `)} ${order} ${page.text}`,
    values: [...walks.flatMap(({ values }) => [...values, ...reach.values]), ...page.values],
  };
}

/** What is asked, once for each value of the lists in the prefix, unless these are too many. */
function singly({ where, prefix }: Source): Where[] {
  return prefix.reduce<Where[]>(
    (wheres, column) => {
      const single = membersOf(where[column]).flatMap((value) => wheres.map((each) => ({ ...each, [column]: value })));
      return single.length === 0 || single.length > maxParts ? wheres : single;
    },
    [where],
  );
}

/** True for a condition that one value fulfils, or null alone. */
function isSingle(condition: Condition | undefined): condition is null | number | string {
  return condition !== undefined && (typeof condition !== "object" || condition === null);
}

/** True for one value, and for a list of values and nothing else. */
function isPinned(condition: Condition | undefined): boolean {
  return isSingle(condition) || membersOf(condition).length > 0;
}

/** The values of a condition that is nothing but a list; none of any other. */
function membersOf(condition: Condition | undefined): (string | number)[] {
  if (typeof condition !== "object" || condition === null || Object.keys(condition).join() !== "in") return [];
  return [...new Set(condition.in)];
}

function withoutPage({ limit: _limit, offset: _offset, ...query }: FindQuery): FindQuery {
  return query;
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
