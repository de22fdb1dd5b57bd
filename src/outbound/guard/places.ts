/** Hands out places to work in. */
export interface Places {
  /**
   * Waits for a place. Returns how to give it back.
   *
   * @throws the signal's reason, when that is aborted first
   */
  take(group: string, signal: AbortSignal): Promise<() => void>;
}

/** A group gets at most this part of what is free: one over this. */
const shareOfFree = 8;

/**
 * At most `max` places in all. A group may always hold one, and more as long
 * as that is an eighth of what is left: so a group that fills up takes little
 * from the others, and even many such groups leave places free.
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
