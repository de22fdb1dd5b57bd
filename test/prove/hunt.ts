/** Runs all families on all cases until something is found, and reports the first finding. */
import { crashCases, crashFamilies, crashRuns, type NamedRun } from "../support/crash-families.ts";
import { verdictOn } from "../support/verdict.ts";
import { beforeTooLong } from "./too-long.ts";

export interface HuntResult {
  run: string | null;
  finding: string | null;
  tried: number;
}

/** A run that does this many posts' work of requests does not end. */
const maxRunMs = 20_000;

/** A few moments of everything first: most bugs show there, long before all moments of one family were tried. */
const passes = [6, Number.POSITIVE_INFINITY];

async function hunt(): Promise<HuntResult> {
  let tried = 0;
  let last = "the first run";
  for (const runs of eachSeries()) {
    for (;;) {
      const next = await beforeTooLong(runs.next(), maxRunMs);
      if (next === "too long") return { run: `after ${last}`, finding: "the next run does not end", tried };
      if (next.done === true) break;
      tried += 1;
      last = next.value.name;
      const { findings, undecided, givenUp } = verdictOn(next.value.run);
      const [finding] = findings;
      if (finding !== undefined) return { run: last, finding: `${finding.what}: ${finding.message}`, tried };
      if (undecided + givenUp > 0) return { run: last, finding: "nobody can tell whether it is live", tried };
    }
  }
  return { run: null, finding: null, tried };
}

function* eachSeries(): Generator<AsyncGenerator<NamedRun>> {
  for (const max of passes)
    for (const family of crashFamilies) for (const crashCase of crashCases) yield crashRuns(family, crashCase, { max });
}

process.send?.(await hunt());
