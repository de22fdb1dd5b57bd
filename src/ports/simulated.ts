import type { Clock } from "./clock.ts";

/** The clock of each simulated `fetch`; null: it runs in another process. */
const clocks = new WeakMap<typeof fetch, Clock | null>();

/** The code of the error for a host that the sandbox does not simulate. Nothing was sent. */
export const notSimulatedCode = "NOT_SIMULATED";

/** Marks a `fetch` that reaches simulated networks, so that a service can check that its other options match. */
export function markSimulated(simulated: typeof fetch, clock: Clock | null): typeof fetch {
  clocks.set(simulated, clock);
  return simulated;
}

/** The clock of a simulated `fetch`; undefined: it is not simulated. */
export function clockOfSimulated(given: typeof fetch): Clock | null | undefined {
  return clocks.get(given);
}
