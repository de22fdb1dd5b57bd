/**
 * The SQL of `first-try.ts`, which says what it is for: whole writes as one statement.
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
  locks: readonly Lock[];
  steps: readonly Statement[];
  /** Answers a row if the only row that it has a condition on is there; null: there are several, or none. */
  onlyRow: Statement | null;
}

/** What the statement of a write alone answers when the condition on its only row does not hold, and the row is there. */
export const unfit = "unfit";

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
 * Whole writes as one statement: it locks the rows that are named, in the order
 * of every write, and when all conditions hold it records the writes' ids and
 * changes the rows. Answers their ids if it did. If a condition did not hold it
 * answers nothing, or `unfit`; a unique that is taken is an error.
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
  const rows = locks.reduce((sum, lock) => sum + lock.rows, 0);
  const locked = locks.length > 0 ? locks.map(({ statement }) => statement) : [noRow];
  const ids = writes.map(() => "(?)").join(", ");
  // As a value: the text is the same however many rows there are, so that there are few statements to prepare.
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

function part(name: string, { text, values }: Statement): Statement {
  return { text: `"${name}" AS MATERIALIZED (${text})`, values };
}

/** True when no operation can need another's effect. */
function areApart(operations: readonly Operation[]): boolean {
  if (operations.length > maxRows) return false;
  const ids = operations.map(rowIdOf);
  if (new Set(operations.map(placeOf)).size < ids.length || ids.some((id) => unstorableText.test(id))) return false;
  return operations.every((operation) => operation.kind !== "delete" && !mayPassUnique(operation, operations));
}

/** True for an update of a unique beside others: one row may give up what another takes. */
function mayPassUnique(operation: Operation, operations: readonly Operation[]): boolean {
  if (operation.kind !== "update" || !mayTakeUnique(operation)) return false;
  return operations.filter(({ collection }) => collection === operation.collection).length > 1;
}
