/** One run of fast-check: many cases from one seed, until something is found. */
import fc from "fast-check";
import { type FuzzFinding, findingsIn } from "./fuzz-judge.ts";
import { type FuzzCase, fuzzCases } from "./fuzz-request.ts";
import { runCase } from "./fuzz-send.ts";
import { createFuzzWorld, type FuzzWorld } from "./fuzz-world.ts";

export interface FuzzRun {
  /** Requests that were sent. */
  sent: number;
  finding: Pick<FuzzFinding, "what" | "message"> | null;
  /** The smallest case that shows it, as JSON. */
  shrunk: string | null;
  /** Answers by status. */
  statuses: Record<string, number>;
}

/** Cases that one world sees: it fills up, and finding anything in it takes longer. */
const casesPerWorld = 60;
const requestsPerCase = 2;

export async function fuzzRun(options: { seed: number; requests: number; shrinks: boolean }): Promise<FuzzRun> {
  const statuses: Record<string, number> = {};
  let world: FuzzWorld = await createFuzzWorld();
  let casesLeft = casesPerWorld;
  let sent = 0;

  async function check(given: FuzzCase): Promise<void> {
    if (casesLeft === 0) {
      world = await createFuzzWorld();
      casesLeft = casesPerWorld;
    }
    casesLeft -= 1;
    world.errors.length = 0;
    const exchanges = await runCase(world, given);
    sent += exchanges.length;
    for (const { reply } of exchanges) statuses[reply?.status ?? "none"] = (statuses[reply?.status ?? "none"] ?? 0) + 1;
    const [finding] = findingsIn(world, exchanges);
    if (finding === undefined) return;
    // What is left of it is tried in a fresh world, so that it can be repeated alone.
    casesLeft = 0;
    throw new Found(finding);
  }

  const result = await fc.check(fc.asyncProperty(fuzzCases(world), check), {
    seed: options.seed,
    numRuns: Math.ceil(options.requests / requestsPerCase),
    endOnFailure: !options.shrinks,
  });
  if (!result.failed) return { sent, finding: null, shrunk: null, statuses };
  const cause = result.errorInstance;
  const finding =
    cause instanceof Found
      ? { what: cause.finding.what, message: cause.finding.message }
      : ({ what: "wrong", message: String((cause as Error)?.stack ?? cause) } as const);
  return { sent, finding, shrunk: shortened(result.counterexample?.[0]), statuses };
}

class Found extends Error {
  readonly finding: FuzzFinding;
  constructor(finding: FuzzFinding) {
    super(finding.message);
    this.finding = finding;
  }
}

const maxPrinted = 300;

/** Long texts only by their beginning and length. */
function shortened(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === "string" && each.length > maxPrinted ? `${each.slice(0, 20)}… (${each.length} characters)` : each,
  ).slice(0, 3_000);
}
