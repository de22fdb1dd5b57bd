import { unstorableText } from "../../wire/json.ts";
import { changedRow, columnsOf, namesUnique, normalizeRow, schemaOf, withoutColumns } from "../columns.ts";
import { matcher } from "../match.ts";
import type { CollectionName } from "../schema.ts";
import { assignments, insertSql, rowFrom, selectList, tableName, wholeData } from "../sql/sql.ts";
import type { Statement } from "../sql/statement.ts";
import { type Operation, type Row, rowIdOf, StorageConflict } from "../storage.ts";

/** A change of one row. */
export interface Step {
  index: number;
  operation: Operation;
  /** The row after the change; null: deleted. */
  row: Row | null;
}

/** The steps of a write, after its rows are read and locked. */
export interface Plan {
  steps: Step[];
  /** The conflict that ends the plan, found without a further statement. */
  conflict: StorageConflict | null;
}

/** The rows of a write, by collection and id. */
export type LockedRows = ReadonlyMap<string, Row>;

/**
 * Reads and locks the rows that a write updates, deletes or checks, ordered by
 * collection and id, so that two writes cannot deadlock. Null: there are none.
 */
export function lockStatement(tablePrefix: string, operations: readonly Operation[]): Statement | null {
  const ids = new Map<CollectionName, Set<string>>();
  for (const operation of operations) {
    // No row can have this id, and Postgres would refuse the query.
    if (operation.kind === "insert" || unstorableText.test(operation.id)) continue;
    ids.set(operation.collection, (ids.get(operation.collection) ?? new Set()).add(operation.id));
  }
  if (ids.size === 0) return null;
  const parts = [...ids].sort(([one], [other]) => (one < other ? -1 : 1));
  const text = parts.map(([collection]) => {
    const these = '"id" = ANY (ARRAY(SELECT json_array_elements_text(?::text::json)))';
    const rows = `SELECT ${selectList(collection)} FROM ${tableName(tablePrefix, collection)} WHERE ${these}`;
    return `SELECT '${collection}' AS "collection", to_json("locked")::text AS "row" FROM (${rows} ORDER BY "id" FOR UPDATE) AS "locked"`;
  });
  return { text: text.join(" UNION ALL "), values: parts.map(([, members]) => JSON.stringify([...members])) };
}

/** The rows that a lock statement returned. */
export function lockedRows(found: readonly Record<string, unknown>[]): LockedRows {
  return new Map(
    found.map(({ collection, row: json }) => {
      const row = rowFrom(collection as CollectionName, JSON.parse(String(json)));
      return [keyOf(collection as CollectionName, row.id), row];
    }),
  );
}

/** Applies the operations to the locked rows, which no other transaction can change. */
export function planWrite(operations: readonly Operation[], locked: LockedRows): Plan {
  const rows = new Map<string, Row | null>(locked);
  const steps: Step[] = [];
  for (const [index, operation] of operations.entries()) {
    const { collection } = operation;
    const key = keyOf(collection, rowIdOf(operation));
    const current = rows.get(key) ?? null;
    const reason = conflictReason(operation, current);
    if (reason !== null) return { steps, conflict: new StorageConflict(index, operation, reason) };
    const row = rowAfter(operation, current);
    if (row === current) continue;
    rows.set(key, row);
    steps.push({ index, operation, row });
  }
  return { steps, conflict: null };
}

function conflictReason(operation: Operation, current: Row | null): StorageConflict["reason"] | null {
  if (operation.kind === "insert") return current === null ? null : "exists";
  if (operation.kind === "delete") return null;
  if (current === null) return "missing";
  return matcher(operation.where)(current) ? null : "where";
}

/** The row after the operation; `current` itself if it changes nothing. */
function rowAfter(operation: Operation, current: Row | null): Row | null {
  if (operation.kind === "insert") return normalizeRow(operation.collection, operation.row);
  if (operation.kind === "delete") return null;
  if (operation.kind === "check" || current === null || Object.keys(operation.change).length === 0) return current;
  return changedRow(current, operation);
}

/** The statement returns a row if it changed one, and none if a unique value or the id exists already. */
export function stepStatement(tablePrefix: string, { operation, row }: Pick<Step, "operation" | "row">): Statement {
  const { collection } = operation;
  if (operation.kind === "insert") {
    const { text, values } = insertSql(tablePrefix, collection, row ?? operation.row);
    return { text: `${text} RETURNING "id"`, values };
  }
  const table = tableName(tablePrefix, collection);
  if (operation.kind !== "update" || row === null) {
    return { text: `DELETE FROM ${table} WHERE "id" = ? RETURNING "id"`, values: [operation.id] };
  }
  const set = assignments(collection, operation.change, () => wholeData(withoutColumns(collection, row)));
  const text = `UPDATE ${table} SET ${set.text} WHERE "id" = ? RETURNING "id"`;
  return { text, values: [...set.values, operation.id] };
}

/** True if a unique index can reject the operation. */
export function mayTakeUnique(operation: Operation): boolean {
  return operation.kind === "insert" || (operation.kind === "update" && namesUnique(operation));
}

/** A row's name among all rows. */
export function keyOf(collection: CollectionName, id: string): string {
  return `${collection} ${id}`;
}

/** A row as `pg` and `postgres` return it: 64-bit integers are strings. */
export function readRow(collection: CollectionName, found: Record<string, unknown>): Row {
  const { columns } = schemaOf(collection);
  const read: Record<string, unknown> = { data: found.data };
  for (const column of columnsOf(collection)) {
    const value = found[column];
    if (value === undefined) throw new TypeError(renamed(column));
    read[column] = columns[column] === "integer" && value !== null ? Number(value) : value;
  }
  return rowFrom(collection, read);
}

function renamed(column: string): string {
  return `The Postgres client returned rows without the column "${column}". If it renames columns (\`transform\`), pass one to postgresStorage that does not.`;
}
