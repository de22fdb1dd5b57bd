import { createPace } from "../../async/pace.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Statement } from "../sql/sql.ts";
import { tableMissing } from "../sql/tables.ts";
import type { SqliteHandle, SqliteStatement } from "./driver.ts";

/** How long SQLite may hold up the event loop while another process writes; after that `clock.sleep` waits. */
const busyTimeoutMs = 10;
/** Waits between tries while the database is locked; the last is repeated, short so that a busy neighbour leaves a gap to find. */
const busyWaitsMs = [5, 10, 20];
/** After this the lock is not another process's write any more, but something forgotten. */
const busyPatienceMs = 10_000;

/**
 * Pages in the log before they are moved to the database, 16 MB: a publication changes the same pages several times.
 * With SQLite's own 1,000 it takes a tenth longer (https://www.sqlite.org/wal.html#ckpt, November 2026).
 */
const checkpointPages = 4_000;

/** How long emptying the log waits for those who still read what is in it, and between two tries. */
const readersPatienceMs = 2_000;
const betweenTriesMs = 50;

const sqliteBusy = 5; // https://www.sqlite.org/rescode.html#busy, read November 2026

/** Prepared statements kept for the next time. A store has fewer; one with a list of values has as many texts as the list has lengths. */
const maxKeptStatements = 100;

/** Runs statements on one handle. Each step runs in one tick, so that no other statement falls into it. */
export interface SqliteConnection {
  /** Runs `step`, again while the database is locked. Steps never wait for anything, so many of them let others have their turn in between. */
  read<Result>(step: () => Result): Promise<Result>;
  /**
   * Runs `step` in a transaction, again from its start while the database is
   * locked. What it throws rolls back all that it did. Steps that wait together
   * are committed together, so that they wait for the disk once.
   *
   * @throws Error when a transaction that is not ours is open on the handle
   */
  write<Result>(step: () => Result): Promise<Result>;
  /** Inside a step: the row of a statement that answers one at most. A third of the time that `all` takes with libsql. */
  first(statement: Statement): Record<string, unknown> | undefined;
  /** Inside a step: the rows of a statement. */
  all(statement: Statement): Record<string, unknown>[];
  /** Inside a step: how many rows a statement changed that answers nothing. */
  run(statement: Statement): number;
  /** Inside a step: several statements without values. */
  exec(sql: string): void;
  /** Moves the log to the database and leaves it empty; false: somebody still reads what is in it. */
  emptyLog(): Promise<boolean>;
  /** No step runs after this. Closes the handle when it is `owned`. */
  close(): void;
}

/**
 * Steps in one transaction at most, and after how long none is added, milliseconds: the event loop stands still meanwhile.
 * That there are several is for speed alone: the row `1,000 publications on SQLite` of `npm run bench -- publish`.
 */
const maxTogether = 64;
const maxTogetherMs = 10;

/** Null: it is another error. */
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
  /** Opened by us, so closed by us. */
  owned: boolean;
  /** What errors call the database. */
  name: string;
  /** `FULL`: what was committed survives a power loss · `NORMAL`: the last commits may be lost, never half of one. */
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
    // FULL where the intent must be on the disk before the first byte of its post leaves: WAL then syncs the log at each
    // commit, with all that stands in it, whoever wrote that. NORMAL syncs it at checkpoints only, so a power loss takes
    // back the last commits, though kill -9 does not; EXTRA adds something to rollback journals only (https://www.sqlite.org/pragma.html#pragma_synchronous, read November 2026).
    // What was synced needs no checkpoint to survive: after a power loss SQLite reads it from the log.
    // The price, median of 3,000 inserts of 500 bytes: FULL 0.13 ms, NORMAL and OFF 0.015 ms, so eightfold (libsql, ext4 on a
    // virtual disk, November 2026). A disk without a cache takes milliseconds; beside a network's answer that is little, too.
    const settings = {
      busy_timeout: busyTimeoutMs,
      journal_mode: "WAL",
      synchronous,
      wal_autocheckpoint: checkpointPages,
      // SQLite overwrites what it deletes or replaces: an erased text would else stand in its page until another takes its place.
      // Publishing is no slower: 1.02 times as fast by CPU time, median of 7 pairs of 1,000 posts (libsql, November 2026).
      secure_delete: "ON",
    };
    for (const [name, value] of Object.entries(settings)) outsideTransaction(`PRAGMA ${name} = ${value}`);
    isConfigured = true;
  }

  /** One transaction after the other, so that on a locked database only one of them holds up the event loop. */
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
        // Nothing of it is written. One of several may be the only one at fault: each by itself.
        if (steps.length === 1) steps[0]?.reject(error);
        else await writeEach(steps);
      }
    }
    isWriting = false;
  }

  /** What the first steps answer: all, or as many as there is time for. */
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
      // Some failures, a full disk for one, have already rolled back.
    }
  }

  /** Ours never outlive their tick, so a transaction that is open here is the host's. */
  function outsideTransaction(sql: string): void {
    try {
      handle.exec(sql);
    } catch (error) {
      // By its text, because SQLite has no code for it.
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
        // After this turn of the event loop, which may bring more writes.
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

/** The statement of a text, prepared once: preparing takes as long as running, the same row of the bench. */
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
