/**
 * The SQL of `first-try.ts`: whole writes as one statement.
 */
import { unstorableText } from "../../wire/json.ts";
import { withoutUndefined } from "../columns.ts";
import { tableName } from "../sql/sql.ts";
import { joined, type Statement } from "../sql/statement.ts";
import { type Operation, rowIdOf } from "../storage.ts";
import { maxParts, maxRows } from "./batch.ts";
import { groupedStatements } from "./grouped-statements.ts";
import { mayTakeUnique } from "./plan.ts";
import {
  insertSql,
  isChange,
  type Lock,
  lockSql,
  onlyIfWritten,
  type Parts,
  placeOf,
  updateSql,
} from "./single-parts.ts";

/** A write that fits into one statement, alone or together with similar ones. */
export interface SingleWrite {
  /** The id that is recorded with it. */
  id: string;
  /** Its rows, as `collection id`. */
  rows: readonly string[];
  /** Equal for writes that differ only in their values. */
  shape: string;
  /** True: it may change a unique value that another write needs. */
  isAlone: boolean;
  locks: readonly Lock[];
  steps: readonly Statement[];
  /** Returns a row if the row of its only operation exists; null: it has several operations, or inserts. */
  onlyRow: Statement | null;
}

/** What the statement of a lone write returns when its row exists but does not meet the condition. */
export const unfit = "unfit";

/**
 * Reads the values of a write, which may change afterwards.
 *
 * Null: it needs more than one statement. The parts of a statement have
 * no order, so none may depend on another.
 *
 * @param id recorded with the write
 */
export function singleWrite(operations: readonly Operation[], tablePrefix: string, id: string): SingleWrite | null {
  if (!areApart(operations)) return null;
  const given = operations.map((operation) =>
    operation.kind === "update" ? { ...operation, change: withoutUndefined(operation.change) } : operation,
  );
  const parts = operations.length > maxParts ? groupedStatements(given, tablePrefix) : partsOf(given, tablePrefix);
  if (parts === null) return null;
  const { locks, steps } = parts;
  const shape = [...locks.map(({ statement }) => statement), ...steps].map(({ text }) => text).join(";");
  const isAlone = operations.some((operation) => operation.kind === "update" && mayTakeUnique(operation));
  return {
    id,
    rows: operations.map(placeOf),
    shape,
    isAlone,
    locks,
    steps,
    onlyRow: onlyRowOf(operations, tablePrefix),
  };
}

function onlyRowOf([first, ...others]: readonly Operation[], tablePrefix: string): Statement | null {
  if (first === undefined || first.kind === "insert" || others.length > 0) return null;
  return { text: `SELECT 1 FROM ${tableName(tablePrefix, first.collection)} WHERE "id" = ?`, values: [first.id] };
}

/** One part for each operation. */
function partsOf(operations: readonly Operation[], tablePrefix: string): Parts {
  const updates = operations.filter((operation) => operation.kind === "update").filter(isChange);
  const inserts = operations.filter((operation) => operation.kind === "insert");
  return {
    locks: operations
      .filter((operation) => operation.kind === "update" || operation.kind === "check")
      .map((operation) => ({ place: placeOf(operation), statement: lockSql(tablePrefix, operation), rows: 1 })),
    steps: [
      ...updates.map((update) => updateSql(tablePrefix, update)),
      ...inserts.map((insert) => insertSql(tablePrefix, insert)),
    ],
  };
}

/**
 * Whole writes as one statement. It locks their rows in the order that all writes
 * use. If all conditions hold, it records the writes' ids, changes the rows and
 * returns the ids; otherwise it returns nothing, or `unfit`. A violated unique index is an error.
 *
 * @param writes one, or several of one shape without a common row
 * @param settings expressions that change settings for this transaction
 * @param writesTable where the writes' ids are recorded
 */
export function singleStatement(
  writes: readonly SingleWrite[],
  { settings, writesTable }: { settings: readonly string[]; writesTable: string },
): Statement {
  const locks = writes.flatMap((write) => write.locks).sort((one, other) => (one.place < other.place ? -1 : 1));
  const rows = locks.reduce((sum, lock) => sum + lock.rows, 0);
  const locked = locks.length > 0 ? locks.map(({ statement }) => statement) : [noRow];
  const ids = writes.map(() => "(?)").join(", ");
  // A parameter, not a literal: the SQL is then the same for any number of rows, and few statements are prepared.
  const isAllowed = '(SELECT count(*) FROM "locked") = ?::bigint AND EXISTS (SELECT 1 FROM "settings")';
  const record = `INSERT INTO ${writesTable} ("id") SELECT "id" FROM (VALUES ${ids}) AS "new" ("id") WHERE ${isAllowed} RETURNING "id"`;
  const parts = [
    part("settings", { text: `SELECT ${settings.join(", ")}`, values: [] }),
    part("locked", joined(locked, " UNION ALL ")),
    part("written", { text: record, values: [...writes.map(({ id }) => id), rows] }),
    ...writes.flatMap(({ steps }) => steps).map((step, place) => part(`step_${place}`, step)),
  ];
  const { text, values } = joined(parts, ", ");
  const [{ onlyRow }] = writes as [SingleWrite];
  const written = `WITH ${text} SELECT "id" FROM "written"`;
  if (onlyRow === null || writes.length > 1) return { text: written, values, isRecurring: writes.length > 1 };
  const refused = `SELECT '${unfit}' WHERE NOT ${onlyIfWritten} AND EXISTS (${onlyRow.text})`;
  return { text: `${written} UNION ALL ${refused}`, values: [...values, ...onlyRow.values] };
}

/** The first of the writes of one shape, and those that can be sent with it. */
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
  // Few sizes mean few different statements.
  return chosen.slice(0, 2 ** Math.floor(Math.log2(chosen.length)));
}

const noRow: Statement = { text: "SELECT 1 LIMIT 0", values: [] };

function part(name: string, { text, values }: Statement): Statement {
  return { text: `"${name}" AS MATERIALIZED (${text})`, values };
}

/** True if no operation can depend on another. */
function areApart(operations: readonly Operation[]): boolean {
  if (operations.length > maxRows) return false;
  const ids = operations.map(rowIdOf);
  if (new Set(operations.map(placeOf)).size < ids.length || ids.some((id) => unstorableText.test(id))) return false;
  return operations.every((operation) => operation.kind !== "delete" && !mayPassUnique(operation, operations));
}

/** True for an update of a unique column beside other operations: one row may free the value that another takes. */
function mayPassUnique(operation: Operation, operations: readonly Operation[]): boolean {
  if (operation.kind !== "update" || !mayTakeUnique(operation)) return false;
  return operations.filter(({ collection }) => collection === operation.collection).length > 1;
}
