/**
 * A whole write as one statement instead of a transaction of several messages,
 * and under load several writes as one. For speed alone: the row `1,000 publications
 * on Postgres` of `npm run bench -- publish`. Without it every write would be a
 * transaction of `write.ts`, which does the same.
 */
import type { Operation } from "../storage.ts";
import { createBatcher } from "./batcher.ts";
import type { FoundRow } from "./client.ts";
import { type PostgresConnection, settingsInStatement } from "./connection.ts";
import { failureOf, isUnreadableJson, isUnsent, violatedIndex } from "./failure.ts";
import { type SingleWrite, singleStatement, singleWrite, unfit, withTheFirst } from "./single.ts";

/**
 * How far a write has come with one statement. `open`: nothing was changed · `unknown`: perhaps it was, the answer is
 * missing · `missing`, `where`: nothing was changed, as the conflict of its only operation says.
 */
export type FirstTry = "done" | "open" | "unknown" | "missing" | "where";

/** Writes of one shape under way at once. */
const writesAtOnce = 2;

/**
 * Takes in a write, whose values may change afterwards, and returns what tries it.
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
      // Nothing of it is written, and one of several may be the only one at fault: each by itself.
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
      // Which unique is taken, and by which operation, is for the transaction to find out.
      if (failure === "contended" || violatedIndex(error) !== null || isUnreadableJson(error)) return "open";
      throw error;
    }
  }

  /** A write alone whose only condition does not hold ends here: a transaction would find nothing else. */
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
