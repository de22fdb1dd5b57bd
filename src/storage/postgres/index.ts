import * as z from "zod";
import { type Clock, createThrottle, systemClock } from "../../ports/clock.ts";
import { checkArgument, checkOptions, clockOption, type OptionSchemas } from "../../ports/parse-options.ts";
import { describeValue } from "../../wire/describe-value.ts";
import { unstorableText } from "../../wire/json.ts";
import { checkOperation, checkQuery, copyJson, schemaOf } from "../columns.ts";
import { countSql, findSql } from "../sql/find.ts";
import { createMigrationsSql, migrationSql, migrations } from "../sql/migrations.ts";
import {
  defaultTablePrefix,
  duePostsSql,
  dueSql,
  getSql,
  nextDueSql,
  postgresDialect,
  prefixOption,
  type Statement,
  selectList,
  tableName,
} from "../sql/sql.ts";
import type { Storage } from "../storage.ts";
import { type PostgresClient, type Query, queryWithin } from "./client.ts";
import { connectPostgres, settingsInStatement } from "./connection.ts";
import { readRow } from "./plan.ts";
import { createReads } from "./reads.ts";
import { createWriter } from "./write.ts";

export type {
  PgClient,
  PgPool,
  PgPoolClient,
  PgQuery,
  PostgresClient,
  PostgresSql,
  PostgresSqlQuery,
} from "./client.ts";

/** Options of `postgresStorage`. */
export interface PostgresStorageOptions {
  /** The clock for pauses between attempts. Times are the server's. @default the machine's clock */
  clock?: Clock | undefined;
  /** Prefix of the names of all tables and indexes: letters, digits and `_`, at most 32. @default "postrider_" */
  tablePrefix?: string | undefined;
}

/** Postgres truncates long names; the indexes of `pending_updates` have the longest. */
const maxPrefixLength = 32;

/**
 * A storage in a Postgres database (tested with 15 and 18; encoding UTF8), for any number
 * of processes on any number of machines.
 *
 * The client is a `Pool` of `pg`, the result of `postgres(…)` of the package
 * `postgres`, or a connected `Client` of `pg`. Use a `Client` for nothing else: your statements could
 * run inside the storage's transactions, and a `Client` does not reconnect. The caller closes the
 * client. A `Pool` needs your own `pool.on("error", …)`: without a listener, `pg` ends the process
 * when an idle connection breaks. `postgres` needs `fetch_types: false`: by
 * default it ends the process when a connection breaks while it is made
 * (3.4.9, https://github.com/porsager/postgres/issues/1192, 2026-11).
 *
 * With `pg` the storage uses named prepared statements. If PgBouncer rejects
 * them, it stops using them.
 *
 * After a broken connection or a restart of the server, the storage retries for
 * up to 10 s. It repeats a write only if the write certainly did not take effect, also when the
 * response to its commit was lost.
 *
 * @throws SocialError `invalid_options` when `client` or an option is invalid
 *
 * @example
 * const storage = postgresStorage(new Pool({ connectionString }));
 * const storage = postgresStorage(postgres(connectionString, { fetch_types: false }));
 */
