import type { Clock } from "../../src/ports/clock.ts";

/** What the wall clock of a machine is off by, milliseconds. Processes may share one. */
export interface WallClock {
  offMs: number;
}

/** What a process lives on: clocks that go wrong, and a scheduler that may not let it run. */
export interface Machine {
  clock: Clock;
  /**
   * The process hears nothing for this long; what it has sent goes on.
   * `stopped`: its clocks go on, as under SIGSTOP. `suspended`: the monotonic
   * one stands still, as in a machine that sleeps.
   */
  freeze(ms: number, how: "stopped" | "suspended"): void;
  /** Resolves when the process runs. */
  thawed(): Promise<void>;
  isFrozen(): boolean;
  /** How often it has been frozen. */
  freezes(): number;
}

export function createMachine(world: Clock, wall: WallClock): Machine {
  let frozen = { from: 0, until: 0, standsStill: false };
  let lostMs = 0;
  let freezes = 0;

  const standing = (): number => (frozen.standsStill ? Math.min(world.monotonic(), frozen.until) - frozen.from : 0);
  const monotonic = (): number => world.monotonic() - lostMs - standing();

  async function thawed(): Promise<void> {
    while (world.monotonic() < frozen.until) await world.sleep(frozen.until - world.monotonic());
  }

  return {
    clock: {
      now: () => world.now() + wall.offMs,
      monotonic,
      async sleep(ms, signal) {
        const end = monotonic() + Math.max(0, ms);
        for (let leftMs = ms; ; leftMs = end - monotonic()) {
          await world.sleep(leftMs, signal);
          await thawed();
          signal?.throwIfAborted();
          if (monotonic() >= end) return;
        }
      },
    },
    freeze(ms, how) {
      if (world.monotonic() < frozen.until) return;
      lostMs += standing();
      frozen = { from: world.monotonic(), until: world.monotonic() + ms, standsStill: how === "suspended" };
      freezes += 1;
    },
    thawed,
    isFrozen: () => world.monotonic() < frozen.until,
    freezes: () => freezes,
  };
}
