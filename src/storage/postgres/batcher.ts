/**
 * Sends the statements of several callers together, so that they share a round
 * trip to the server and one wait for its disk. Only for speed: the row `1,000
 * publications on Postgres` of `npm run bench -- publish`. Used by `createReads`
 * for reads and `createFirstTries` for writes.
 */

/** How waiting statements become one. */
export interface Batcher<Item, Result> {
  /** Concurrent statements of one shape; further ones wait. A slow statement delays none of another shape. */
  maxAtOnce: number;
  /** Equal for statements that can be sent together. */
  shapeOf(item: Item): string;
  /** Chooses from the waiting statements, oldest first, those to send together. The first must be among them. */
  choose(waiting: readonly Item[]): readonly Item[];
  /** Runs the chosen ones as one statement, and returns their results in order. */
  run(chosen: readonly Item[]): readonly Promise<Result>[];
}

interface Caller<Result> {
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** The statements of one shape. */
interface Line<Item, Result> {
  waiting: Map<Item, Caller<Result>>;
  underWay: number;
}

/**
 * Collects statements while enough others are running; they are then sent
 * together. A statement alone is sent immediately.
 */
export function createBatcher<Item extends object, Result>(
  gathering: Batcher<Item, Result>,
): (item: Item) => Promise<Result> {
  const { maxAtOnce, shapeOf, choose, run } = gathering;
  const lines = new Map<string, Line<Item, Result>>();

  function lineOf(shape: string): Line<Item, Result> {
    const line = lines.get(shape) ?? { waiting: new Map(), underWay: 0 };
    lines.set(shape, line);
    return line;
  }

  async function runChosen(line: Line<Item, Result>): Promise<void> {
    line.underWay += 1;
    const chosen = choose([...line.waiting.keys()]);
    const ends = run(chosen);
    for (const [place, item] of chosen.entries()) {
      const caller = line.waiting.get(item);
      line.waiting.delete(item);
      ends[place]?.then(caller?.resolve, caller?.reject);
    }
    await Promise.allSettled(ends);
    line.underWay -= 1;
  }

  function runWaiting(shape: string): void {
    const line = lineOf(shape);
    while (line.underWay < maxAtOnce && line.waiting.size > 0) {
      void runChosen(line).then(() => runWaiting(shape));
    }
    if (line.underWay === 0) lines.delete(shape);
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const shape = shapeOf(item);
      lineOf(shape).waiting.set(item, { resolve, reject });
      runWaiting(shape);
    });
}
