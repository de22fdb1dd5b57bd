/** Works off the jobs of the phase `media`. */
import { fixture, fixtureNames } from "../media/fixtures.ts";
import { located, locatedNames } from "../media/located.ts";
import { samples } from "../media/samples.ts";
import { mutated } from "../support/media-mutations.ts";
import { watchExamination } from "../support/media-watch.ts";
import { seededRandom } from "./random.ts";
import { addTally, emptyTally, type Tally } from "./tally.ts";

/** Files `from` to `to`, each with a seed of its own. */
export interface MediaJob {
  seed: number;
  from: number;
  to: number;
}

export interface MediaResult {
  tally: Tally;
  /** Files in which the mistakes did no harm. */
  taken: number;
  slowestMs: number;
  mostBytes: number;
}

/** No file is worth more. */
const maxMs = 1_000;

const files = [
  ...fixtureNames.map((name) => ({ name, bytes: fixture(name) })),
  ...locatedNames.map((name) => ({ name: `located ${name}`, bytes: located(name) })),
  ...samples.map(toFile),
];

function toFile([name, bytes]: (typeof samples)[number]): { name: string; bytes: Uint8Array } {
  return { name, bytes };
}

process.on("message", (job: MediaJob) => {
  void work(job).then((result) => process.send?.(result));
});

async function work({ seed, from, to }: MediaJob): Promise<MediaResult> {
  const result: MediaResult = { tally: emptyTally(), taken: 0, slowestMs: 0, mostBytes: 0 };
  for (let number = from; number < to; number++) {
    const random = seededRandom(seed * 1_000_003 + number);
    const { name, bytes } = random.of(files);
    const bad = mutated(bytes, random.of(files).bytes, random);
    const startedAt = performance.now();
    const { problem, faults, bytesRead } = await watchExamination(bad, random.of([bad.length, null]));
    const tookMs = performance.now() - startedAt;
    const place = `media, seed ${seed}, file ${number}, from ${name}`;
    addTally(result.tally, {
      tried: 1,
      stuck: tookMs > maxMs ? 1 : 0,
      wrong: faults.length,
      findings: [...faults, ...(tookMs > maxMs ? [`took ${tookMs} ms`] : [])].map((fault) => `${place}: ${fault}`),
    });
    result.taken += problem === null && faults.length === 0 ? 1 : 0;
    result.slowestMs = Math.max(result.slowestMs, tookMs);
    result.mostBytes = Math.max(result.mostBytes, bytesRead);
  }
  return result;
}
