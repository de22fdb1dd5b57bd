import type { JsonObject } from "../json.ts";
import { changedRow, namesUnique, normalizeRow, schemaOf, uniqueValues } from "./columns.ts";
import type { CollectionName } from "./schema.ts";
import { assignments, findSql, fitsSql, getSql, insertSql, rowFrom, tableName, wholeData } from "./sql.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import type { Statement } from "./statement.ts";
import { type Operation, type Row, StorageConflict, type Where } from "./storage.ts";

/** Reads and writes rows by statements that run at once. */
export interface SqliteRows {
  get(collection: CollectionName, id: string, where?: Where): Row | null;
  /** @throws StorageConflict naming the operation; what it did before is for the transaction to undo */
  apply(operation: Operation, index: number): void;
}

type Change = Extract<Operation, { kind: "update" | "check" }>;
type Update = Extract<Operation, { kind: "update" }>;

export function createSqliteRows(
  connection: Pick<SqliteConnection, "first" | "all" | "run">,
  tablePrefix: string,
): SqliteRows {
  function get(collection: CollectionName, id: string, where?: Where): Row | null {
    const found = connection.first(getSql(tablePrefix, collection, id, where));
    return found === undefined ? null : rowFrom(collection, found);
  }

  function apply(operation: Operation, index: number): void {
    const { collection } = operation;
    if (operation.kind === "insert") {
      const row = normalizeRow(collection, operation.row);
      if (connection.run(insertSql(tablePrefix, collection, row)) === 0) throw takenConflict(operation, index, row);
    } else if (operation.kind === "delete") {
      const text = `DELETE FROM ${tableName(tablePrefix, collection)} WHERE "id" = ?`;
      connection.run({ text, values: [operation.id] });
    } else if (operation.kind === "check" || Object.keys(operation.change).length === 0) {
      if (!fits(operation)) throw unfitConflict(operation, index);
    } else if (namesUnique(operation) || !hasPlainNames(operation)) {
      updateWhole(operation, index);
    } else {
      updateInPlace(operation, index);
    }
  }

  function fits(operation: Change): boolean {
    const table = tableName(tablePrefix, operation.collection);
    const fitting = fitsSql(table, operation);
    const text = `SELECT 1 FROM ${table} WHERE ${fitting.text}`;
    return connection.first({ text, values: fitting.values }) !== undefined;
  }

  /** One statement, for a change that needs nothing of the row but that it fits. */
  function updateInPlace(operation: Update, index: number): void {
    const { collection, change } = operation;
    const table = tableName(tablePrefix, collection);
    const fitting = fitsSql(table, operation);
    const set = assignments(collection, change, dataSql);
    const statement = {
      text: `UPDATE ${table} SET ${set.text} WHERE ${fitting.text}`,
      values: [...set.values, ...fitting.values],
    };
    try {
      if (connection.run(statement) === 0) throw unfitConflict(operation, index);
    } catch (error) {
      if (!isUnreadableJson(error)) throw error;
      updateWhole(operation, index);
    }
  }

  function updateWhole(operation: Update, index: number): void {
    const { collection, id, change } = operation;
    const row = get(collection, id, operation.where);
    if (row === null) throw unfitConflict(operation, index);
    const changed = changedRow(row, change);
    const set = assignments(collection, change, () => wholeData(collection, changed));
    const text = `UPDATE OR IGNORE ${tableName(tablePrefix, collection)} SET ${set.text} WHERE "id" = ?`;
    if (connection.run({ text, values: [...set.values, id] }) === 0) throw takenConflict(operation, index, changed);
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

/** What can stand in the path of a field in JSON as it is. */
function hasPlainNames({ change }: Update): boolean {
  return Object.keys(change).every((name) => /^\w+$/.test(name));
}

/** Replaces fields of the JSON in `data`; the bytes of all others stay as they are. */
function dataSql(others: JsonObject): Statement {
  const fields = Object.keys(others).map((name) => `'$."${name}"', json(?)`);
  const values = Object.values(others).map((value) => JSON.stringify(value));
  return { text: `"data" = json_set("data", ${fields.join(", ")})`, values };
}

/** True when JSON is nested deeper than SQLite reads (https://www.sqlite.org/json1.html, read November 2026: 1000 levels). */
function isUnreadableJson(error: unknown): boolean {
  return /malformed JSON/.test(String(error));
}
