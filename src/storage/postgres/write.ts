import { type Clock, createThrottle } from "../../ports/clock.ts";
import { randomIds } from "../../ports/ids.ts";
import { schemaOf, uniqueValues } from "../columns.ts";
import { findSql } from "../sql/find.ts";
import { getSql, indexName, postgresDialect, tableName } from "../sql/sql.ts";
import { type Operation, type Row, StorageConflict } from "../storage.ts";
import { batchesOf, batchStatement } from "./batch.ts";
import type { Query } from "./client.ts";
import type { PostgresConnection } from "./connection.ts";
import { violatedIndex } from "./failure.ts";
import { createFirstTries } from "./first-try.ts";
import { lockedRows, lockStatement, mayTakeUnique, type Plan, planWrite, type Step, stepStatement } from "./plan.ts";

/** How long the ids of writes are stored; a write is repeated for seconds only. */
const writesKept = "10 minutes";
const betweenPrunesMs = 60_000;

/** Writes in its own transactions, or in one of the host's. */
export interface Writer {
  /** @param operations read before the first wait */
  write(operations: readonly Operation[]): Promise<void>;
  writeWithin(query: Query, operations: readonly Operation[]): Promise<void>;
}

/** A step changed nothing, so a unique value or an id exists already. Running the steps one by one shows which. */
class StepRefused extends Error {
  override readonly name = "StepRefused";
}

/**
 * `write` on Postgres. It first tries one statement that does all or nothing
 * (`first-try.ts`). If that fails or does not fit, a short transaction follows: it
 * records the write's id, locks and reads the rows, and changes them or reports
 * the conflict.
 *
 * If the connection breaks, it is unknown whether the write was committed. It is
 * repeated with the same id: while the first attempt is still open, recording the
 * id waits for it; if it was committed, the id exists already and the write is
 * done.
 */
