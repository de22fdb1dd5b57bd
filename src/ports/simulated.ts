import type { Clock } from "./clock.ts";

/** The clock of each simulated `fetch`; null: it runs in another process. */
const clocks = new WeakMap<typeof fetch, Clock | null>();

/** Notes that a `fetch` reaches simulated networks, so that the options of a service can be checked for the other ports. */
export function markSimulated(simulated: typeof fetch, clock: Clock | null): typeof fetch {
  clocks.set(simulated, clock);
  return simulated;
}

/** The clock of a simulated `fetch`; undefined: it is none. */
export function clockOfSimulated(given: typeof fetch): Clock | null | undefined {
  return clocks.get(given);
}
