import type { Clock } from "../ports/clock.ts";

/**
 * To be called between the pieces of long work: returns at once, or, when this
 * process has been busy for some time, after everything else has had its turn.
 */
export type Pace = () => Promise<void>;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Longest time in one turn of the event loop, milliseconds. */
const stretchMs = 15;

/** One for all works of a kind: what they do side by side in one turn adds up. They go on in the order in which they came. */
export function createPace(clock: Clock): Pace {
  /** When this turn of the event loop was first asked about, monotonic; null: not yet. */
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

  // Each asks when the piece before it is done: those that ask at the same moment would all be let through.
  return () => {
    last = last.then(waitForTurn);
    return last;
  };
}