export function createWriter(ports: { connection: PostgresConnection; clock: Clock; tablePrefix: string }): Writer {
  const { connection, clock, tablePrefix } = ports;
  const writesTable = tableName(tablePrefix, "writes");
  const prepareFirstTry = createFirstTries({ connection, tablePrefix, writesTable });
  const isTimeToPrune = createThrottle(clock, betweenPrunesMs);

  async function attempt(
    operations: readonly Operation[],
    { writeId, isStepwise, mayBeDone }: { writeId: string; isStepwise: boolean; mayBeDone: boolean },
  ): Promise<void> {
    const setup = `SET LOCAL synchronous_commit = on; INSERT INTO ${writesTable} ("id") VALUES ('${writeId}');`;
    const lock = lockStatement(tablePrefix, operations);
    await connection.transaction({ setup, mayBeDone }, async (query) => {
      const plan = planWrite(operations, lock === null ? new Map() : lockedRows(await query(lock)));
      await carryOut(query, plan, isStepwise);
    });
  }

  async function carryOut(query: Query, { steps, conflict }: Plan, isStepwise: boolean): Promise<void> {
    // If a unique index rejects an earlier step, that is the conflict to report.
    if (conflict !== null && !steps.some(({ operation }) => mayTakeUnique(operation))) throw conflict;
    if (isStepwise) for (const step of steps) await carryOutStep(query, step);
    else {
      for (const batch of batchesOf(steps)) {
        const applied = await query(batchStatement(tablePrefix, batch));
        if (applied.length < batch.length) throw new StepRefused();
      }
    }
    if (conflict !== null) throw conflict;
  }

  async function carryOutStep(query: Query, step: Step): Promise<void> {
    const { index, operation, row } = step;
    let applied: unknown[];
    try {
      applied = await query(stepStatement(tablePrefix, step));
    } catch (error) {
      throw conflictOfIndex(violatedIndex(error), index, operation) ?? error;
    }
    if (applied.length === 0 && row !== null) throw await takenConflict(query, index, operation, row);
  }

  /** The conflict of an update. */
  function conflictOfIndex(name: string | null, index: number, operation: Operation): StorageConflict | null {
    const { collection } = operation;
    const { uniques } = schemaOf(collection);
    const unique = uniques.find((columns) => indexName(postgresDialect, tablePrefix, collection, columns) === name);
    return unique === undefined ? null : new StorageConflict(index, operation, "unique", unique);
  }

  /** The conflict of an insert. */
  async function takenConflict(query: Query, index: number, operation: Operation, row: Row): Promise<StorageConflict> {
    const { collection } = operation;
    if ((await query(getSql(tablePrefix, collection, row.id))).length > 0) {
      return new StorageConflict(index, operation, "exists");
    }
    for (const unique of schemaOf(collection).uniques) {
      const values = uniqueValues(row, unique);
      if (values === null) continue;
      const where = Object.fromEntries(unique.map((column, place) => [column, values[place] ?? null]));
      const others = await query(findSql(tablePrefix, collection, { where, limit: 1 }));
      if (others.length > 0) return new StorageConflict(index, operation, "unique", unique);
    }
    return new StorageConflict(index, operation, "unique");
  }

  async function prune(): Promise<void> {
    const old = `SELECT "id" FROM ${writesTable} WHERE "written_at" < clock_timestamp() - interval '${writesKept}'`;
    const text = `DELETE FROM ${writesTable} WHERE "id" IN (${old} FOR UPDATE SKIP LOCKED)`;
    await connection.query({ text, values: [] });
  }

  async function write(given: readonly Operation[]): Promise<void> {
    const writeId = newWriteId();
    const tryFirst = prepareFirstTry(given, writeId);
    // Parsed only if the first try does not suffice: it does for most writes.
    const copy = JSON.stringify(given);
    if (isTimeToPrune()) await prune();
    const firstTry = await tryFirst();
    if (firstTry === "done") return;
    const operations: Operation[] = JSON.parse(copy);
    const [only] = operations;
    if (only !== undefined && (firstTry === "missing" || firstTry === "where"))
      throw new StorageConflict(0, only, firstTry);
    const mayBeDone = firstTry === "unknown";
    try {
      await attempt(operations, { writeId, isStepwise: false, mayBeDone }).catch((error: unknown) => {
        if (!(error instanceof StepRefused) && violatedIndex(error) === null) throw error;
        if (isWritten(error)) throw error;
        return attempt(operations, { writeId, isStepwise: true, mayBeDone });
      });
    } catch (error) {
      if (isWritten(error)) return;
      if (mayBeDone && error instanceof StorageConflict && !(await isBarred(writeId))) return;
      throw error;
    }
  }

  /**
   * Prevents the effect of a first try that is still running, by recording its id with a time in the future.
   * False: it had already taken effect.
   */
  async function isBarred(writeId: string): Promise<boolean> {
    const later = `clock_timestamp() + interval '${writesKept}'`;
    const bar = `INSERT INTO ${writesTable} ("id", "written_at") VALUES (?, ${later}) ON CONFLICT DO NOTHING`;
    await connection.query({ text: bar, values: [writeId] });
    const question = `SELECT "written_at" > clock_timestamp() AS is_barred FROM ${writesTable} WHERE "id" = ?`;
    const [recorded] = await connection.query({ text: question, values: [writeId] });
    return recorded?.is_barred !== false;
  }

  /** Step by step, because a transaction that has violated a unique index accepts no further query. */
  async function writeWithin(query: Query, operations: readonly Operation[]): Promise<void> {
    await assertTransaction(query);
    const lock = lockStatement(tablePrefix, operations);
    const locked = lock === null ? new Map() : lockedRows(await query(lock));
    await carryOut(query, planWrite(operations, locked), true);
  }

  return { write, writeWithin };

  /** True if this write's id is recorded: an earlier attempt was committed, and its response lost. */
  function isWritten(error: unknown): boolean {
    return violatedIndex(error) === `${tablePrefix}writes_id`;
  }
}

/** Outside of a transaction, the transaction's start time equals the statement's. @throws TypeError */
async function assertTransaction(query: Query): Promise<void> {
  const text = "SELECT transaction_timestamp() = statement_timestamp() AS is_alone";
  const [answer] = await query({ text, values: [] });
  if (answer?.is_alone !== true) return;
  throw new TypeError("No transaction is open on this client: begin one, save, write your own rows, commit.");
}

/** 128 random bits. */
function newWriteId(): string {
  return Buffer.from(randomIds.bytes(16)).toString("hex");
}
