/**
 * The SQL of `first-try.ts`, which says what it is for: whole writes as one statement.
 */
import { type JsonObject, unstorableText } from "../../wire/json.ts";
import { schemaOf, withoutUndefined } from "../columns.ts";
import { assignments, fitsSql, insertedValues, tableName } from "../sql/sql.ts";
import { joined, list, type Statement } from "../sql/statement.ts";
import { type Operation, rowIdOf } from "../storage.ts";
import { maxParts } from "./batch.ts";
import { mayTakeUnique } from "./plan.ts";

type Insert = Extract<Operation, { kind: "insert" }>;
type Update = Extract<Operation, { kind: "update" }>;
type Check = Extract<Operation, { kind: "check" }>;

/** A write that one statement can do, by itself or together with others that are like it. */
export interface SingleWrite {
  /** What is recorded with it. */
  id: string;
  /** The rows that it names, as `collection id`. */
  rows: readonly string[];
  /** Equal for writes that differ in nothing but their values. */
  shape: string;
  /** True: it may change a unique, which another may need. */
  isAlone: boolean;
  /** Answers a row where the condition holds; with its place in the order of all locks. */
  locks: readonly { place: string; statement: Statement }[];
  steps: readonly Statement[];
}

/**
 * Takes in a write, whose values may change afterwards.
 *
 * Null: it needs more than one statement. The parts of a statement have
 * no order, so none may need another's effect.
 *
 * @param id recorded with the write
 */
export function singleWrite(operations: readonly Operation[], tablePrefix: string, id: string): SingleWrite | null {
  if (!areApart(operations)) return null;
  const inserts = operations.filter((operation) => operation.kind === "insert");
  const changes = operations.filter((operation) => operation.kind === "update" || operation.kind === "check");
  const updates = changes
    .filter((operation) => operation.kind === "update")
    .map((update) => ({ ...update, change: withoutUndefined(update.change) }))
    .filter(({ change }) => Object.keys(change).length > 0);
  const locks = changes.map((change) => ({ place: placeOf(change), statement: lockSql(tablePrefix, change) }));
  const steps = [
    ...updates.map((update) => updateSql(tablePrefix, update)),
    ...inserts.map((insert) => insertSql(tablePrefix, insert)),
  ];
  const shape = [...locks.map(({ statement }) => statement), ...steps].map(({ text }) => text).join(";");
  return { id, rows: operations.map(placeOf), shape, isAlone: updates.some(mayTakeUnique), locks, steps };
}

/**
 * Whole writes as one statement: it locks the rows that are named, in the order
 * of every write, and when all conditions hold it records the writes' ids and
 * changes the rows. Answers a row if it did, none if a condition did not hold; a
 * unique that is taken is an error.
 *
 * @param writes one, or several of one shape that name no row twice
 * @param settings expressions that change settings for this transaction
 * @param writesTable where the writes' ids are recorded
 */
export function singleStatement(
  writes: readonly SingleWrite[],
  { settings, writesTable }: { settings: readonly string[]; writesTable: string },
): Statement {
  const locks = writes.flatMap((write) => write.locks).sort((one, other) => (one.place < other.place ? -1 : 1));
  const locked = locks.length > 0 ? locks.map(({ statement }) => statement) : [noRow];
  const ids = writes.map(() => "(?)").join(", ");
  const isAllowed = `(SELECT count(*) FROM "locked") = ${locks.length} AND EXISTS (SELECT 1 FROM "settings")`;
  const record = `INSERT INTO ${writesTable} ("id") SELECT "id" FROM (VALUES ${ids}) AS "new" ("id") WHERE ${isAllowed} RETURNING "id"`;
  const parts = [
    part("settings", { text: `SELECT ${settings.join(", ")}`, values: [] }),
    part("locked", joined(locked, " UNION ALL ")),
    part("written", { text: record, values: writes.map(({ id }) => id) }),
    ...writes.flatMap(({ steps }) => steps).map((step, place) => part(`step_${place}`, step)),
  ];
  const { text, values } = joined(parts, ", ");
  return { text: `WITH ${text} SELECT "id" FROM "written"`, values, isRecurring: writes.length > 1 };
}

