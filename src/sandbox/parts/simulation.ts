import type { SandboxAnswer, SandboxRequest } from "../exchange.ts";
import { createFaults } from "../faults.ts";
import type { SandboxNetwork, SandboxPorts } from "../network.ts";
import { createLag, type Lag } from "./listing.ts";
import { createQuota, type Quota } from "./quota.ts";
import { createRouter, type Route } from "./routes.ts";

/** What every simulated network keeps, beside what is its own. */
export interface Basics {
  /** Milliseconds since 1970. */
  now(): number;
  /** How far reads are behind. */
  lag: Lag;
  /** What `rateLimit` uses up. */
  quota: Quota;
}

export function createBasics({ clock }: Pick<SandboxPorts, "clock">): Basics {
  return { now: () => clock.now(), lag: createLag(clock), quota: createQuota(clock) };
}

/**
 * A simulated network out of what it answers to. Its posts are its own, and what tests may do with it beside this
 * (accounts, posts by hand, ways to fail).
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
  /** The answer where there is no such route. */
  missing(request: SandboxRequest): SandboxAnswer;
  /** What is asked of every request that has a route. @throws Refusal @default nothing */
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