export function postgresStorage(client: PostgresClient, options: PostgresStorageOptions = {}): Storage {
  checkArgument("postgresStorage", "client", clientArgument, client);
  checkOptions("postgresStorage", optionsSchema, options);
  const { clock = systemClock, tablePrefix = defaultTablePrefix } = options;
  const connection = connectPostgres(client, clock);
  const read = createReads(connection.query);
  const writer = createWriter({ connection, clock, tablePrefix });
  const countersTable = tableName(tablePrefix, "counters");
  const migrationsTable = tableName(tablePrefix, "migrations");
  const nextDue = nextDueSql(tablePrefix, postgresDialect);
  const isTimeToPruneCounters = createThrottle(clock, 60_000);

  async function migrationsToRun(query: Query): Promise<ReturnType<typeof migrations>> {
    const ran = new Set((await query(plain(`SELECT "id" FROM ${migrationsTable}`))).map(({ id }) => id));
    return migrations(postgresDialect, tablePrefix).filter(([id]) => !ran.has(id));
  }

  return {
    async migrate() {
      const question = "SELECT to_regclass(?) IS NOT NULL AS known, current_setting('server_encoding') AS encoding";
      const [database] = await connection.query({ text: question, values: [migrationsTable] });
      if (database?.encoding !== "UTF8") {
        throw new Error(`The database's encoding is ${database?.encoding}; postrider needs one that is UTF8.`);
      }
      // A role that may not create tables can then run on existing ones.
      if (database.known === true && (await migrationsToRun(connection.query)).length === 0) return;
      const lock = `SELECT pg_advisory_xact_lock(hashtextextended('postrider migrations ${tablePrefix}', 0));`;
      const setup = `SET LOCAL client_min_messages = warning; SET LOCAL lock_timeout = 0; ${lock} ${createMigrationsSql(postgresDialect, tablePrefix)}`;
      await connection.transaction({ setup, isLong: true }, async (query) => {
        for (const [id, sql] of await migrationsToRun(query)) {
          await query(plain(sql));
          await query({ text: `INSERT INTO ${migrationsTable} ("id") VALUES (?)`, values: [id] });
        }
      });
    },

    async now() {
      const [answer] = await connection.query(
        plain("SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now"),
      );
      return Number(answer?.now);
    },

    async get(collection, id) {
      schemaOf(collection);
      if (unstorableText.test(id)) return null;
      const [found] = await read(getSql(tablePrefix, collection, id));
      return found === undefined ? null : readRow(collection, found);
    },

    async find(collection, query) {
      checkQuery(collection, query);
      const found = await read(findSql(tablePrefix, collection, query, postgresDialect));
      const rows = found.map((row) => readRow(collection, row));
      const { limit = Number.POSITIVE_INFINITY, offset = 0 } = query;
      if (query.isCounted === false) return { rows, total: rows.length };
      // The last row is on this page, so no count is needed.
      if (rows.length < limit && (rows.length > 0 || offset === 0)) return { rows, total: offset + rows.length };
      const [counted] = await connection.query(countSql(tablePrefix, collection, query, postgresDialect));
      return { rows, total: Number(counted?.total) };
    },

    async write(operations) {
      operations.forEach(checkOperation);
      if (operations.length > 0) await writer.write(operations);
    },

    async writeWithin(transaction, operations) {
      operations.forEach(checkOperation);
      await writer.writeWithin(queryWithin(transaction), copyJson(operations));
    },

    async claim(collection, { leaseUntil, limit, ...wanted }) {
      const table = tableName(tablePrefix, collection);
      const due = dueSql(table, wanted);
      const lock = wanted.id === undefined ? "FOR UPDATE SKIP LOCKED" : "FOR UPDATE";
      // Settings come first. An epoch must not be used twice after a power loss, whatever the host's default; and no
      // statement waits for a lock for ever.
      const rows =
        `SELECT "id" FROM ${table} WHERE EXISTS (SELECT 1 FROM settings) AND ${due.text} ` +
        `ORDER BY "due_at" NULLS FIRST, "id" NULLS FIRST LIMIT ? ${lock}`;
      const text =
        `WITH settings AS MATERIALIZED (SELECT ${settingsInStatement.join(", ")}), due AS MATERIALIZED (${rows}) ` +
        `UPDATE ${table} AS claimed SET "due_at" = ?, "lease_until" = ?, "epoch" = COALESCE(claimed."epoch", 0) + 1 ` +
        `FROM due WHERE claimed."id" = due."id" RETURNING ${selectList(collection, "claimed")}`;
      const found = await connection.query({ text, values: [...due.values, limit, leaseUntil, leaseUntil] });
      return found.map((row) => readRow(collection, row));
    },

    async claimPosts({ leaseUntil, limit, ...wanted }) {
      const table = tableName(tablePrefix, "posts");
      const due = duePostsSql(table, { leaseUntil, ...wanted });
      const rows =
        `SELECT "id" FROM ${table} WHERE EXISTS (SELECT 1 FROM settings) AND ${due.text} ` +
        `ORDER BY "due_at" NULLS FIRST, "id" NULLS FIRST LIMIT ? FOR UPDATE SKIP LOCKED`;
      const text =
        `WITH settings AS MATERIALIZED (SELECT ${settingsInStatement.join(", ")}), due AS MATERIALIZED (${rows}) ` +
        `UPDATE ${table} AS claimed SET "due_at" = ? FROM due WHERE claimed."id" = due."id" ` +
        `RETURNING ${selectList("posts", "claimed")}`;
      const found = await connection.query({ text, values: [...due.values, limit, -leaseUntil] });
      return found.map((row) => readRow("posts", row));
    },

    async nextDueAt(until) {
      const [found] = await connection.query(nextDue(until));
      return found === undefined ? null : Number(found.due_at);
    },

    async increment({ key, by, now, expiresAt }) {
      if (isTimeToPruneCounters()) {
        const expired = `SELECT "key" FROM ${countersTable} WHERE "expires_at" <= ? FOR UPDATE SKIP LOCKED`;
        await connection.query({ text: `DELETE FROM ${countersTable} WHERE "key" IN (${expired})`, values: [now] });
      }
      const isOver = 'counter."expires_at" <= ?';
      const text =
        `INSERT INTO ${countersTable} AS counter ("key", "value", "expires_at") VALUES (?, ?, ?) ` +
        `ON CONFLICT ("key") DO UPDATE SET ` +
        `"value" = CASE WHEN ${isOver} THEN excluded."value" ELSE counter."value" + excluded."value" END, ` +
        `"expires_at" = CASE WHEN ${isOver} THEN excluded."expires_at" ELSE counter."expires_at" END RETURNING "value"`;
      const [counter] = await connection.query({ text, values: [key, by, expiresAt, now, now] });
      return Number(counter?.value);
    },

    async close() {
      connection.close();
    },
  };
}

/**
 * The SQL of `migrate()`, for hosts with their own migration tool. It records
 * its steps, so a later `migrate()` has nothing to do.
 *
 * @param tablePrefix the storage's
 */
export function postgresMigrationSql(tablePrefix: string = defaultTablePrefix): string {
  checkArgument("postgresMigrationSql", "tablePrefix", prefixOption({ maxLength: maxPrefixLength }), tablePrefix);
  return migrationSql(postgresDialect, tablePrefix);
}

/** A text may hold a password, so the message does not repeat it. */
const clientArgument = z.custom(
  (value) => {
    const { query, unsafe } = (value ?? {}) as { query?: unknown; unsafe?: unknown };
    return typeof query === "function" || typeof unsafe === "function";
  },
  {
    error: ({ input }) => {
      const right =
        "a pool: const pool = new Pool({ connectionString }) of the package pg, then postgresStorage(pool). A connected Client of pg, and what postgres() of the package postgres returns, work too";
      if (input === undefined) return `Missing: must be ${right}.`;
      return `Must be ${right}; not ${typeof input === "string" ? "a connection string" : describeValue(input)}.`;
    },
  },
);

const optionsSchema = z.strictObject({
  clock: clockOption.optional(),
  tablePrefix: prefixOption({ maxLength: maxPrefixLength }).optional(),
} satisfies OptionSchemas<PostgresStorageOptions>);

function plain(text: string): Statement {
  return { text, values: [] };
}
