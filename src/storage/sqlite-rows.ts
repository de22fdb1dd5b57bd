import { changedRow, normalizeRow, schemaOf, uniqueValues } from "./columns.ts";
import type { CollectionName } from "./schema.ts";
import { assignments, findSql, getSql, insertSql, rowFrom, tableName } from "./sql.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import { allOf, whereSql } from "./statement.ts";
import { type Operation, type Row, StorageConflict, type Where } from "./storage.ts";

/** Reads and writes rows by statements that run at once. */
export interface SqliteRows {
  get(collection: CollectionName, id: string, where?: Where): Row | null;
  /** @throws StorageConflict naming the operation; what it did before is for the transaction to undo */
  apply(operation: Operation, index: number): void;
}

type Change = Extract<Operation, { kind: "update" | "check" }>;

export function createSqliteRows(connection: Pick<SqliteConnection, "all" | "run">, tablePrefix: string): SqliteRows {
  function get(collection: CollectionName, id: string, where?: Where): Row | null {
    const [found] = connection.all(getSql(tablePrefix, collection, id, where));
    return found === undefined ? null : rowFrom(collection, found);
  }

  function apply(operation: Operation, index: number): void {
    const { collection } = operation;
    if (operation.kind === "insert") {
      const row = normalizeRow(collection, operation.row);
      const inserted = connection.all(insertSql(tablePrefix, collection, row));
      if (inserted.length === 0) throw takenConflict(operation, index, row);
      return;
    }
    const table = tableName(tablePrefix, collection);
    const { id } = operation;
    if (operation.kind === "delete") {
      connection.run({ text: `DELETE FROM ${table} WHERE "id" = ?`, values: [id] });
      return;
    }
    if (operation.kind === "check" || changesColumnsOnly(operation)) {
      if (!updateInPlace(operation)) throw unfitConflict(operation, index);
      return;
    }
    const row = get(collection, id, operation.where);
    if (row === null) throw unfitConflict(operation, index);
    const changed = changedRow(row, operation.change);
    const set = assignments(collection, changed, operation.change);
    const text = `UPDATE OR IGNORE ${table} SET ${set.text} WHERE "id" = ? RETURNING "id"`;
    if (connection.all({ text, values: [...set.values, id] }).length === 0)
      throw takenConflict(operation, index, changed);
  }

  /** One statement, for a change that needs nothing of the row but that it fits. False when it does not. */
  function updateInPlace(operation: Change): boolean {
    const { collection, id } = operation;
    const change = operation.kind === "check" ? {} : operation.change;
    const table = tableName(tablePrefix, collection);
    const fits = allOf([whereSql(table, { id }), whereSql(table, operation.where)]);
    const set = assignments(collection, { ...change, id }, change);
    const text =
      set.values.length === 0
        ? `SELECT "id" FROM ${table} WHERE ${fits.text}`
        : `UPDATE ${table} SET ${set.text} WHERE ${fits.text} RETURNING "id"`;
    return connection.all({ text, values: [...set.values, ...fits.values] }).length > 0;
  }

  function unfitConflict(operation: Change, index: number): StorageConflict {
    const isThere = get(operation.collection, operation.id) !== null;
    return new StorageConflict(index, operation, isThere ? "where" : "missing");
  }

  /** Which id or unique kept `row` out. */
  function takenConflict(operation: Operation, index: number, row: Row): StorageConflict {
    const { collection } = operation;
    if (operation.kind === "insert" && get(collection, row.id) !== null) {
      return new StorageConflict(index, operation, "exists");
    }
    const unique = schemaOf(collection).uniques.find((columns) => isTaken(collection, row, columns));
    return new StorageConflict(index, operation, "unique", unique);
  }

  function isTaken(collection: CollectionName, row: Row, unique: readonly string[]): boolean {
    const values = uniqueValues(row, unique);
    if (values === null) return false;
    const where = Object.fromEntries(unique.map((column, place) => [column, values[place] ?? null]));
    return connection.all(findSql(tablePrefix, collection, { where, limit: 2 })).some((other) => other.id !== row.id);
  }

  return { get, apply };
}

/** True for a change that touches neither a unique nor what lies in `data`. */
function changesColumnsOnly({ collection, change }: Extract<Operation, { kind: "update" }>): boolean {
  const { columns, uniques } = schemaOf(collection);
  return Object.keys(change).every(
    (name) => Object.hasOwn(columns, name) && !uniques.some((unique) => unique.includes(name)),
  );
}
