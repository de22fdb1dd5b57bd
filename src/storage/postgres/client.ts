import { createTurns } from "../../async/in-turn.ts";
import type { ColumnValue } from "../columns.ts";
import { numbered, type Statement } from "../sql/statement.ts";
import { isNameTrouble } from "./failure.ts";
import { isWorthPreparing, type PgQuery, preparedQuery } from "./prepared.ts";

/** A `Client` of `pg`, or a compatible object. */
export interface PgClient {
  /** Without values, the text may hold several statements. */
  query(query: string | PgQuery, values?: ColumnValue[]): Promise<{ rows: unknown[] }>;
}

/** A `Pool` of `pg`, or a compatible object. */
export interface PgPool extends PgClient {
  /** A connection of its own. */
  connect(callback: (error: Error | undefined, client: PgPoolClient | undefined) => void): void;
  /** Only a pool has it, not a client. */
  readonly totalCount: number;
}

/** A connection from a pool. */
export interface PgPoolClient extends PgClient {
  /**
   * Returns the connection to the pool.
   *
   * @param destroy true: the connection is broken; the pool discards it
   */
  release(destroy?: boolean): void;
  /** Listens to the connection. */
  on(event: "error", listener: (error: Error) => void): unknown;
  /** No longer listens. */
  removeListener(event: "error", listener: (error: Error) => void): unknown;
}

/** What `postgres(…)` of the package `postgres` returns. */
export interface PostgresSql extends PostgresSqlQuery {
  /** Runs `work` in a transaction. */
  begin(options: string, work: (sql: PostgresSqlQuery) => Promise<unknown>): Promise<unknown>;
}

/** The part of `postgres` that is used in a transaction. */
export interface PostgresSqlQuery {
  /** Runs a statement with its parameters. */
  unsafe(text: string, values?: ColumnValue[], options?: { prepare?: boolean }): PromiseLike<readonly unknown[]>;
}

export type { PgQuery } from "./prepared.ts";

/** What `postgresStorage` takes: a Client or a Pool of `pg`, or what `postgres(…)` returned. */
export type PostgresClient = PgClient | PgPool | PostgresSql;

export type FoundRow = Record<string, unknown>;
export type Query = (statement: Statement) => Promise<FoundRow[]>;

/** Runs statements on one kind of client. It repeats none. */
export interface PostgresDriver {
  /** True: a broken connection is replaced by a new one. */
  reconnects: boolean;
  query: Query;
  /**
   * Runs `step` in a transaction on its own connection. An error rolls it back,
   * unless `isLost` says that the connection is gone.
   *
   * @param setup SQL that runs first, without values
   */
  transaction<Result>(setup: string, step: (query: Query) => Promise<Result>): Promise<Result>;
}

// Set explicitly, because the host's default may differ and the locks of a write are designed for this level.
const transactionMode = "isolation level read committed read write";

export function postgresDriver(client: PostgresClient, isLost: (error: unknown) => boolean): PostgresDriver {
  if ("unsafe" in client) return sqlDriver(client, isLost);
  return "totalCount" in client ? poolDriver(client, isLost) : clientDriver(client, isLost);
}

/**
 * Runs statements in the host's open transaction.
 *
 * @throws TypeError for anything but a client of `pg`, or the `sql` that `sql.begin` passes to its function
 */
export function queryWithin(transaction: unknown): Query {
  const client = transaction as Partial<PgPool & PostgresSqlQuery> | null;
  if (typeof client?.unsafe === "function") return (statement) => sqlQuery(client as PostgresSqlQuery, statement);
  if (typeof client?.query !== "function" || client.totalCount !== undefined) {
    throw new TypeError(
      "save requires the pg client on which your transaction has begun (not the Pool), or the sql that sql.begin of the package postgres passes to its function.",
    );
  }
  return (statement) => plainQuery(client as PgClient, statement);
}

