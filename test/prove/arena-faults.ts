import type { Fault, FaultKind } from "../../src/sandbox/faults.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { misleadingAnswer } from "../support/misleading-answers.ts";
import type { Random } from "./random.ts";

/** How often a request goes wrong. */
export interface FaultShares {
  commits: number;
  reads: number;
  /** Deliveries to the receiver of webhooks. */
  deliveries: number;
  /** How often a request that publishes reaches a rate limit. @default never */
  limits?: number;
}

/** From now on requests go wrong at random. What is posted shows 20 s later at the earliest. */
export function spoil(sandbox: Sandbox, random: Random, shares: FaultShares): void {
  const { networks, receivers } = sandbox;
  for (const network of networks) {
    network.lagReads(20);
    network.faults.next = (_, isCommit): Fault | undefined => {
      if (isCommit && shares.limits !== undefined && random.next() < shares.limits) {
        network.rateLimit(random.between(5, 30));
      }
      if (isCommit) return random.next() < shares.commits ? commitFault(network.network, random) : undefined;
      return random.next() < shares.reads ? { kind: "refuse", answer: page(503) } : undefined;
    };
  }
  receivers.faults.next = () => (random.next() < shares.deliveries ? receiverFault(random) : undefined);
}

export function receiverFault(random: Random): FaultKind {
  return random.of<FaultKind>([
    { kind: "not_sent", code: "ECONNREFUSED" },
    { kind: "refuse", answer: page(500) },
    { kind: "refuse_though_done", answer: page(502) },
    { kind: "drop_before" },
    { kind: "drop_after" },
    { kind: "slow", seconds: 15 },
    { kind: "hang" },
  ]);
}

function commitFault(network: string, random: Random): FaultKind {
  const answer = random.of([page(random.of([500, 502, 503, 504])), misleadingAnswer(network, random.next())]);
  return random.of<() => FaultKind>([
    () => ({ kind: "not_sent", code: "ECONNREFUSED" }),
    () => ({ kind: "drop_before" }),
    () => ({ kind: "drop_after" }),
    () => ({ kind: "accept_late", seconds: random.between(1, 50) }),
    () => ({ kind: "refuse", answer }),
    () => ({ kind: "refuse_though_done", answer }),
    () => ({ kind: "cut_body" }),
    () => ({ kind: "slow", seconds: random.between(1, 60) }),
    () => ({ kind: "slow_to_act", seconds: random.between(1, 25) }),
    () => ({ kind: "hang" }),
  ])();
}

function page(status: number): { status: number; text: string } {
  return { status, text: "<html>Oops</html>" };
}
