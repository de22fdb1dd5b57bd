/** Looks for one planted bug with the runs on small servers of the phase `crash`, and reports the first finding. */
import { crashFamilies, crashServers } from "../support/crash-families.ts";
import { verdictOn } from "../support/verdict.ts";
import type { HuntResult } from "./hunt.ts";
import { beforeTooLong } from "./too-long.ts";

/** More than a bug that is there should need. */
const serversPerFamily = 30;
const maxRunMs = 20_000;

async function hunt(): Promise<HuntResult> {
  let tried = 0;
  let last = "the first run";
  for (const [index, family] of crashFamilies.entries()) {
    const from = index * serversPerFamily;
    const runs = crashServers(family, { seed: 1, from, to: from + serversPerFamily });
    for (;;) {
      const next = await beforeTooLong(runs.next(), maxRunMs);
      if (next === "too long") return { run: `after ${last}`, finding: "the next run does not end", tried };
      if (next.done === true) break;
      tried += 1;
      last = next.value.name;
      const { findings, undecided } = verdictOn(next.value.run);
      const [finding] = findings;
      if (finding !== undefined) return { run: last, finding: `${finding.what}: ${finding.message}`, tried };
      if (undecided > 0) return { run: last, finding: "undecided, though it can be told", tried };
    }
  }
  return { run: null, finding: null, tried };
}

process.send?.(await hunt());
