/** Looks for one planted bug with the runs of the phase `simulate`, and reports the first finding. */
import type { HuntResult } from "./hunt.ts";
import { simulate } from "./simulate-run.ts";
import { beforeTooLong } from "./too-long.ts";

/** More than a bug that is there should need. */
const maxSeeds = 600;
const maxWeekMs = 30_000;

async function hunt(firstSeed: number): Promise<HuntResult> {
  let tried = 0;
  for (let seed = firstSeed; seed < firstSeed + maxSeeds; seed++) {
    const run = `simulate, seed ${seed}`;
    const week = await beforeTooLong(simulate(seed), maxWeekMs);
    if (week === "too long") return { run, finding: "the week does not end", tried };
    tried += week.posts;
    const [finding] = week.findings;
    if (finding !== undefined) return { run, finding: `${finding.what}: ${finding.message}`, tried };
  }
  return { run: null, finding: null, tried };
}

process.send?.(await hunt(Number(process.argv[2] || 1)));