/** Of writes of one shape, the first and those that may go with it. */
export function withTheFirst([first, ...others]: readonly SingleWrite[]): SingleWrite[] {
  if (first === undefined) return [];
  if (first.isAlone) return [first];
  const max = Math.floor(maxParts / first.rows.length);
  const chosen = [first];
  const rows = new Set(first.rows);
  for (const other of others) {
    if (chosen.length >= max) break;
    if (other.rows.some((row) => rows.has(row))) continue;
    for (const row of other.rows) rows.add(row);
    chosen.push(other);
  }
  // Few sizes, so few statements.
  return chosen.slice(0, 2 ** Math.floor(Math.log2(chosen.length)));
}

const noRow: Statement = { text: "SELECT 1 LIMIT 0", values: [] };
const onlyIfWritten = 'EXISTS (SELECT 1 FROM "written")';

function part(name: string, { text, values }: Statement): Statement {
  return { text: `"${name}" AS MATERIALIZED (${text})`, values };
}

/** True when no operation can need another's effect. */
function areApart(operations: readonly Operation[]): boolean {
  if (operations.length > maxParts) return false;
  const ids = operations.map(rowIdOf);
  if (new Set(operations.map(placeOf)).size < ids.length || ids.some((id) => unstorableText.test(id))) return false;
  return operations.every((operation) => operation.kind !== "delete" && !mayPassUnique(operation, operations));
}

/** True for an update of a unique beside others: one row may give up what another takes. */
function mayPassUnique(operation: Operation, operations: readonly Operation[]): boolean {
  if (operation.kind !== "update" || !mayTakeUnique(operation)) return false;
  return operations.filter(({ collection }) => collection === operation.collection).length > 1;
}

/** The row's, in the order of all locks. (No name of a collection is the beginning of another's.) */
function placeOf(operation: Operation): string {
  return `${operation.collection} ${rowIdOf(operation)}`;
}

/** Answers a row if it is there and its condition holds, and locks it. The settings first: one says how long a lock is waited for. */
function lockSql(tablePrefix: string, operation: Update | Check): Statement {
  const table = tableName(tablePrefix, operation.collection);
  const fits = fitsSql(table, operation);
  const row = `SELECT "id" FROM ${table} WHERE EXISTS (SELECT 1 FROM "settings") AND ${fits.text} FOR UPDATE`;
  return { text: `SELECT 1 FROM (${row}) AS "row"`, values: fits.values };
}

function insertSql(tablePrefix: string, { collection, row }: Insert): Statement {
  const { columns } = schemaOf(collection);
  const inserted = insertedValues(collection, row);
  // What a list selects has no type of its own.
  const selected = inserted.names.map((name) => (columns[name] === "integer" ? "?::bigint" : "?::text"));
  return {
    text: `INSERT INTO ${tableName(tablePrefix, collection)} (${list(inserted.names)}) SELECT ${selected.join(", ")} WHERE ${onlyIfWritten}`,
    values: inserted.values,
  };
}

function updateSql(tablePrefix: string, { collection, id, change }: Update): Statement {
  const set = assignments(collection, change, dataSql);
  const text = `UPDATE ${tableName(tablePrefix, collection)} SET ${set.text} WHERE "id" = ? AND ${onlyIfWritten}`;
  return { text, values: [...set.values, id] };
}

/** Replaces fields of the JSON in `data`. Not by `jsonb`, which would rewrite all others: their bytes stay as they are. */
function dataSql(fields: JsonObject): Statement {
  const names = Object.keys(fields);
  const kept = `SELECT "key", "value" FROM json_each("data"::json) WHERE "key" NOT IN (${names.map(() => "?").join(", ")})`;
  const all = `${kept} UNION ALL SELECT "key", "value" FROM json_each(?::text::json)`;
  return {
    text: `"data" = (SELECT json_object_agg("key", "value")::text FROM (${all}) AS "field")`,
    values: [...names, JSON.stringify(fields)],
  };
}
