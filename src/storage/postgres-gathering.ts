/** How statements that wait become one. */
export interface Gathering<Item, Result> {
  /** Statements under way at once; what comes then waits. */
  mostAtOnce: number;
  /** What goes with the first of those that wait, which are in the order in which they came; the first is part of it. */
  choose(waiting: readonly Item[]): readonly Item[];
  /** Runs all that was chosen, by one statement: what becomes of each, in their order. */
  run(chosen: readonly Item[]): readonly Promise<Result>[];
}

interface Caller<Result> {
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Gathers what is asked while enough is under way: of many callers several then
 * share one message to the server, its answer, and one wait for the disk. Who
 * asks alone waits for nobody.
 */
export function createGathering<Item extends object, Result>(
  gathering: Gathering<Item, Result>,
): (item: Item) => Promise<Result> {
  const { mostAtOnce, choose, run } = gathering;
  const waiting = new Map<Item, Caller<Result>>();
  let underWay = 0;

  async function runChosen(): Promise<void> {
    underWay += 1;
    const chosen = choose([...waiting.keys()]);
    const ends = run(chosen);
    for (const [place, item] of chosen.entries()) {
      const caller = waiting.get(item);
      waiting.delete(item);
      ends[place]?.then(caller?.resolve, caller?.reject);
    }
    await Promise.allSettled(ends);
    underWay -= 1;
    runWaiting();
  }

  function runWaiting(): void {
    while (underWay < mostAtOnce && waiting.size > 0) void runChosen();
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.set(item, { resolve, reject });
      runWaiting();
    });
}
