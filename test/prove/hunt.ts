/** Runs all families on all cases until something is found, and reports the first finding. */
import { crashCases, crashFamilies, crashRuns, type NamedRun, nameOfSeries } from "../support/crash-families.ts";
import { verdictOn } from "../support/verdict.ts";
import { seededRandom } from "./random.ts";
import { beforeTooLong } from "./too-long.ts";

export interface HuntResult {
  run: string | null;
  finding: string | null;
  tried: number;
}

/** A run that does this many posts' work of requests does not end. */
const maxRunMs = 20_000;

/** How many moments of each family and case are tried, in one pass after another: most bugs show in a few of everything. */
const passes = [2, 6, Number.POSITIVE_INFINITY];

async function hunt(startAt: string): Promise<HuntResult> {
  let tried = 0;
  let last = "the first run";
  for (const runs of eachSeries(startAt)) {
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

/** In no order: what one network or one family shows would else come after all of another. Only those that are called `startAt` are first. */
function* eachSeries(startAt: string): Generator<AsyncGenerator<NamedRun>> {
  const random = seededRandom(1);
  const pairs = crashFamilies.flatMap((family) => crashCases.map((crashCase) => ({ family, crashCase })));
  const isFirst = ({ family, crashCase }: (typeof pairs)[number]) => nameOfSeries(family, crashCase).includes(startAt);
  for (const [pass, max] of passes.entries()) {
    const shuffled = random.shuffled(pairs);
    for (const { family, crashCase } of [...shuffled.filter(isFirst), ...shuffled.filter((pair) => !isFirst(pair))])
      yield crashRuns(family, crashCase, { max, share: pass / passes.length });
  }
}

process.send?.(await hunt(process.argv[2] ?? ""));
