import type { Clock } from "../ports/clock.ts";

/**
 * Call this between the pieces of long work. It returns immediately, or, if this process has been busy for some time,
 * after all other waiting work.
 */
export type Pace = () => Promise<void>;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Longest time in one turn of the event loop, milliseconds. */
const stretchMs = 15;

/**
 * Creates a pace for all work of a kind, since concurrent work adds up within one turn. Callers continue in the order
 * of their calls.
 */
export function createPace(clock: Clock): Pace {
  /** When this turn of the event loop was first checked, monotonic; null: not yet. */
  let turnBeganAt: number | null = null;
  let last: Promise<void> = Promise.resolve();

  function isLong(): boolean {
    if (turnBeganAt !== null) return clock.monotonic() - turnBeganAt >= stretchMs;
    turnBeganAt = clock.monotonic();
    setImmediate(() => {
      turnBeganAt = null;
    });
    return false;
  }

  async function waitForTurn(): Promise<void> {
    while (isLong()) await nextTurn();
  }

  // Each check follows the previous one: concurrent checks would all pass.
  return () => {
    last = last.then(waitForTurn);
    return last;
  };
}
