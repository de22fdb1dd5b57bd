import { type Clock, systemClock } from "../clock.ts";
import { changedRow, checkOperation, checkQuery, copyJson, normalizeRow, schemaOf, uniqueValues } from "./columns.ts";
import { createMigrationsSql, migrationSql, migrations } from "./migrations.ts";
import type { CollectionName } from "./schema.ts";
import {
  assignments,
  countSql,
  defaultTablePrefix,
  findSql,
  getSql,
  insertSql,
  rowFrom,
  type Statement,
  selectList,
  sqliteDialect,
  tableName,
} from "./sql.ts";
import { connectSqlite, type SqliteConnection } from "./sqlite-connection.ts";
import { liesInFile, openSqlite, type SqliteHandle } from "./sqlite-driver.ts";
import { allOf, whereSql } from "./statement.ts";
import { type Operation, type Row, type Storage, StorageConflict, type Where } from "./storage.ts";

export type { SqliteHandle, SqliteStatement } from "./sqlite-driver.ts";

export interface SqliteStorageOptions {
  /** What `now()` reads and what waits while the database is locked. @default the machine's */
  clock?: Clock;
  /** What the names of all tables and indexes begin with: letters, digits and `_`. @default "postrider_" */
  tablePrefix?: string;
}

/**
 * Keeps everything in one SQLite file, for any number of processes on one machine.
 *
 * A file name opens the built-in `node:sqlite` (Node 22.13 and up), else an
 * installed `libsql` or `better-sqlite3`. A handle of any of these may be passed
 * instead; its `journal_mode` (WAL), `synchronous` (FULL) and `busy_timeout`
 * are set, and it stays the caller's to close. On a handle that has another's
 * transaction open, every write is refused.
 *
 * While another process writes, a call waits, for 10 s at most.
 *
 * @param fileOrHandle `"social.db"`, `":memory:"`, or an open database
 * @throws Error with the line to type when no driver is there; when the file cannot be opened
 *
 * @example
 * const storage = sqliteStorage("social.db");
 */
export function sqliteStorage(fileOrHandle: string | SqliteHandle, options: SqliteStorageOptions = {}): Storage {
  const { clock = systemClock, tablePrefix = defaultTablePrefix } = options;
  const countersTable = tableName(tablePrefix, "counters");
  const migrationsTable = tableName(tablePrefix, "migrations");
  const { connection, counters } = connect(fileOrHandle, clock);

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
  function updateInPlace(operation: Extract<Operation, { kind: "update" | "check" }>): boolean {
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

  function unfitConflict(operation: Extract<Operation, { kind: "update" | "check" }>, index: number): StorageConflict {
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

  return {
    migrate() {
      return connection.write(() => {
        connection.exec(createMigrationsSql(sqliteDialect, tablePrefix));
        const ran = new Set(connection.all(plain(`SELECT "id" FROM ${migrationsTable}`)).map(({ id }) => id));
        for (const [id, sql] of migrations(sqliteDialect, tablePrefix)) {
          if (ran.has(id)) continue;
          connection.exec(sql);
          connection.run({ text: `INSERT INTO ${migrationsTable} ("id") VALUES (?)`, values: [id] });
        }
      });
    },

    async now() {
      return clock.now();
    },

    get(collection, id) {
      return connection.read(() => get(collection, id));
    },

    async find(collection, query) {
      checkQuery(collection, query);
      return await connection.read(() => {
        const rows = connection.all(findSql(tablePrefix, collection, query)).map((found) => rowFrom(collection, found));
        const { limit = Number.POSITIVE_INFINITY, offset = 0 } = query;
        // The end is on this page, so nothing needs counting.
        const isLast = rows.length < limit && (rows.length > 0 || offset === 0);
        if (query.isCounted === false) return { rows, total: rows.length };
        if (isLast) return { rows, total: offset + rows.length };
        const [counted] = connection.all(countSql(tablePrefix, collection, query));
        return { rows, total: Number(counted?.total) };
      });
    },

    async write(operations) {
      operations.forEach(checkOperation);
      const copied = copyJson(operations);
      if (copied.length > 0) await connection.write(() => copied.forEach(apply));
    },

    claim(collection, { now, leaseUntil, limit }) {
      const table = tableName(tablePrefix, collection);
      const due = `"due_at" <= ? AND ("lease_until" IS NULL OR "lease_until" <= ?)`;
      const text =
        `UPDATE ${table} SET "due_at" = ?, "lease_until" = ?, "epoch" = COALESCE("epoch", 0) + 1 ` +
        `WHERE "id" IN (SELECT "id" FROM ${table} WHERE ${due} ORDER BY "due_at", "id" LIMIT ?) ` +
        `RETURNING ${selectList(collection)}`;
      const values = [leaseUntil, leaseUntil, now, now, limit];
      return connection.write(() => connection.all({ text, values }).map((found) => rowFrom(collection, found)));
    },

    increment({ key, by, now, expiresAt }) {
      const prune: Statement = { text: `DELETE FROM ${countersTable} WHERE "expires_at" <= ?`, values: [now] };
      const text =
        `INSERT INTO ${countersTable} AS counter ("key", "value", "expires_at") VALUES (?, ?, ?) ` +
        `ON CONFLICT ("key") DO UPDATE SET "value" = counter."value" + excluded."value" RETURNING "value"`;
      return counters.write(() => {
        counters.run(prune);
        const [counter] = counters.all({ text, values: [key, by, expiresAt] });
        return Number(counter?.value);
      });
    },

    async close() {
      counters.close();
      connection.close();
    },
  };
}

/**
 * All that `migrate()` does, as SQL text, for hosts with a migration tool of
 * their own. It records its steps: a `migrate()` afterwards finds nothing to do.
 *
 * @param tablePrefix the storage's
 */
export function sqliteMigrationSql(tablePrefix: string = defaultTablePrefix): string {
  return migrationSql(sqliteDialect, tablePrefix);
}

/**
 * A counter need not survive a power loss, and not waiting for the disk makes it ten times cheaper: counters get a
 * connection of their own. A handle that was given is the only one, and memory is not shared between two.
 */
function connect(
  fileOrHandle: string | SqliteHandle,
  clock: Clock,
): { connection: SqliteConnection; counters: SqliteConnection } {
  if (typeof fileOrHandle !== "string") {
    const given = { handle: fileOrHandle, owned: false, name: "the given handle", clock };
    const connection = connectSqlite({ ...given, synchronous: "FULL" });
    return { connection, counters: connection };
  }
  const handle = openSqlite(fileOrHandle);
  const opened = { owned: true, name: `"${fileOrHandle}"`, clock };
  const connection = connectSqlite({ ...opened, handle, synchronous: "FULL" });
  if (!liesInFile(handle)) return { connection, counters: connection };
  const counters = connectSqlite({ ...opened, handle: openSqlite(fileOrHandle), synchronous: "NORMAL" });
  return { connection, counters };
}

/** True for a change that touches neither a unique nor what lies in `data`. */
function changesColumnsOnly({ collection, change }: Extract<Operation, { kind: "update" }>): boolean {
  const { columns, uniques } = schemaOf(collection);
  return Object.keys(change).every(
    (name) => Object.hasOwn(columns, name) && !uniques.some((unique) => unique.includes(name)),
  );
}

function plain(text: string): Statement {
  return { text, values: [] };
}
