/** The parts of a write as one statement (`single.ts`), one for each operation. */
import type { JsonObject } from "../../wire/json.ts";
import { schemaOf } from "../columns.ts";
import { assignments, fitsSql, insertedValues, tableName, wholeData } from "../sql/sql.ts";
import { list, type Statement } from "../sql/statement.ts";
import { type Operation, rowIdOf } from "../storage.ts";

export type Insert = Extract<Operation, { kind: "insert" }>;
export type Update = Extract<Operation, { kind: "update" }>;
export type Check = Extract<Operation, { kind: "check" }>;

/** What a write waits for, and what it does then. */
export interface Parts {
  locks: readonly Lock[];
  steps: readonly Statement[];
}

/** Locks rows, and answers one for each whose condition holds. */
export interface Lock {
  /** In the order of all locks. */
  place: string;
  statement: Statement;
  /** How many it answers if all conditions hold. */
  rows: number;
}

/** A step is taken only if all conditions hold. */
export const onlyIfWritten = 'EXISTS (SELECT 1 FROM "written")';

/** The row's, in the order of all locks. (No name of a collection is the beginning of another's.) */
export function placeOf(operation: Operation): string {
  return `${operation.collection} ${rowIdOf(operation)}`;
}

/** False for an update that only asks whether its condition holds. */
export function isChange({ change }: Update): boolean {
  return Object.keys(change).length > 0;
}

/** Answers a row if it is there and its condition holds, and locks it. The settings first: one says how long a lock is waited for. */
export function lockSql(tablePrefix: string, operation: Update | Check): Statement {
  const table = tableName(tablePrefix, operation.collection);
  const fits = fitsSql(table, operation);
  const row = `SELECT "id" FROM ${table} WHERE EXISTS (SELECT 1 FROM "settings") AND ${fits.text} FOR UPDATE`;
  return { text: `SELECT 1 FROM (${row}) AS "row"`, values: fits.values };
}

export function insertSql(tablePrefix: string, { collection, row }: Insert): Statement {
  const { columns } = schemaOf(collection);
  const inserted = insertedValues(collection, row);
  // What a list selects has no type of its own.
  const selected = inserted.names.map((name) => (columns[name] === "integer" ? "?::bigint" : "?::text"));
  return {
    text: `INSERT INTO ${tableName(tablePrefix, collection)} (${list(inserted.names)}) SELECT ${selected.join(", ")} WHERE ${onlyIfWritten}`,
    values: inserted.values,
  };
}

export function updateSql(tablePrefix: string, { collection, id, change, isComplete }: Update): Statement {
  const set = assignments(collection, change, isComplete ? wholeData : dataSql);
  const text = `UPDATE ${tableName(tablePrefix, collection)} SET ${set.text} WHERE "id" = ? AND ${onlyIfWritten}`;
  return { text, values: [...set.values, id] };
}

/** Replaces fields of the JSON in `data`. */
function dataSql(fields: JsonObject): Statement {
  const names = Object.keys(fields);
  return { text: `"data" = ${mergedDataSql(names, '"data"', "?")}`, values: [...names, JSON.stringify(fields)] };
}

/**
 * The JSON in `stored` with these fields of the JSON in `given` in place of its own. Not by `jsonb`, which would rewrite
 * all others: their bytes stay as they are. The names are its first values.
 */
export function mergedDataSql(names: readonly string[], stored: string, given: string): string {
  const kept = `SELECT "key", "value" FROM json_each(${stored}::json) WHERE "key" NOT IN (${names.map(() => "?").join(", ")})`;
  const all = `${kept} UNION ALL SELECT "key", "value" FROM json_each(${given}::text::json)`;
  return `(SELECT json_object_agg("key", "value")::text FROM (${all}) AS "field")`;
}
