/**
 * `npm run prove`: attacks the publish engine and counts what is there twice,
 * lost or stuck afterwards, and the webhooks that tell of it, and the REST
 * surface, and the reader of media files. Ends with 1 when anything is.
 */

import { likenessShares } from "../support/likeness-share.ts";
import { proveAnswers } from "./answers.ts";
import { type PhaseName, type ProveOptions, readArguments } from "./arguments.ts";
import { proveCrash } from "./crash.ts";
import { proveFuzz } from "./fuzz.ts";
import { proveInbox } from "./inbox.ts";
import { proveKill } from "./kill.ts";
import { proveMedia } from "./media.ts";
import { type Catch, provePlanted } from "./planted.ts";
import { proveRestarts } from "./restarts.ts";
import { type PhaseResult, table } from "./screen.ts";
import { proveSimulate } from "./simulate.ts";
import { countedReasons, isClean, type Tally } from "./tally.ts";
import { proveWebhooks } from "./webhooks.ts";
import { proveWorkers } from "./workers.ts";

const attacks: Partial<Record<PhaseName, (options: ProveOptions) => Promise<Tally>>> = {
  crash: proveCrash,
  answers: proveAnswers,
  simulate: proveSimulate,
  inbox: proveInbox,
  kill: proveKill,
  restarts: proveRestarts,
  workers: proveWorkers,
  webhooks: proveWebhooks,
  fuzz: proveFuzz,
  media: proveMedia,
};

async function prove(options: ProveOptions): Promise<boolean> {
  const results: PhaseResult[] = [];
  let catches: Catch[] = [];
  let isWhole = true;
  for (const phase of options.phases) {
    const startedAt = performance.now();
    try {
      const attack = attacks[phase];
      if (attack === undefined) catches = await provePlanted(options);
      else results.push({ phase, tally: await attack(options), seconds: (performance.now() - startedAt) / 1000 });
    } catch (error) {
      isWhole = false;
      console.error(`${phase} ended early:`, error);
    }
  }
  for (const { tally } of results) for (const finding of tally.findings) console.error(`  ${finding}`);
  if (results.length > 0) console.log(table(results, options.seed));
  for (const { phase, tally } of results)
    for (const note of [...tally.notes, ...countedReasons(tally)]) console.log(`${phase}: ${note}`);
  for (const { language, pairs, alike } of likenessShares())
    console.log(`unrelated posts in ${language}: ${alike} of ${pairs} pairs look alike (at most 5 %)`);
  if (catches.length > 0) console.log(catchTable(catches));
  return (
    isWhole &&
    results.every(({ tally }) => isClean(tally)) &&
    catches.every(({ run, isGuard }) => (run === null) === isGuard)
  );
}

function catchTable(catches: readonly Catch[]): string {
  const bugs = catches.filter(({ isGuard }) => !isGuard);
  const caught = bugs.filter(({ run }) => run !== null).length;
  return [`\n${caught} of ${bugs.length} planted bugs caught`, ...catches.map(catchLine)].join("\n");
}

function catchLine({ bug, run, finding, tried, isGuard }: Catch): string {
  const found = `${bug}\n          ${run}\n          ${finding}`;
  if (isGuard) return run === null ? `clean   ${bug}, where nothing is planted` : `FALSE ALARM  ${found}`;
  return run === null ? `NOT CAUGHT  ${bug} (${tried} tried)` : `caught  ${found}`;
}

async function run(): Promise<number> {
  try {
    return (await prove(readArguments(process.argv.slice(2)))) ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
}

// Not by `exitCode`: the package that starts Postgres ends with 0 whatever stands there.
process.exit(await run());
