/**
 * Runs a whole write as one statement instead of a transaction with several
 * round trips; under load, several writes as one. Only for speed: the row `1,000
 * publications on Postgres` of `npm run bench -- publish`. Without it every write
 * would be a transaction of `write.ts`, with the same effect.
 */
import type { Operation } from "../storage.ts";
import { createBatcher } from "./batcher.ts";
import type { FoundRow } from "./client.ts";
import { type PostgresConnection, settingsInStatement } from "./connection.ts";
import { failureOf, isUnreadableJson, isUnsent, violatedIndex } from "./failure.ts";
import { type SingleWrite, singleStatement, singleWrite, unfit, withTheFirst } from "./single.ts";

/**
 * The result of a write as one statement. `open`: nothing was changed · `unknown`: it may have been, the response is
 * missing · `missing`, `where`: nothing was changed, and this is the reason of the conflict of its only operation.
 */
export type FirstTry = "done" | "open" | "unknown" | "missing" | "where";

/** Concurrent writes of one shape. */
const writesAtOnce = 2;

/**
 * Reads the values of a write, which may change afterwards, and returns a function that runs it.
 *
 * @param id recorded with the write
 */
export type PrepareFirstTry = (operations: readonly Operation[], id: string) => () => Promise<FirstTry>;

/** @param writesTable where the writes' ids are recorded */
export function createFirstTries(ports: {
  connection: PostgresConnection;
  tablePrefix: string;
  writesTable: string;
}): PrepareFirstTry {
  const { connection, tablePrefix, writesTable } = ports;

  const tryTogether = createBatcher<SingleWrite, FirstTry>({
    maxAtOnce: writesAtOnce,
    shapeOf: ({ shape }) => shape,
    choose: withTheFirst,
    run(writes) {
      const all = tryAtOnce(writes);
      if (writes.length === 1) return [all];
      // Nothing was written. Only one of the writes may be at fault, so each is tried alone.
      const isOver = all.then(
        (end) => end !== "open",
        () => false,
      );
      return writes.map(async (write) => ((await isOver) ? all : tryAtOnce([write])));
    },
  });

  async function tryAtOnce(writes: readonly SingleWrite[]): Promise<FirstTry> {
    try {
      const written = await connection.once(singleStatement(writes, { settings: settingsInStatement, writesTable }));
      return endOf(writes, written);
    } catch (error) {
      const failure = failureOf(error);
      if (failure === "lost") return isUnsent(error) ? "open" : "unknown";
      // The transaction finds out which operation violates which unique index.
      if (failure === "contended" || violatedIndex(error) !== null || isUnreadableJson(error)) return "open";
      throw error;
    }
  }

  /** A lone write whose only condition is not met ends here: a transaction would find the same. */
  function endOf(writes: readonly SingleWrite[], [answer]: readonly FoundRow[]): FirstTry {
    const isDecided = writes.length === 1 && writes[0]?.onlyRow !== null;
    if (answer === undefined) return isDecided ? "missing" : "open";
    return isDecided && answer.id === unfit ? "where" : "done";
  }

  return (operations, id) => {
    const single = singleWrite(operations, tablePrefix, id);
    return async () => (single === null ? "open" : tryTogether(single));
  };
}
