/**
 * `npm run mutate`: makes small mistakes in the sources, one at a time, and
 * counts those that no test notices. Ends with 1 when fewer than 85 % are
 * noticed.
 *
 * npm run mutate -- --count 100 --seed 7 --areas text,signature --workers 2
 */

import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Area, areas } from "./areas.ts";
import { type Mutant, mutantsOf } from "./mutants.ts";
import { sample } from "./sample.ts";
import { type Trial, tryMutant } from "./trial.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const wantedShare = 0.85;
/** A mutant may take this many times as long as the source as it is, and ten seconds. */
const patience = 2;
/** Between two lines that tell how far it is. */
const progressEvery = 50;

interface Case {
  area: Area;
  mutant: Mutant;
}

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    areas: { type: "string", default: areas.map(({ name }) => name).join() },
    workers: { type: "string", default: String(availableParallelism()) },
  },
});

async function casesOf(area: Area): Promise<Case[]> {
  const files = (await Promise.all(area.sources.map((folder) => filesIn(folder, area)))).flat();
  const texts = await Promise.all(files.map((file) => readFile(join(root, file), "utf8")));
  return files.flatMap((file, place) => mutantsOf(file, texts[place] ?? "").map((mutant) => ({ area, mutant })));
}

async function filesIn(folder: string, { data }: Area): Promise<string[]> {
  const names = (await readdir(join(root, folder))).filter((name) => name.endsWith(".ts")).sort();
  return names.filter((name) => !data?.includes(name)).map((name) => `${folder}/${name}`);
}

async function main(): Promise<boolean> {
  const wanted = values.areas.split(",");
  const unknown = wanted.find((name) => !areas.some((area) => area.name === name));
  if (unknown !== undefined)
    throw new Error(`There is no area ${unknown}: ${areas.map(({ name }) => name).join(", ")}.`);
  const chosen = areas.filter(({ name }) => wanted.includes(name));
  const all = (await Promise.all(chosen.map(casesOf))).flat();
  const cases = sample(all, Number(values.count), Number(values.seed));
  console.log(`${cases.length} of ${all.length} mutants, seed ${values.seed}`);
  const folder = await mkdtemp(join(tmpdir(), "postrider-mutate-"));
  try {
    const limits = await measure(chosen, folder);
    const trials = await tryAll(cases, limits, folder);
    return report(cases, trials);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** How long the tests of each area may take. They must pass without a mutant. */
async function measure(chosen: readonly Area[], folder: string): Promise<Map<Area, number>> {
  const limits = new Map<Area, number>();
  for (const area of chosen) {
    const options = { mutant: null, tests: area.tests, cache: join(folder, "0"), limitMs: 900_000 };
    const { outcome, tookMs, output } = await tryMutant(options);
    if (outcome !== "passed") throw new Error(`The tests of ${area.name} fail as they are.\n${output}`);
    limits.set(area, patience * tookMs + 10_000);
  }
  return limits;
}

async function tryAll(cases: readonly Case[], limits: ReadonlyMap<Area, number>, folder: string): Promise<Trial[]> {
  const trials: Trial[] = [];
  const queue = [...cases.entries()];
  let done = 0;
  const workers = Array.from({ length: Number(values.workers) }, async (_, worker) => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [place, { area, mutant }] = next;
      const cache = join(folder, String(worker));
      const trial = await tryMutant({ mutant, tests: area.tests, cache, limitMs: limits.get(area) ?? 60_000 });
      trials[place] = trial;
      if (trial.outcome === "passed") console.log(`survived  ${described(mutant)}`);
      // Noticed by time alone: on a machine that had more to do it may be a survivor.
      if (trial.outcome === "late") console.log(`late      ${described(mutant)}`);
      done += 1;
      if (done % progressEvery === 0) console.log(`${done} of ${cases.length}`);
    }
  });
  await Promise.all(workers);
  return trials;
}

function described({ file, line, original, replacement }: Mutant): string {
  const short = original.replaceAll(/\s+/g, " ");
  return `${file}:${line}  ${short.length > 80 ? `${short.slice(0, 79)}…` : short}  →  ${replacement}`;
}

/** Prints the score of each area and of all. Returns whether it is good enough. */
function report(cases: readonly Case[], trials: readonly Trial[]): boolean {
  const tally = (name: string, places: readonly number[]): number => {
    const survived = places.filter((place) => trials[place]?.outcome === "passed").length;
    const late = places.filter((place) => trials[place]?.outcome === "late").length;
    const share = places.length === 0 ? 1 : 1 - survived / places.length;
    const percent = `${(100 * share).toFixed(1)} %`;
    console.log(`${name.padEnd(10)} ${percent.padStart(7)} of ${places.length} noticed, ${late} of them by time`);
    return share;
  };
  const places = [...cases.keys()];
  for (const { name } of areas) {
    const own = places.filter((place) => cases[place]?.area.name === name);
    if (own.length > 0) tally(name, own);
  }
  return tally("all", places) >= wantedShare;
}

process.exitCode = (await main()) ? 0 : 1;
