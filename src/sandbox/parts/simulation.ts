import type { SandboxAnswer, SandboxRequest } from "../exchange.ts";
import { createFaults } from "../faults.ts";
import type { SandboxNetwork, SandboxPorts } from "../network.ts";
import { createLag, type Lag } from "./listing.ts";
import { createQuota, type Quota } from "./quota.ts";
import { createRouter, type Route } from "./routes.ts";

/** The state that every simulated network has, besides its own. */
export interface Basics {
  /** Milliseconds since 1970. */
  now(): number;
  /** The delay of reads. */
  lag: Lag;
  /** The quota that `rateLimit` uses up. */
  quota: Quota;
}

export function createBasics({ clock }: Pick<SandboxPorts, "clock">): Basics {
  return { now: () => clock.now(), lag: createLag(clock), quota: createQuota(clock) };
}

/**
 * Creates a simulated network from its routes. Its posts, and what tests may do with it (accounts, posts by hand,
 * failures), are defined by the network.
 */
export function createSimulation({
  network,
  hosts,
  commits,
  basics: { lag, quota },
  routes,
  missing,
  assertTaken,
}: Pick<SandboxNetwork, "network" | "commits"> & {
  hosts: readonly string[];
  basics: Basics;
  routes: readonly Route[];
  /** The response if no route matches. */
  missing(request: SandboxRequest): SandboxAnswer;
  /** A check of every request that matches a route. @throws Refusal @default nothing */
  assertTaken?: (request: SandboxRequest) => void;
}): Omit<SandboxNetwork, "posts"> {
  return {
    network,
    commits,
    serves: (host) => hosts.includes(host),
    ...createRouter({ routes, missing, assertTaken }),
    faults: createFaults(),
    rateLimit: quota.useUp,
    lagReads: lag.take,
  };
}
