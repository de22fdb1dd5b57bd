/** Limits concurrent work. */
export interface Places {
  /**
   * Waits for a place. Returns the function that releases it.
   *
   * @throws the signal's reason if it is aborted first
   */
  take(group: string, signal: AbortSignal): Promise<() => void>;
}

/** A group gets at most one in this many of the free places. */
const shareOfFree = 8;

/**
 * At most `max` places in total. A group may always hold one, and more while it holds less than an eighth of the free
 * places. So a group that fills up takes little from the others, and even many full groups leave places free.
 */
export function createPlaces(max: number): Places {
  const held = new Map<string, number>();
  const waiting = new Set<{ group: string; start: () => void }>();
  let free = max;

  function mayTake(group: string): boolean {
    return free > 0 && (held.get(group) ?? 0) < Math.max(1, Math.floor(free / shareOfFree));
  }

  function occupy(group: string): () => void {
    free -= 1;
    held.set(group, (held.get(group) ?? 0) + 1);
    return () => {
      free += 1;
      const left = (held.get(group) ?? 0) - 1;
      if (left === 0) held.delete(group);
      else held.set(group, left);
      for (const each of waiting) if (mayTake(each.group)) each.start();
    };
  }

  return {
    take(group, signal) {
      return new Promise((resolve, reject) => {
        signal.throwIfAborted();
        if (mayTake(group)) {
          resolve(occupy(group));
          return;
        }
        const waiter = {
          group,
          start() {
            leave();
            resolve(occupy(group));
          },
        };
        const giveUp = (): void => {
          leave();
          reject(signal.reason);
        };
        function leave(): void {
          waiting.delete(waiter);
          signal.removeEventListener("abort", giveUp);
        }
        waiting.add(waiter);
        signal.addEventListener("abort", giveUp, { once: true });
      });
    },
  };
}
