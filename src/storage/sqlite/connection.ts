import { createPace } from "../../async/pace.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Statement } from "../sql/sql.ts";
import { tableMissing } from "../sql/tables.ts";
import type { SqliteHandle, SqliteStatement } from "./driver.ts";

/**
 * Maximum time that SQLite blocks the event loop while another process writes, milliseconds. After that `clock.sleep`
 * waits.
 */
const busyTimeoutMs = 10;
/**
 * Pauses between attempts while the database is locked, milliseconds. The last is repeated. It is short, to find a gap
 * between another process's writes.
 */
const busyWaitsMs = [5, 10, 20];
/** A lock that lasts longer is not a write, but for example a forgotten transaction, milliseconds. */
const busyPatienceMs = 10_000;

/**
 * Pages in the log before they are moved to the database, 16 MB, because a publication changes the same pages several
 * times. With SQLite's own 1,000 it takes a tenth longer (https://www.sqlite.org/wal.html#ckpt, November 2026).
 */
const checkpointPages = 4_000;

/** Maximum time that emptying the log waits for its readers, and time between two attempts, milliseconds. */
const readersPatienceMs = 2_000;
const betweenTriesMs = 50;

const sqliteBusy = 5; // https://www.sqlite.org/rescode.html#busy, read November 2026

/**
 * Maximum number of kept prepared statements. A store needs fewer, but a statement with a list has a text for each
 * length of the list.
 */
const maxKeptStatements = 100;

/** Runs statements on one handle. Each step runs in one tick, so that no other statement can run within it. */
export interface SqliteConnection {
  /**
   * Runs `step`; retries while the database is locked. Steps are synchronous, so between many of them other work gets a
   * turn.
   */
  read<Result>(step: () => Result): Promise<Result>;
  /**
   * Runs `step` in a transaction; retries from its start while the database is locked. If it throws, the transaction is
   * rolled back. Steps that wait at the same time are committed together, so that they wait for the disk once.
   *
   * @throws Error if a transaction of other code is open on the handle
   */
  write<Result>(step: () => Result): Promise<Result>;
  /**
   * Inside a step: the row of a statement that returns at most one. With libsql it takes a third of the time of `all`.
   */
  first(statement: Statement): Record<string, unknown> | undefined;
  /** Inside a step: returns the rows of a statement. */
  all(statement: Statement): Record<string, unknown>[];
  /** Inside a step: runs a statement without result rows; returns the number of changed rows. */
  run(statement: Statement): number;
  /** Inside a step: runs several statements without values. */
  exec(sql: string): void;
  /** Moves the log to the database and empties it; false: another connection still reads the log. */
  emptyLog(): Promise<boolean>;
  /** No step runs after this. Closes the handle if it is `owned`. */
  close(): void;
}

/**
 * Maximum number of steps in one transaction, and the time after which none is added, milliseconds, because the event
 * loop is blocked meanwhile. Several steps per transaction are only for speed: the row `1,000 publications on SQLite`
 * of `npm run bench -- publish`.
 */
const maxTogether = 64;
const maxTogetherMs = 10;

/** The error of a missing table; null: it is another error. */
function missingTable(cause: unknown): Error | null {
  const name = /no such table: (?:main\.)?(\S+)/.exec(String(cause))?.[1];
  return name === undefined ? null : tableMissing(name, { migrationSql: "sqliteMigrationSql()", cause });
}

