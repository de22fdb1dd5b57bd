import * as z from "zod";
import { type Clock, systemClock } from "../../ports/clock.ts";
import { checkArgument, checkOptions, clockOption, type OptionSchemas, option } from "../../ports/parse-options.ts";
import { checkOperation, checkQuery } from "../columns.ts";
import { countSql, findSql } from "../sql/find.ts";
import { createMigrationsSql, migrationSql, migrations } from "../sql/migrations.ts";
import {
  defaultTablePrefix,
  duePostsSql,
  dueSql,
  nextDueSql,
  prefixOption,
  rowFrom,
  type Statement,
  selectList,
  sqliteDialect,
  tableName,
} from "../sql/sql.ts";
import type { Storage } from "../storage.ts";
import { connectSqlite, type SqliteConnection } from "./connection.ts";
import { liesInFile, openSqlite, type SqliteHandle } from "./driver.ts";
import { createSqliteRows } from "./rows.ts";

export type { SqliteHandle, SqliteStatement } from "./driver.ts";

/** Options of `sqliteStorage`. */
export interface SqliteStorageOptions {
  /** The clock of `now()` and of waits while the database is locked. @default the machine's */
  clock?: Clock | undefined;
  /** Prefix of all table and index names: letters, digits and `_`. @default "postrider_" */
  tablePrefix?: string | undefined;
}

/**
 * A storage in one SQLite file, for any number of processes on one machine.
 *
 * A file name is opened with the built-in `node:sqlite` (Node 22.13 and up), or else with an installed `libsql` or
 * `better-sqlite3`. You may pass a handle of any of these instead. The storage sets its `journal_mode` (WAL),
 * `synchronous` (FULL), `busy_timeout`, `wal_autocheckpoint` and `secure_delete` (ON), and the caller closes it. While
 * other code has a transaction open on the handle, every write fails.
 *
 * While another process writes, a call waits, at most 10 s.
 *
 * @param fileOrHandle `"social.db"`, `":memory:"`, or an open database
 * @throws SocialError `invalid_options` naming the invalid database or option
 * @throws Error with the install command if no driver is installed; if the file cannot be opened
 *
 * @example
 * const storage = sqliteStorage("social.db");
 */
export function sqliteStorage(fileOrHandle: string | SqliteHandle, options: SqliteStorageOptions = {}): Storage {
  checkArgument("sqliteStorage", "database", databaseArgument, fileOrHandle);
  checkOptions("sqliteStorage", optionsSchema, options);
  const { clock = systemClock, tablePrefix = defaultTablePrefix } = options;
  const countersTable = tableName(tablePrefix, "counters");
  const migrationsTable = tableName(tablePrefix, "migrations");
  const nextDue = nextDueSql(tablePrefix);
  const { connection, counters } = connect(fileOrHandle, clock);

  const rows = createSqliteRows(connection, tablePrefix);

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
      return connection.read(() => rows.get(collection, id));
    },

    async find(collection, query) {
      checkQuery(collection, query);
      return await connection.read(() => {
        const found = connection.all(findSql(tablePrefix, collection, query)).map((each) => rowFrom(collection, each));
        const { limit = Number.POSITIVE_INFINITY, offset = 0 } = query;
        // The last row is on this page, so no count is needed.
        const isLast = found.length < limit && (found.length > 0 || offset === 0);
        if (query.isCounted === false) return { rows: found, total: found.length };
        if (isLast) return { rows: found, total: offset + found.length };
        return { rows: found, total: Number(connection.first(countSql(tablePrefix, collection, query))?.total) };
      });
    },

    async write(operations) {
      operations.forEach(checkOperation);
      const steps = operations.map(rows.plan);
      if (steps.length === 0) return;
      await connection.write(() => {
        for (const step of steps) step();
      });
    },

    writeWithin(transaction, operations) {
      const handle = openTransaction(transaction);
      operations.forEach(checkOperation);
      const within = createSqliteRows(connectDirectly(handle), tablePrefix);
      for (const [index, operation] of operations.entries()) within.plan(operation, index)();
    },

    claim(collection, { leaseUntil, limit, ...rows }) {
      const table = tableName(tablePrefix, collection);
      const due = dueSql(table, rows);
      const text =
        `UPDATE ${table} SET "due_at" = ?, "lease_until" = ?, "epoch" = COALESCE("epoch", 0) + 1 ` +
        `WHERE "id" IN (SELECT "id" FROM ${table} WHERE ${due.text} ORDER BY "due_at", "id" LIMIT ?) ` +
        `RETURNING ${selectList(collection)}`;
      const values = [leaseUntil, leaseUntil, ...due.values, limit];
      return connection.write(() => connection.all({ text, values }).map((found) => rowFrom(collection, found)));
    },

    claimPosts({ leaseUntil, limit, ...wanted }) {
      const table = tableName(tablePrefix, "posts");
      const due = duePostsSql(table, { leaseUntil, ...wanted });
      const text =
        `UPDATE ${table} SET "due_at" = ? ` +
        `WHERE "id" IN (SELECT "id" FROM ${table} WHERE ${due.text} ORDER BY "due_at", "id" LIMIT ?) ` +
        `RETURNING ${selectList("posts")}`;
      const values = [-leaseUntil, ...due.values, limit];
      return connection.write(() => connection.all({ text, values }).map((found) => rowFrom("posts", found)));
    },

    nextDueAt(until) {
      return connection.read(() => {
        const found = connection.first(nextDue(until));
        return found === undefined ? null : Number(found.due_at);
      });
    },

    increment({ key, by, now, expiresAt }) {
      const prune: Statement = { text: `DELETE FROM ${countersTable} WHERE "expires_at" <= ?`, values: [now] };
      const text =
        `INSERT INTO ${countersTable} AS counter ("key", "value", "expires_at") VALUES (?, ?, ?) ` +
        `ON CONFLICT ("key") DO UPDATE SET "value" = counter."value" + excluded."value" RETURNING "value"`;
      return counters.write(() => {
        counters.run(prune);
        return Number(counters.first({ text, values: [key, by, expiresAt] })?.value);
      });
    },

    // Deleted content is overwritten in the database itself; only the log still has the old pages.
    wipeDeleted: connection.emptyLog,

    async close() {
      counters.close();
      connection.close();
    },
  };
}

