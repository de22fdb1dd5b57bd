import type { Clock } from "./clock.ts";

/**
 * To be called between the pieces of long work: returns at once, or, when this
 * process has been busy for some time, after everything else has had its turn.
 */
export type Pace = () => Promise<void>;

/** Longest time at a stretch, milliseconds. */
const stretchMs = 15;

/**
 * What begins long work. One for the whole process: stretches of works side by
 * side would add up otherwise.
 */
export function createPaces(clock: Clock): () => Pace {
  let lastTurnAt = Number.NEGATIVE_INFINITY;
  let lastTurn: Promise<void> = Promise.resolve();
  let waiting = 0;

  async function takeTurn(): Promise<void> {
    await clock.sleep(0);
    waiting -= 1;
    lastTurnAt = clock.monotonic();
  }

  return () => {
    const beganAt = clock.monotonic();
    return () => {
      const busyMs = clock.monotonic() - Math.max(beganAt, lastTurnAt);
      if (waiting === 0 && busyMs < stretchMs) return Promise.resolve();
      waiting += 1;
      lastTurn = lastTurn.then(takeTurn);
      return lastTurn;
    };
  };
}
