/** Looks for one planted bug with the runs of the phase `inbox`, and reports the first finding. */
import type { HuntResult } from "./hunt.ts";
import { simulateInbox } from "./inbox-run.ts";
import { beforeTooLong } from "./too-long.ts";

/** More than a bug that is there should need. */
const maxSeeds = 60;
/** A day takes a quarter of a minute at most, and a machine may be several times slower, milliseconds. */
const maxDayMs = 180_000;

async function hunt(firstSeed: number): Promise<HuntResult> {
  let tried = 0;
  for (let seed = firstSeed; seed < firstSeed + maxSeeds; seed++) {
    const run = `inbox, seed ${seed}`;
    const day = await beforeTooLong(simulateInbox(seed), maxDayMs);
    if (day === "too long") return { run, finding: "the day does not end", tried };
    tried += day.letters + day.answers;
    const [finding] = day.findings;
    if (finding !== undefined) return { run, finding: `${finding.what}: ${finding.message}`, tried };
  }
  return { run: null, finding: null, tried };
}

process.send?.(await hunt(Number(process.argv[2] || 1)));
