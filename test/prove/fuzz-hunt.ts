/** Looks with the fuzzer for one planted bug, and reports the first finding. */
import { fuzzRun } from "./fuzz-run.ts";
import type { HuntResult } from "./hunt.ts";

/** More than a bug that is there should need. */
const maxRuns = 40;
const requestsPerRun = 500;

async function hunt(): Promise<HuntResult> {
  let tried = 0;
  for (let seed = 1; seed <= maxRuns; seed++) {
    const { sent, finding, shrunk } = await fuzzRun({ seed, requests: requestsPerRun, shrinks: false });
    tried += sent;
    if (finding === null) continue;
    return { run: `fuzz, seed ${seed}: ${shrunk}`, finding: `${finding.what}: ${finding.message}`, tried };
  }
  return { run: null, finding: null, tried };
}

process.send?.(await hunt());
