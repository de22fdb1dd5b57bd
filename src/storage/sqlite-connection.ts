import type { Clock } from "../clock.ts";
import type { Statement } from "./sql.ts";
import type { SqliteHandle, SqliteStatement } from "./sqlite-driver.ts";

/** How long SQLite may hold up the event loop while another process writes; after that `clock.sleep` waits. */
const busyTimeoutMs = 10;
/** Waits between tries while the database is locked; the last is repeated, short so that a busy neighbour leaves a gap to find. */
const busyWaitsMs = [5, 10, 20];
/** After this the lock is not another process's write any more, but something forgotten. */
const busyPatienceMs = 10_000;

const sqliteBusy = 5; // https://www.sqlite.org/rescode.html#busy, read November 2026

/** Prepared statements kept for the next time. A store has fewer; one with a list of values has as many texts as the list has lengths. */
const mostKeptStatements = 100;

/** Runs statements on one handle. Each step runs in one tick, so that no other statement falls into it. */
export interface SqliteConnection {
  /** Runs `step`, again while the database is locked. */
  read<Result>(step: () => Result): Promise<Result>;
  /**
   * Runs `step` in a transaction of its own, again from its start while the
   * database is locked. What it throws rolls everything back.
   *
   * @throws Error when a transaction that is not ours is open on the handle
   */
  write<Result>(step: () => Result): Promise<Result>;
  /** Inside a step: the rows of a statement. */
  all(statement: Statement): Record<string, unknown>[];
  /** Inside a step: a statement that answers nothing. */
  run(statement: Statement): void;
  /** Inside a step: several statements without values. */
  exec(sql: string): void;
  /** No step runs after this. Closes the handle when it is `owned`. */
  close(): void;
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
  const statements = new Map<string, SqliteStatement>();
  let isConfigured = false;
  let isClosed = false;
  let lastWrite: Promise<unknown> = Promise.resolve();

  async function retried<Result>(step: () => Result, startedAt: number): Promise<Result> {
    for (let attempt = 0; ; attempt++) {
      try {
        return runNow(step);
      } catch (error) {
        if (!isBusy(error)) throw error;
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
    for (const setting of [`busy_timeout = ${busyTimeoutMs}`, "journal_mode = WAL", `synchronous = ${synchronous}`]) {
      outsideTransaction(`PRAGMA ${setting}`);
    }
    isConfigured = true;
  }

  /** Preparing takes as long as running. */
  function prepared(text: string): SqliteStatement {
    const known = statements.get(text);
    if (known !== undefined) return known;
    if (statements.size >= mostKeptStatements) statements.clear();
    const statement = handle.prepare(text);
    statements.set(text, statement);
    return statement;
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
        `A transaction that is not postrider's is open on ${name}. Nothing was written, because a rollback of it would ` +
          "undo our write. End the transaction before anything is awaited, or give sqliteStorage a handle of its own.",
        { cause: error },
      );
    }
  }

  function stillLocked(cause: unknown): Error {
    return new Error(
      `${name} has been locked for ${busyPatienceMs / 1000} s by another connection. Nothing was written. ` +
        "Look for a transaction that somebody left open, a backup, or a VACUUM.",
      { cause },
    );
  }

  return {
    read(step) {
      return retried(step, clock.monotonic());
    },

    write(step) {
      // One at a time, so that a queue of writes on a locked database holds up the event loop for one of them only.
      const startedAt = clock.monotonic();
      const inTurn = (): Promise<ReturnType<typeof step>> => retried(() => transaction(step), startedAt);
      const written = lastWrite.then(inTurn, inTurn);
      lastWrite = written;
      return written;
    },

    all({ text, values }) {
      return prepared(text).all(...values) as Record<string, unknown>[];
    },

    run({ text, values }) {
      prepared(text).run(...values);
    },

    exec(sql) {
      handle.exec(sql);
    },

    close() {
      if (isClosed) return;
      isClosed = true;
      if (owned) handle.close?.();
    },
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