const databaseArgument = option(
  'a file name such as "social.db", or an open database of node:sqlite, libsql or better-sqlite3',
  (value) => {
    if (typeof value === "string") return value !== "" && !value.includes("://");
    const { exec, prepare } = (value ?? {}) as Partial<SqliteHandle>;
    return typeof exec === "function" && typeof prepare === "function";
  },
);

const optionsSchema = z.strictObject({
  clock: clockOption.optional(),
  tablePrefix: prefixOption().optional(),
} satisfies OptionSchemas<SqliteStorageOptions>);

/**
 * The migrations as SQL text, for hosts with their own migration tool. It records that they have run: a later
 * `migrate()` does nothing.
 *
 * @param tablePrefix the storage's prefix
 */
export function sqliteMigrationSql(tablePrefix: string = defaultTablePrefix): string {
  checkArgument("sqliteMigrationSql", "tablePrefix", prefixOption(), tablePrefix);
  return migrationSql(sqliteDialect, tablePrefix);
}

/**
 * Opens a separate connection for counters. They need not survive a power loss, and without waiting for the disk they
 * are ten times cheaper (the rows of SQLite in `npm run bench -- handler`). A given handle serves both, and so does one
 * to memory, which two connections would not share.
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

/** @throws TypeError unless it is a SQLite handle with an open transaction */
function openTransaction(transaction: unknown): SqliteHandle {
  const handle = transaction as Partial<SqliteHandle> & { inTransaction?: unknown; isTransaction?: unknown };
  if (typeof handle?.prepare !== "function" || typeof handle.exec !== "function") {
    throw new TypeError("save requires the open SQLite database on which your transaction has begun.");
  }
  // libsql and better-sqlite3 use one name, node:sqlite the other; older versions have neither.
  if (handle.inTransaction === false || handle.isTransaction === false) {
    throw new TypeError("No transaction is open on this database: begin one, save, write your own rows, commit.");
  }
  return handle as SqliteHandle;
}

function connectDirectly(handle: SqliteHandle): Pick<SqliteConnection, "first" | "all" | "run"> {
  return {
    first: ({ text, values }) => handle.prepare(text).get(...values) as Record<string, unknown> | undefined,
    all: ({ text, values }) => handle.prepare(text).all(...values) as Record<string, unknown>[],
    run: ({ text, values }) => Number(handle.prepare(text).run(...values).changes),
  };
}

function plain(text: string): Statement {
  return { text, values: [] };
}