function poolDriver(pool: PgPool, isLost: (error: unknown) => boolean): PostgresDriver {
  const pgQuery = createPgQuery();
  return {
    reconnects: true,
    query: (statement) => pgQuery(pool, statement),

    async transaction(setup, step) {
      const client = await borrow(pool);
      let isBroken = false;
      try {
        return await pgTransaction(client, setup, step, { pgQuery, isLost });
      } catch (error) {
        isBroken = isLost(error);
        throw error;
      } finally {
        client.removeListener("error", ignore);
        client.release(isBroken);
      }
    },
  };
}

/**
 * A connection that breaks between two statements emits `error`, and Node ends
 * the process if nothing listens. The event may come together with the
 * connection, before its promise resolves.
 */
function borrow(pool: PgPool): Promise<PgPoolClient> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client) => {
      if (client === undefined) return reject(error);
      client.on("error", ignore);
      resolve(client);
    });
  });
}

/** A single connection: each statement waits for the transaction before it. */
function clientDriver(client: PgClient, isLost: (error: unknown) => boolean): PostgresDriver {
  const pgQuery = createPgQuery();
  const inTurn = createTurns();
  return {
    reconnects: false,
    query: (statement) => inTurn("connection", () => pgQuery(client, statement)),
    transaction: (setup, step) => inTurn("connection", () => pgTransaction(client, setup, step, { pgQuery, isLost })),
  };
}

async function pgTransaction<Result>(
  client: PgClient,
  setup: string,
  step: (query: Query) => Promise<Result>,
  { pgQuery, isLost }: { pgQuery: PgRunner; isLost(error: unknown): boolean },
): Promise<Result> {
  try {
    await client.query(`BEGIN ${transactionMode}; ${setup}`);
    const result = await step((statement) => pgQuery(client, statement));
    await client.query("COMMIT");
    return result;
  } catch (error) {
    // The server rolls back a transaction whose connection is lost.
    if (!isLost(error)) await client.query("ROLLBACK");
    throw error;
  }
}

type PgRunner = (client: PgClient, statement: Statement) => Promise<FoundRow[]>;

/** Uses prepared statements until a pooler such as PgBouncer rejects their names. */
function createPgQuery(): PgRunner {
  let prepares = true;
  return async (client, statement) => {
    if (!prepares || !isWorthPreparing(statement)) return plainQuery(client, statement);
    try {
      return rowsOf(await client.query(preparedQuery(statement)));
    } catch (error) {
      if (isNameTrouble(error)) prepares = false;
      throw error;
    }
  };
}

async function plainQuery(client: PgClient, { text, values }: Statement): Promise<FoundRow[]> {
  return rowsOf(await client.query(numbered(text), values));
}

/** Several statements without values return a list of results. */
function rowsOf({ rows }: { rows: unknown[] | undefined }): FoundRow[] {
  return (rows ?? []) as FoundRow[];
}

function sqlDriver(sql: PostgresSql, isLost: (error: unknown) => boolean): PostgresDriver {
  return {
    reconnects: true,
    query: (statement) => sqlQuery(sql, statement),

    async transaction<Result>(setup: string, step: (query: Query) => Promise<Result>) {
      const done = await sql.begin(transactionMode, async (own) => {
        try {
          // `then` starts the query, so the setup is sent first, without waiting for its result.
          const started = own.unsafe(setup).then(ignore);
          const [, result] = await Promise.all([started, step((statement) => sqlQuery(own, statement))]);
          return [result];
        } catch (error) {
          // `begin` would send ROLLBACK on the lost connection, which ends the process. It notices the loss itself.
          if (isLost(error)) await new Promise<never>(ignore);
          throw error;
        }
      });
      return (done as [Result])[0];
    },
  };
}

async function sqlQuery(sql: PostgresSqlQuery, statement: Statement): Promise<FoundRow[]> {
  const { text, values } = statement;
  const rows = await sql.unsafe(numbered(text), values, { prepare: isWorthPreparing(statement) });
  return [...rows] as FoundRow[];
}

function ignore(): void {}
