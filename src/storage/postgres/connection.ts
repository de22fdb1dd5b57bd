import type { Clock } from "../../ports/clock.ts";
import { describeFailure } from "../../wire/describe-failure.ts";
import { SocialError } from "../../wire/errors.ts";
import type { Statement } from "../sql/statement.ts";
import { tableMissing } from "../sql/tables.ts";
import { type FoundRow, type PostgresClient, postgresDriver, type Query } from "./client.ts";
import { failureOf, PostgresTrouble } from "./failure.ts";

/** How long an unreachable server is retried: a restart or a failover takes seconds. */
const maxRetryMs = 10_000;
/** Pauses between attempts; the last one repeats. */
const lostWaitsMs = [20, 50, 100, 200, 500];
const contendedWaitsMs = [0, 5, 10, 20, 50];
/** Each failed attempt is a new deadlock or conflict. More than this in a row is no coincidence. */
const maxContended = 12;

/** A row that is locked for longer belongs to a forgotten transaction. */
const lockTimeoutMs = 10_000;
/** After this time the server ends a transaction whose process or connection is gone, and releases its rows. */
const idleTimeoutMs = 5_000;
/** Longer than any response takes that will still come. */
const answerTimeoutMs = 30_000;

/** The reason for ending a timer. Without one, each statement would create a DOMException with a stack. */
const answeredInTime = "answered";

/** Settings of every transaction. */
const limits = `SET LOCAL lock_timeout = ${lockTimeoutMs}; SET LOCAL idle_in_transaction_session_timeout = ${idleTimeoutMs};`;

/** The same settings as expressions, for a writing statement that is a transaction of its own. */
export const settingsInStatement = [
  `set_config('lock_timeout', '${lockTimeoutMs}', true)`,
  "set_config('synchronous_commit', 'on', true)",
] as const;

const unknownOutcome = "The last write may have been applied: the connection broke during its commit.";

export interface PostgresConnection {
  /** Runs a statement and returns its rows. If the connection breaks, it may run twice. */
  query(statement: Statement): Promise<FoundRow[]>;
  /** Runs a statement once and returns its rows. */
  once(statement: Statement): Promise<FoundRow[]>;
  /**
   * Runs `step` in its own transaction. Repeats it from the start if the
   * connection breaks or another transaction conflicts.
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
  /** True: an earlier attempt, whose response was lost, may have had the same effect. @default false */
  mayBeDone?: boolean;
}

/** The number of attempts, and the time of the first. */
interface Tried {
  tries: number;
  startedAt: number;
  /** The sentence about what may have been written. */
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

  /** @throws the error for the caller, once no attempt is left */
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
    // A client's errors may contain its connection string with the password.
    const cause = describeFailure(error);
    const what = driver.reconnects
      ? `Postgres could not be reached for ${maxRetryMs / 1000} s`
      : "The connection to Postgres broke, and a single client does not reconnect";
    const advice = driver.reconnects
      ? "Check that the server is running and accepts more connections, and that the client's host and port are right."
      : "Pass a Pool to postgresStorage.";
    return new SocialError("internal_error", `${what} (${cause.message || cause.name}). ${outcome} ${advice}`, {
      cause,
    });
  }

  /** The result of `work`, or an error if it takes longer than any response does. */
  async function answered<Result>(work: Promise<Result>): Promise<Result> {
    const alarm = new AbortController();
    const late = clock.sleep(answerTimeoutMs, alarm.signal).then(() => {
      throw new PostgresTrouble(
        "lost",
        `no response for ${answerTimeoutMs / 1000} s: the connection is dead, or all connections of the pool are in use`,
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
              // An abandoned attempt must not continue beside the next one.
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
    `Postgres rejected a transaction ${tries} times because of concurrent transactions. Nothing was written.`,
    {
      cause,
    },
  );
}
