/**
 * Statements of many callers that go together: a message to the server, its
 * answer and a wait for the disk are shared. For speed alone: the row `1,000
 * publications on Postgres` of `npm run bench -- publish`. Behind two doors:
 * `createReads`, and `createFirstTries` for writes.
 */

/** How statements that wait become one. */
export interface Batcher<Item, Result> {
  /** Statements of one shape under way at once; what comes then waits. What is slow holds up nothing of another shape. */
  maxAtOnce: number;
  /** Equal for what can go together. */
  shapeOf(item: Item): string;
  /** What goes with the first of those that wait, which are in the order in which they came; the first is part of it. */
  choose(waiting: readonly Item[]): readonly Item[];
  /** Runs all that was chosen, by one statement: what becomes of each, in their order. */
  run(chosen: readonly Item[]): readonly Promise<Result>[];
}

interface Caller<Result> {
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Of one shape. */
interface Line<Item, Result> {
  waiting: Map<Item, Caller<Result>>;
  underWay: number;
}

/**
 * Gathers statements while enough are under way: several callers then share one
 * message to the server, its answer, and one wait for the disk. A caller alone
 * waits for nobody.
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
