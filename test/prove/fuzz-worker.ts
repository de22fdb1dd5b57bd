/** Works off the jobs of the phase `fuzz`. */
import { fuzzRun } from "./fuzz-run.ts";
import { emptyTally, type Tally } from "./tally.ts";

/** Requests `from` to `to`, with a seed of their own. */
export interface FuzzJob {
  seed: number;
  from: number;
  to: number;
}

process.on("message", (job: FuzzJob) => {
  void work(job).then((tally) => process.send?.(tally));
});

async function work({ seed, from, to }: FuzzJob): Promise<Tally> {
  const { sent, finding, shrunk } = await fuzzRun({
    seed: seedOf(seed, from),
    requests: to - from,
    shrinks: true,
  });
  const tally = { ...emptyTally(), tried: sent };
  if (finding === null) return tally;
  const place = `fuzz, seed ${seed}, requests ${from} to ${to}`;
  return { ...tally, [finding.what]: 1, findings: [`${place}: ${finding.what}: ${finding.message}\n    ${shrunk}`] };
}

/** 31 bits, as fast-check takes them. */
function seedOf(seed: number, from: number): number {
  return (seed * 1_000_003 + from) % 0x7fffffff;
}
