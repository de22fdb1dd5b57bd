import type { Fault, FaultKind } from "../../src/sandbox/faults.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { misleadingAnswer } from "../support/misleading-answers.ts";
import { receiverFault } from "./arena-faults.ts";
import type { Random } from "./random.ts";

/** How often each port fails in one simulated week: shares of its calls, 0 to 1. */
export interface Weather {
  commits: number;
  /** Requests to networks that make nothing public. */
  requests: number;
  files: number;
  deliveries: number;
  /** Calls of the store that fail, half of them after they were carried out. */
  store: number;
  slowStore: number;
  /** Of the writes before a request that publishes: the process is frozen after them. */
  freezes: number;
  /** Of the writes and requests: the process dies before or after them. */
  deaths: number;
  /** What is posted can be read only this much later. */
  lagSeconds: number;
}

export const calm: Weather = {
  commits: 0,
  requests: 0,
  files: 0,
  deliveries: 0,
  store: 0,
  slowStore: 0,
  freezes: 0,
  deaths: 0,
  lagSeconds: 0,
};

export function randomWeather(random: Random): Weather {
  return {
    commits: random.of([0, 0.1, 0.3, 0.6, 0.9]),
    requests: random.of([0, 0.02, 0.1]),
    files: random.of([0, 0, 0.1]),
    deliveries: random.of([0, 0.1, 0.4]),
    store: random.of([0, 0.002, 0.01, 0.03]),
    slowStore: random.of([0, 0.005, 0.03]),
    freezes: random.of([0, 0, 0.05, 0.2]),
    deaths: random.of([0, 0.01, 0.03]),
    lagSeconds: random.of([0, 0, 20, 60]),
  };
}

/** From now on requests to the sandbox go wrong as the weather is at their time. */
export function exposeSandbox(
  { networks, receivers }: Pick<Sandbox, "networks" | "receivers">,
  random: Random,
  now: () => Weather,
): void {
  for (const { network, faults } of networks) {
    faults.next = (_, isCommit): Fault | undefined => {
      const weather = now();
      if (isCommit) return random.next() < weather.commits ? commitFault(network, random) : undefined;
      return random.next() < weather.requests ? requestFault(random) : undefined;
    };
  }
  receivers.faults.next = () => (random.next() < now().deliveries ? receiverFault(random) : undefined);
}

/**
 * Within what the engine can wait for: a post is taken 64 s after its intent at
 * the latest, and can be read after 120 s.
 */
export function commitFault(network: string, random: Random): FaultKind {
  const answer = random.of([page(random.of([500, 502, 503, 504])), misleadingAnswer(network, random.next())]);
  return random.of<() => FaultKind>([
    () => ({ kind: "not_sent", code: random.of(["ECONNREFUSED", "ENOTFOUND", "UND_ERR_CONNECT_TIMEOUT"]) }),
    () => ({ kind: "drop_before" }),
    () => ({ kind: "drop_after" }),
    () => ({ kind: "accept_late", seconds: random.between(1, 50) }),
    () => ({ kind: "refuse", answer }),
    () => ({ kind: "refuse_though_done", answer }),
    () => ({ kind: "refuse_though_done", answer: { status: 200, text: "<html>All well</html>" } }),
    () => ({ kind: "cut_body" }),
    () => ({ kind: "drip", seconds: random.between(1, 60) }),
    () => ({ kind: "slow", seconds: random.between(1, 60) }),
    () => ({ kind: "slow_to_act", seconds: random.between(1, 50) }),
    () => ({ kind: "hang" }),
  ])();
}

export function requestFault(random: Random): FaultKind {
  return random.of<() => FaultKind>([
    () => ({ kind: "not_sent", code: "ECONNREFUSED" }),
    () => ({ kind: "drop_before" }),
    () => ({ kind: "drop_after" }),
    () => ({ kind: "refuse", answer: page(503) }),
    () => ({ kind: "cut_body" }),
    () => ({ kind: "slow", seconds: random.between(1, 40) }),
    () => ({ kind: "hang" }),
  ])();
}

function page(status: number): { status: number; text: string } {
  return { status, text: "<html>Oops</html>" };
}
