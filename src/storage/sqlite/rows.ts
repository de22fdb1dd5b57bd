import {
  changedRow,
  columnsOf,
  copyJson,
  namesUnique,
  schemaOf,
  uniqueValues,
  withoutColumns,
  withoutUndefined,
} from "../columns.ts";
import type { CollectionName } from "../schema.ts";
import { findSql } from "../sql/find.ts";
import { assignments, fitsSql, getSql, insertSql, rowFrom, tableName, wholeData } from "../sql/sql.ts";
import type { Statement } from "../sql/statement.ts";
import { type Operation, type Row, StorageConflict, type Where } from "../storage.ts";
import type { SqliteConnection } from "./connection.ts";

/** Reads and writes rows with synchronous statements. */
export interface SqliteRows {
  get(collection: CollectionName, id: string, where?: Where): Row | null;
  /**
   * Copies an operation, whose values may change afterwards, and returns a function that applies it.
   *
   * @throws StorageConflict from that function, naming the operation; the transaction must undo the earlier ones
   */
  plan(operation: Operation, index: number): () => void;
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

  function plan(operation: Operation, index: number): () => void {
    const { collection } = operation;
    if (operation.kind === "insert") {
      const statement = insertSql(tablePrefix, collection, operation.row);
      return () => {
        if (connection.run(statement) === 0) throw takenConflict(operation, index, insertedRow(collection, statement));
      };
    }
    const table = tableName(tablePrefix, collection);
    if (operation.kind === "delete") {
      const statement = { text: `DELETE FROM ${table} WHERE "id" = ?`, values: [operation.id] };
      return () => void connection.run(statement);
    }
    const fitting = fitsSql(table, operation);
    const change = operation.kind === "update" ? withoutUndefined(operation.change) : {};
    if (operation.kind === "check" || Object.keys(change).length === 0) {
      const statement = { text: `SELECT 1 FROM ${table} WHERE ${fitting.text}`, values: fitting.values };
      return () => {
        if (connection.first(statement) === undefined) throw unfitConflict(operation, index);
      };
    }
    if (namesUnique(operation) || !hasPlainNames(operation)) {
      const copy = copyJson(operation);
      return () => updateWhole(copy, index);
    }
    return planInPlace({ ...operation, change }, index, fitting);
  }

  /**
   * One statement, for a change that only needs the row to match. Only for speed: the row `1,000 publications on
   * SQLite` of `npm run bench -- publish`. Without it, `updateWhole` has the same effect.
   */
  function planInPlace(operation: Update, index: number, fitting: Statement): () => void {
    const { collection } = operation;
    let fields: [name: string, json: string][] = [];
    const set = assignments(collection, operation.change, (others) => {
      if (operation.isComplete === true) return wholeData(others);
      fields = Object.entries(others).map(([name, value]) => [name, JSON.stringify(value)]);
      return dataSql(fields);
    });
    const statement = {
      text: `UPDATE ${tableName(tablePrefix, collection)} SET ${set.text} WHERE ${fitting.text}`,
      values: [...set.values, ...fitting.values],
    };
    return () => {
      try {
        if (connection.run(statement) === 0) throw unfitConflict(operation, index);
      } catch (error) {
        if (!isUnreadableJson(error)) throw error;
        const others = Object.fromEntries(fields.map(([name, json]) => [name, JSON.parse(json)]));
        updateWhole({ ...operation, change: { ...operation.change, ...others } }, index);
      }
    };
  }

  function updateWhole(operation: Update, index: number): void {
    const { collection, id, change } = operation;
    const row = get(collection, id, operation.where);
    if (row === null) throw unfitConflict(operation, index);
    const changed = changedRow(row, operation);
    const set = assignments(collection, change, () => wholeData(withoutColumns(collection, changed)));
    const text = `UPDATE OR IGNORE ${tableName(tablePrefix, collection)} SET ${set.text} WHERE "id" = ?`;
    if (connection.run({ text, values: [...set.values, id] }) === 0) throw takenConflict(operation, index, changed);
  }

  function unfitConflict(operation: Change, index: number): StorageConflict {
    const isThere = get(operation.collection, operation.id) !== null;
    return new StorageConflict(index, operation, isThere ? "where" : "missing");
  }

  /** The conflict with the id or unique of `row` that is taken. */
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

  return { get, plan };
}

/** The columns of the row that an insert contains. */
function insertedRow(collection: CollectionName, { values }: Statement): Row {
  return Object.fromEntries(columnsOf(collection).map((column, place) => [column, values[place] ?? null])) as Row;
}

/** True: the fields' names need no escaping in a JSON path. */
function hasPlainNames({ change }: Update): boolean {
  return Object.keys(change).every((name) => /^\w+$/.test(name));
}

/** Replaces fields of the JSON in `data`; the bytes of all others stay unchanged. */
function dataSql(fields: readonly [name: string, json: string][]): Statement {
  const paths = fields.map(([name]) => `'$."${name}"', json(?)`);
  return { text: `"data" = json_set("data", ${paths.join(", ")})`, values: fields.map(([, json]) => json) };
}

/**
 * True: JSON is nested deeper than SQLite reads (https://www.sqlite.org/json1.html, read November 2026: 1000 levels).
 */
function isUnreadableJson(error: unknown): boolean {
  return /malformed JSON/.test(String(error));
}
