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

/** What `postgresStorage` takes besides the client. */
export interface PostgresStorageOptions {
  /** What waits between tries. (`now()` is the server's time.) @default the machine's */
  clock?: Clock | undefined;
  /** What the names of all tables and indexes begin with: letters, digits and `_`, 32 at most. @default "postrider_" */
  tablePrefix?: string | undefined;
}

/** The longest table is `pending_updates`, and the names of indexes are cut off where they are too long. */
const maxPrefixLength = 32;

/**
 * Keeps everything in a Postgres database (tested with 15 and 18; encoding UTF8), for any
 * number of processes on any number of machines.
 *
 * Takes what the host has: a `Pool` of `pg`, what `postgres(…)` of the package
 * `postgres` returns, or a connected `Client` of `pg`, which is then this
 * storage's alone (a statement of yours could fall into its transaction, and it
 * does not connect again). The client stays the caller's to close. A `Pool`
 * needs your own `pool.on("error", …)`: `pg` ends the process when an idle
 * connection breaks and nobody listens. `postgres` needs `fetch_types: false`: by
 * default it ends the process when a connection breaks while it is made
 * (3.4.9, https://github.com/porsager/postgres/issues/1192, 2026-11).
 *
 * Statements of `pg` are prepared, until a pooler between turns out not to know
 * their names: from then on they run without.
 *
 * A connection that breaks, a restart, a server that is not there yet: what was
 * asked is repeated, for 10 s. A write is repeated only when it is certain that
 * it did not take effect, also when the answer to its commit was lost.
 *
 * @throws SocialError `invalid_options` when `client` is none of these, or an option is wrong
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
      // So a role that may not create tables can run where they exist already.
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
      // The end is on this page, so nothing needs counting.
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
      // The settings first. An epoch that was given out must not be given out again after a loss of power, whatever the
      // host's default is; and nobody waits for a lock for ever.
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
 * All that `migrate()` does, as SQL text, for hosts with a migration tool of
 * their own. It records its steps: a `migrate()` afterwards finds nothing to do.
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
      if (input === undefined) return `It is missing: give ${right}.`;
      return `Give ${right}; not ${typeof input === "string" ? "a connection string" : describeValue(input)}.`;
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
