import type { Clock } from "../../ports/clock.ts";
import { describeFailure } from "../../wire/describe-failure.ts";
import { SocialError } from "../../wire/errors.ts";
import type { Statement } from "../sql/statement.ts";
import { tableMissing } from "../sql/tables.ts";
import { type FoundRow, type PostgresClient, postgresDriver, type Query } from "./client.ts";
import { failureOf, PostgresTrouble } from "./failure.ts";

/** How long a server that cannot be reached is waited for: a restart or a failover takes seconds. */
const maxRetryMs = 10_000;
/** Waits between tries; the last is repeated. */
const lostWaitsMs = [20, 50, 100, 200, 500];
const contendedWaitsMs = [0, 5, 10, 20, 50];
/** Each try is a deadlock or a conflict of its own; more than this in a row is no accident. */
const maxContended = 12;

/** A row that is locked for longer is locked by something forgotten. */
const lockTimeoutMs = 10_000;
/** After this the server ends a transaction of ours whose process or connection has vanished, and frees its rows. */
const idleTimeoutMs = 5_000;
/** Longer than any answer takes that is still to come. */
const answerTimeoutMs = 30_000;

/** Ends an alarm: without a reason of ours a DOMException with its stack is made, at every statement. */
const answeredInTime = "answered";

/** What every transaction sets for itself. */
const limits = `SET LOCAL lock_timeout = ${lockTimeoutMs}; SET LOCAL idle_in_transaction_session_timeout = ${idleTimeoutMs};`;

/** What a statement that writes, a transaction of its own, sets for itself, as expressions. */
export const settingsInStatement = [
  `set_config('lock_timeout', '${lockTimeoutMs}', true)`,
  "set_config('synchronous_commit', 'on', true)",
] as const;

const unknownOutcome = "The last write may have been applied: the connection broke during its commit.";

export interface PostgresConnection {
  /** The rows of one statement, which may run twice when a connection breaks. */
  query(statement: Statement): Promise<FoundRow[]>;
  /** The rows of one statement, which is not repeated. */
  once(statement: Statement): Promise<FoundRow[]>;
  /**
   * Runs `step` in a transaction of its own; again from its start when the
   * connection breaks or another transaction is in the way.
   *
   * @param setup SQL without values that runs first
   */
  transaction<Result>(options: TransactionOptions, step: (query: Query) => Promise<Result>): Promise<Result>;
  /** Nothing runs after this. */
  close(): void;
}

export interface TransactionOptions {
  /** SQL without values that runs first. */
  setup: string;
  /** True: it has no time limit. @default false */
  isLong?: boolean;
  /** True: an earlier try, whose answer was lost, may have done the same. @default false */
  mayBeDone?: boolean;
}

/** How often something was tried, and since when. */
interface Tried {
  tries: number;
  startedAt: number;
  /** What is to be said of what may have been written. */
  outcome(): string;
}

function waitAfter(tries: number, waitsMs: readonly number[]): number {
  return waitsMs[Math.min(tries, waitsMs.length) - 1] ?? 0;
}

export function connectPostgres(client: PostgresClient, clock: Clock): PostgresConnection {
  const driver = postgresDriver(client, (error) => failureOf(error) === "lost");
  let isClosed = false;

  async function retried<Result>(work: () => Promise<Result>, outcome: () => string): Promise<Result> {
    const startedAt = clock.monotonic();
    for (let tries = 1; ; tries++) {
      if (isClosed) throw closed();
      try {
        return await work();
      } catch (error) {
        await waitToRetry(error, { tries, startedAt, outcome });
      }
    }
  }

  /** @throws what the caller is told, once there is no further try */
  async function waitToRetry(error: unknown, { tries, startedAt, outcome }: Tried): Promise<void> {
    switch (failureOf(error)) {
      case null:
        throw missingTable(error) ?? error;
      case "locked":
        throw locked(error);
      case "contended":
        if (tries >= maxContended) throw contended(error, tries);
        return clock.sleep(waitAfter(tries, contendedWaitsMs));
      case "lost":
        if (!driver.reconnects || clock.monotonic() - startedAt >= maxRetryMs) throw unreachable(error, outcome());
        return clock.sleep(waitAfter(tries, lostWaitsMs));
    }
  }

  function unreachable(error: unknown, outcome: string): Error {
    // A client's errors may hold its address, with the password.
    const cause = describeFailure(error);
    const what = driver.reconnects
      ? `Postgres could not be reached for ${maxRetryMs / 1000} s`
      : "The connection to Postgres broke, and a single client does not reconnect";
    const advice = driver.reconnects
      ? "Check that the server is running and accepts more connections, and that the client's address is right."
      : "Pass a Pool to postgresStorage.";
    return new SocialError("internal_error", `${what} (${cause.message || cause.name}). ${outcome} ${advice}`, {
      cause,
    });
  }

  /** What `work` answers, unless it takes longer than any answer does. */
  async function answered<Result>(work: Promise<Result>): Promise<Result> {
    const alarm = new AbortController();
    const late = clock.sleep(answerTimeoutMs, alarm.signal).then(() => {
      throw new PostgresTrouble(
        "lost",
        `no answer for ${answerTimeoutMs / 1000} s: the connection is dead, or all connections of the pool are taken`,
      );
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      alarm.abort(answeredInTime);
    }
  }

  return {
    query(statement) {
      return retried(
        () => answered(driver.query(statement)),
        () => "The read failed.",
      );
    },

    async once(statement) {
      if (isClosed) throw closed();
      try {
        return await answered(driver.query(statement));
      } catch (error) {
        throw failureOf(error) === "locked" ? locked(error) : (missingTable(error) ?? error);
      }
    },

    transaction({ setup, isLong = false, mayBeDone = false }, step) {
      let outcome = mayBeDone ? unknownOutcome : "Nothing was written.";
      return retried(
        async () => {
          let isAbandoned = false;
          const running = driver.transaction(limits + setup, async (query) => {
            const result = await step((statement) => {
              // A try that was given up must not go on beside the next one.
              if (isAbandoned) throw new PostgresTrouble("lost", "given up");
              return query(statement);
            });
            if (isAbandoned) throw new PostgresTrouble("lost", "given up");
            outcome = unknownOutcome;
            return result;
          });
          try {
            return await (isLong ? running : answered(running));
          } finally {
            isAbandoned = true;
          }
        },
        () => outcome,
      );
    },

    close() {
      isClosed = true;
    },
  };
}

// undefined_table: https://www.postgresql.org/docs/18/errcodes-appendix.html (2026-11).
const undefinedTable = "42P01";

/** Null: it is another error. */
function missingTable(cause: unknown): Error | null {
  const { code, message } = cause as { code?: unknown; message?: unknown };
  if (code !== undefinedTable) return null;
  const name = /relation "([^"]+)"/.exec(String(message))?.[1] ?? "";
  return tableMissing(name, { migrationSql: "postgresMigrationSql()", cause });
}

function closed(): Error {
  return new SocialError("internal_error", "The storage on Postgres is closed.");
}

function locked(cause: unknown): Error {
  return new SocialError(
    "internal_error",
    `Another connection has locked a row for ${lockTimeoutMs / 1000} s. Nothing was written. ` +
      'Look for a transaction that was left open (pg_stat_activity, state "idle in transaction").',
    { cause },
  );
}

function contended(cause: unknown, tries: number): Error {
  return new SocialError(
    "internal_error",
    `Postgres refused a transaction ${tries} times because of concurrent transactions. Nothing was written.`,
    {
      cause,
    },
  );
}
