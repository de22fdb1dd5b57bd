import { columnsOf, orderOf, schemaOf } from "../columns.ts";
import { type CollectionName, targetsListed, targetsPointBy, targetsRepeat } from "../schema.ts";
import type { Condition, FindQuery, Where } from "../storage.ts";
import { type Dialect, selectList, sqliteDialect, tableName } from "./sql.ts";
import { allOf, list, quoted, type Statement, whereSql } from "./statement.ts";

/** The query for the rows of a page. */
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

/** The query for `total`. */
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

/** The columns of a collection as a select list, without `data`, which is most of a row and would have to be parsed. */
function columnList(collection: CollectionName): string {
  return `${list([...columnsOf(collection)])}, '{}' AS "data"`;
}

/** How the ids of a page are read from an index in the page's order. */
interface Source {
  collection: CollectionName;
  where: Where;
  /** The column that holds the ids. */
  id: string;
  /** The columns of the index before the order's column. The index is in order as long as each of them has one value. */
  prefix: readonly string[];
}

/** Null: the page needs no special way; the database chooses the index itself. */
function sourceOf(collection: CollectionName, query: FindQuery): Source | null {
  const targets = targetsOf(query);
  if (targets !== null || query.some !== undefined || query.limit === undefined) return targets;
  const index = indexInOrder(collection, query, { where: query.where, id: "id" });
  if (index === null) return null;
  const { prefix, others } = index;
  // With one value for each column and no other condition, databases choose the index themselves.
  const isPlain = others.length === 0 && !prefix.some((column) => membersOf(query.where[column]).length > 1);
  return isPlain ? null : { collection, where: query.where, id: "id", prefix };
}

/** The targets as the source, if they repeat every column that the query needs of the posts, its order included. Null: they do not. */
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

/** The index with the longest prefix that is in the query's order for one value of each column, and has all columns of the conditions. */
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

/** True if the targets found contain each post only once: a unique index has the post's id, and one value of each other column. */
function hasEachOnce({ where }: Source): boolean {
  return schemaOf("targets").uniques.some(
    (unique) =>
      unique.includes(targetsPointBy) && unique.every((column) => column === targetsPointBy || isSingle(where[column])),
  );
}

/** Databases reject statements with very many parts. */
const maxParts = 100;

/**
 * The condition for an account's posts that have a target on one of several networks. It uses `target_networks`, the
 * column in which each post lists its networks. An account has few different lists: the query walks through them by the
 * index, and takes the posts of those that contain one of the networks. Null: the query is of another kind.
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

/** The condition for rows after the end of the previous page. */
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
 * The query for the ids of a page, each once and in order. It reads the index only as far as the page reaches.
 *
 * @param mergesUnions the dialect's
 */
function walk(tablePrefix: string, source: Source, query: FindQuery, mergesUnions: boolean): Statement {
  const { limit, offset } = query;
  const table = tableName(tablePrefix, source.collection);
  const columns = list([...new Set([orderOf(query).column, source.id])]);
  // The index is in order for one value at a time. `UNION` merges the ordered results.
  const walks = singly(source).map((where) => sourceCondition(tablePrefix, { ...source, where }, query));
  const order = orderSql(query, source.id);
  const page = pageSql({ limit, offset });
  // Of each part, the page needs at most its own length.
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

/** The conditions, once for each combination of values in the prefix, unless there are too many. */
function singly({ where, prefix }: Source): Where[] {
  return prefix.reduce<Where[]>(
    (wheres, column) => {
      const single = membersOf(where[column]).flatMap((value) => wheres.map((each) => ({ ...each, [column]: value })));
      return single.length === 0 || single.length > maxParts ? wheres : single;
    },
    [where],
  );
}

/** True for a condition of one value, or of null. */
function isSingle(condition: Condition | undefined): condition is null | number | string {
  return condition !== undefined && (typeof condition !== "object" || condition === null);
}

/** True for a condition of one value or of a list of values. */
function isPinned(condition: Condition | undefined): boolean {
  return isSingle(condition) || membersOf(condition).length > 0;
}

/** The values of a condition that is only a list; empty for any other condition. */
function membersOf(condition: Condition | undefined): (string | number)[] {
  if (typeof condition !== "object" || condition === null || Object.keys(condition).join() !== "in") return [];
  return [...new Set(condition.in)];
}

function withoutPage({ limit: _limit, offset: _offset, ...query }: FindQuery): FindQuery {
  return query;
}

/** @param id the column that decides between rows with equal values */
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