/** A step that waits for its transaction. */
interface WaitingStep {
  step(): unknown;
  startedAt: number;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

export function connectSqlite(options: {
  handle: SqliteHandle;
  clock: Clock;
  /** True: this package has opened the handle, and closes it. */
  owned: boolean;
  /** The database's name in errors. */
  name: string;
  /** `FULL`: commits survive a power loss · `NORMAL`: the last commits may be lost, but only as a whole. */
  synchronous: "FULL" | "NORMAL";
}): SqliteConnection {
  const { handle, clock, owned, name, synchronous } = options;
  const prepared = createStatements(handle);
  let isConfigured = false;
  let isClosed = false;
  const pace = createPace(clock);
  const waiting: WaitingStep[] = [];
  let isWriting = false;

  async function retried<Result>(step: () => Result, startedAt: number): Promise<Result> {
    for (let attempt = 0; ; attempt++) {
      try {
        return runNow(step);
      } catch (error) {
        if (!isBusy(error)) throw missingTable(error) ?? error;
        if (clock.monotonic() - startedAt >= busyPatienceMs) throw stillLocked(error);
        await clock.sleep(busyWaitsMs[Math.min(attempt, busyWaitsMs.length - 1)] ?? 0);
      }
    }
  }

  function runNow<Result>(step: () => Result): Result {
    if (isClosed) throw new Error(`The storage on ${name} is closed.`);
    if (!isConfigured) configure();
    return step();
  }

  function configure(): void {
    // FULL, because an intent must be on the disk before the first byte of its post is sent. In WAL mode FULL syncs the
    // whole log at each commit, including other connections' writes. NORMAL syncs it only at checkpoints, so the last
    // commits are lost after a power loss, though not after kill -9. EXTRA matters only for rollback journals
    // (https://www.sqlite.org/pragma.html#pragma_synchronous, read November 2026).
    // Synced commits survive without a checkpoint: after a power loss SQLite reads them from the log.
    // The cost, median of 3,000 inserts of 500 bytes: FULL 0.13 ms, NORMAL and OFF 0.015 ms, so eightfold (libsql, ext4
    // on a virtual disk, November 2026). A disk without a cache takes milliseconds, still little compared with a
    // network's response.
    const settings = {
      busy_timeout: busyTimeoutMs,
      journal_mode: "WAL",
      synchronous,
      wal_autocheckpoint: checkpointPages,
      // SQLite overwrites deleted and replaced content. Otherwise an erased text would stay in its page until the space
      // is reused.
      // Publishing is no slower: 1.02 times as fast by CPU time, median of 7 pairs of 1,000 posts (libsql, November
      // 2026).
      secure_delete: "ON",
    };
    for (const [name, value] of Object.entries(settings)) outsideTransaction(`PRAGMA ${name} = ${value}`);
    isConfigured = true;
  }

  /** Runs one transaction after another, so that on a locked database only one blocks the event loop. */
  async function writeWaiting(): Promise<void> {
    while (waiting.length > 0) {
      await pace();
      const steps = waiting.slice(0, maxTogether);
      try {
        const startedAt = Math.min(...steps.map((each) => each.startedAt));
        const results = await retried(() => transaction(() => runFirst(steps)), startedAt);
        for (const [index, { resolve }] of waiting.splice(0, results.length).entries()) resolve(results[index]);
      } catch (error) {
        waiting.splice(0, steps.length);
        // Nothing is written. Only one of several steps may have failed, so each runs in its own transaction.
        if (steps.length === 1) steps[0]?.reject(error);
        else await writeEach(steps);
      }
    }
    isWriting = false;
  }

  /** Runs the first steps, as many as there is time for. Returns their results. */
  function runFirst(steps: readonly WaitingStep[]): unknown[] {
    const until = clock.monotonic() + maxTogetherMs;
    const results: unknown[] = [];
    for (const { step } of steps) {
      results.push(step());
      if (clock.monotonic() >= until) break;
    }
    return results;
  }

  async function writeEach(steps: readonly WaitingStep[]): Promise<void> {
    for (const { step, startedAt, resolve, reject } of steps) {
      await retried(() => transaction(step), startedAt).then(resolve, reject);
    }
  }

  function transaction<Result>(step: () => Result): Result {
    outsideTransaction("BEGIN IMMEDIATE");
    try {
      const result = step();
      handle.exec("COMMIT");
      return result;
    } catch (error) {
      rollBack();
      throw error;
    }
  }

  function rollBack(): void {
    try {
      handle.exec("ROLLBACK");
    } catch {
      // After some failures, such as a full disk, SQLite has already rolled back.
    }
  }

  /** Runs SQL outside a transaction. Our transactions end within their tick, so an open one is the host's. */
  function outsideTransaction(sql: string): void {
    try {
      handle.exec(sql);
    } catch (error) {
      // Matched by its text, because SQLite has no code for it.
      if (!/(within|inside) a transaction/.test(String(error))) throw error;
      throw new Error(
        `A transaction of other code is open on ${name}. Nothing was written, because a rollback of it would ` +
          "undo our write. End the transaction before any await, or pass a separate handle to sqliteStorage.",
        { cause: error },
      );
    }
  }

  function stillLocked(cause: unknown): Error {
    return new Error(
      `Another connection has locked ${name} for ${busyPatienceMs / 1000} s. Nothing was written. ` +
        "Look for a transaction that was left open, a backup, or a VACUUM.",
      { cause },
    );
  }

  return {
    async read(step) {
      await pace();
      return await retried(step, clock.monotonic());
    },

    write<Result>(step: () => Result): Promise<Result> {
      return new Promise<Result>((resolve, reject) => {
        waiting.push({ step, startedAt: clock.monotonic(), resolve: resolve as (result: unknown) => void, reject });
        if (isWriting) return;
        isWriting = true;
        // After this turn of the event loop, in which more writes may come.
        setImmediate(() => void writeWaiting());
      });
    },

    first({ text, values }) {
      return prepared(text).get(...values) as Record<string, unknown> | undefined;
    },

    all({ text, values }) {
      return prepared(text).all(...values) as Record<string, unknown>[];
    },

    run({ text, values }) {
      return Number(prepared(text).run(...values).changes);
    },

    exec(sql) {
      handle.exec(sql);
    },

    async emptyLog() {
      const until = clock.monotonic() + readersPatienceMs;
      for (;;) {
        const [done] = await retried(() => handle.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all(), clock.monotonic());
        // https://www.sqlite.org/pragma.html#pragma_wal_checkpoint, read November 2026
        if ((done as { busy: number }).busy === 0) return true;
        if (clock.monotonic() >= until) return false;
        await clock.sleep(betweenTriesMs);
      }
    },

    close() {
      if (isClosed) return;
      isClosed = true;
      if (owned) handle.close?.();
    },
  };
}

/** Returns the statement of a text, prepared once. Preparing takes as long as running (the same row of the bench). */
function createStatements(handle: SqliteHandle): (text: string) => SqliteStatement {
  const statements = new Map<string, SqliteStatement>();
  return (text) => {
    const known = statements.get(text);
    if (known !== undefined) return known;
    if (statements.size >= maxKeptStatements) statements.clear();
    const statement = handle.prepare(text);
    statements.set(text, statement);
    return statement;
  };
}

/** libsql and better-sqlite3 name the code; node:sqlite gives the number, whose low byte is the code. */
function isBusy(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return (
    (typeof code === "string" && code.startsWith("SQLITE_BUSY")) ||
    (typeof errcode === "number" && (errcode & 0xff) === sqliteBusy)
  );
}
