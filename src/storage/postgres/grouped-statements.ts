/**
 * Builds one statement (`single.ts`) for a write of many operations. Operations that differ only in their values become
 * one part, and their values one parameter. Only for speed: the row `on Postgres` of `npm run bench -- ingest`. Without
 * it the write would be a transaction of `write.ts`, with the same effect.
 */
import type { JsonObject } from "../../wire/json.ts";
import { type ColumnValue, columnsOf } from "../columns.ts";
import type { CollectionName } from "../schema.ts";
import { storedValue, tableName } from "../sql/sql.ts";
import { list, quoted, type Statement } from "../sql/statement.ts";
import type { Operation, Where } from "../storage.ts";
import { type Alike, givenSql, groupsOf, maxParts } from "./batch.ts";
import {
  type Check,
  type Insert,
  isChange,
  type Lock,
  lockSql,
  mergedDataSql,
  onlyIfWritten,
  type Parts,
  placeOf,
  type Update,
} from "./single-parts.ts";

/** Null: the operations differ too much, or their conditions are more than equal values of columns. */
export function groupedStatements(operations: readonly Operation[], tablePrefix: string): Parts | null {
  const locks = locksOf(
    operations.filter((operation) => operation.kind === "update" || operation.kind === "check"),
    tablePrefix,
  );
  const updates = operations.filter((operation) => operation.kind === "update").filter(isChange);
  const inserts = operations.filter((operation) => operation.kind === "insert");
  const steps = [
    ...groupsOf(updates, shapeOf).map((alike) => updatesSql(tablePrefix, alike)),
    ...groupsOf(inserts, ({ collection }) => collection).map((alike) => insertsSql(tablePrefix, alike)),
  ];
  return locks === null || locks.length + steps.length > maxParts ? null : { locks, steps };
}

/** One part per collection, so that rows are locked in the same order by every write. */
function locksOf(operations: readonly (Update | Check)[], tablePrefix: string): Lock[] | null {
  const locks: Lock[] = [];
  for (const alike of groupsOf(operations, ({ collection }) => collection)) {
    const [first] = alike;
    if (alike.length === 1) {
      locks.push({ place: placeOf(first), statement: lockSql(tablePrefix, first), rows: 1 });
      continue;
    }
    const columns = Object.keys(first.where).sort();
    if (!alike.every(({ where }) => asksForValues(where, columns))) return null;
    locks.push({ place: `${first.collection} `, statement: locksSql(tablePrefix, alike, columns), rows: alike.length });
  }
  return locks;
}

/** True: the condition is one value for each of these columns, and nothing else. */
function asksForValues(where: Where, columns: readonly string[]): boolean {
  const isValue = (column: string): boolean => ["string", "number"].includes(typeof where[column]);
  return Object.keys(where).length === columns.length && columns.every((column) => column !== "id" && isValue(column));
}

/** Settings come first, as in `lockSql`. */
function locksSql(tablePrefix: string, operations: Alike<Update | Check>, columns: readonly string[]): Statement {
  const { collection } = operations[0];
  const named = ["id", ...columns];
  const rows = operations.map(({ id, where }) => ({ ...(where as Record<string, ColumnValue>), id }));
  const given = givenSql(collection, named, rows);
  const fits = named.map((name) => `"row".${quoted(name)} = "given".${quoted(name)}`).join(" AND ");
  const locked = `SELECT "row"."id" FROM ${tableName(tablePrefix, collection)} AS "row", ${given.text} WHERE EXISTS (SELECT 1 FROM "settings") AND ${fits} ORDER BY "row"."id" FOR UPDATE OF "row"`;
  return { text: `SELECT 1 FROM (${locked}) AS "row"`, values: given.values };
}

/** The columns that an update sets, and the fields that it changes in `data`. */
function shapeOf({ collection, change, isComplete }: Update): string {
  const { columns, fields } = changedNames(collection, change);
  return [collection, ...columns, isComplete, ...(isComplete ? [fields.length > 0] : fields.sort())].join(" ");
}

function changedNames(collection: CollectionName, change: JsonObject): Record<"columns" | "fields", string[]> {
  const columns = columnsOf(collection).filter((column) => Object.hasOwn(change, column));
  return { columns, fields: Object.keys(change).filter((name) => !columns.includes(name)) };
}

function updatesSql(tablePrefix: string, updates: Alike<Update>): Statement {
  const [{ collection, change, isComplete }] = updates;
  const { columns, fields } = changedNames(collection, change);
  const names = [...columns, ...(fields.length > 0 ? ["data"] : [])];
  const rows = updates.map((update) => ({
    id: update.id,
    ...Object.fromEntries(names.map((name) => [name, storedValue(collection, update.change, name)])),
  }));
  const given = givenSql(collection, ["id", ...names], rows);
  const isMerged = fields.length > 0 && !isComplete;
  const assigned = (name: string): string =>
    name === "data" && isMerged ? mergedDataSql(fields, '"row"."data"', '"given"."data"') : `"given".${quoted(name)}`;
  const sets = names.map((name) => `${quoted(name)} = ${assigned(name)}`);
  return {
    text: `UPDATE ${tableName(tablePrefix, collection)} AS "row" SET ${sets.join(", ")} FROM ${given.text} WHERE "row"."id" = "given"."id" AND ${onlyIfWritten}`,
    values: [...(isMerged ? fields : []), ...given.values],
  };
}

function insertsSql(tablePrefix: string, inserts: Alike<Insert>): Statement {
  const [{ collection }] = inserts;
  const names = [...columnsOf(collection), "data"];
  const rows = inserts.map(({ row }) =>
    Object.fromEntries(names.map((name) => [name, storedValue(collection, row, name)])),
  );
  const given = givenSql(collection, names, rows);
  const text = `INSERT INTO ${tableName(tablePrefix, collection)} (${list(names)}) SELECT ${list(names)} FROM ${given.text} WHERE ${onlyIfWritten}`;
  return { text, values: given.values };
}
