/** The parts of a one-statement write (`single.ts`), one per operation. */
import type { JsonObject } from "../../wire/json.ts";
import { schemaOf } from "../columns.ts";
import { assignments, fitsSql, insertedValues, tableName, wholeData } from "../sql/sql.ts";
import { list, type Statement } from "../sql/statement.ts";
import { type Operation, rowIdOf } from "../storage.ts";

export type Insert = Extract<Operation, { kind: "insert" }>;
export type Update = Extract<Operation, { kind: "update" }>;
export type Check = Extract<Operation, { kind: "check" }>;

/** The rows that a write locks, and its steps. */
export interface Parts {
  locks: readonly Lock[];
  steps: readonly Statement[];
}

/** Locks rows, and returns one for each whose condition holds. */
export interface Lock {
  /** Its position in the order of all locks. */
  place: string;
  statement: Statement;
  /** The number of rows that it returns if all conditions hold. */
  rows: number;
}

/** A step runs only if all conditions hold. */
export const onlyIfWritten = 'EXISTS (SELECT 1 FROM "written")';

/** The row's position in the order of all locks. (No collection's name is the prefix of another's.) */
export function placeOf(operation: Operation): string {
  return `${operation.collection} ${rowIdOf(operation)}`;
}

/** False for an update that only checks its condition. */
export function isChange({ change }: Update): boolean {
  return Object.keys(change).length > 0;
}

/** Locks a row and returns it if its condition holds. Settings come first, since one of them limits the wait for a lock. */
export function lockSql(tablePrefix: string, operation: Update | Check): Statement {
  const table = tableName(tablePrefix, operation.collection);
  const fits = fitsSql(table, operation);
  const row = `SELECT "id" FROM ${table} WHERE EXISTS (SELECT 1 FROM "settings") AND ${fits.text} FOR UPDATE`;
  return { text: `SELECT 1 FROM (${row}) AS "row"`, values: fits.values };
}

export function insertSql(tablePrefix: string, { collection, row }: Insert): Statement {
  const { columns } = schemaOf(collection);
  const inserted = insertedValues(collection, row);
  // A selected value needs an explicit type.
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
 * The JSON in `stored` with some fields replaced by those of the JSON in `given`. It avoids `jsonb`, which would rewrite
 * the bytes of all other fields. The fields' names are its first parameters.
 */
export function mergedDataSql(names: readonly string[], stored: string, given: string): string {
  const kept = `SELECT "key", "value" FROM json_each(${stored}::json) WHERE "key" NOT IN (${names.map(() => "?").join(", ")})`;
  const all = `${kept} UNION ALL SELECT "key", "value" FROM json_each(${given}::text::json)`;
  return `(SELECT json_object_agg("key", "value")::text FROM (${all}) AS "field")`;
}
