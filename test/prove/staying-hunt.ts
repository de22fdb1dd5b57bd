/** Looks for one planted bug with what can befall a login that is renewed, and reports the first finding. */
import type { HuntResult } from "./hunt.ts";
import { crashAround, occasions } from "./staying-crash.ts";
import { needTogether } from "./staying-together.ts";
import { getOver, troubles } from "./staying-trouble.ts";
import { beforeTooLong } from "./too-long.ts";

const maxRunMs = 30_000;
/** More moments than a renewal has. */
const maxMoments = 60;
const seeds = 20;

interface Run {
  name: string;
  work(): Promise<readonly string[]>;
}

function* runs(): Generator<Run> {
  for (const [name, fault] of Object.entries(troubles))
    yield { name: `a network that ${name}`, work: () => getOver(fault) };
  for (const occasion of Object.keys(occasions) as (keyof typeof occasions)[]) {
    for (let dieAt = 0; dieAt < maxMoments; dieAt++) {
      const work = async (): Promise<string[]> => {
        const { complaint } = await crashAround(occasion, dieAt);
        return complaint === null ? [] : [complaint];
      };
      yield { name: `dies at ${dieAt} of ${occasion}`, work };
    }
  }
  for (let seed = 1; seed <= seeds; seed++) {
    for (const processes of [2, 4]) {
      const work = () => needTogether({ processes, seconds: 15, seed });
      yield { name: `${processes} processes together, seed ${seed}`, work };
    }
  }
}

async function hunt(): Promise<HuntResult> {
  let tried = 0;
  for (const { name: run, work } of runs()) {
    const complaints = await beforeTooLong(work(), maxRunMs);
    if (complaints === "too long") return { run, finding: "the run does not end", tried };
    tried += 1;
    const [finding] = complaints;
    if (finding !== undefined) return { run, finding, tried };
  }
  return { run: null, finding: null, tried };
}

process.send?.(await hunt());
