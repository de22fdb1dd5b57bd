import { fork } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ProveOptions } from "./arguments.ts";
import { type PlantedBug, plantedBugs } from "./bugs.ts";
import type { HuntResult } from "./hunt.ts";
import { seededRandom } from "./random.ts";
import { createProgress } from "./screen.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A bug, and the run that caught it; null: none did. */
export interface Catch {
  bug: string;
  run: string | null;
  finding: string | null;
  /** Posts that were published, or requests that were sent, until then. */
  tried: number;
  /** Nothing was planted, so that nothing may be found. */
  isGuard: boolean;
}

/** How long each hunter looks at the engine without any mistake in it, milliseconds. */
const guardMs = 30_000;
/** A mistake that is not found by then is not caught, milliseconds. Most are found in seconds. */
const maxHuntMs = 600_000;

/**
 * Plants each known bug in a copy of the source and lets the runs of another
 * phase look for it: those of `crash`, `simulate`, `webhooks` or `fuzz`. What
 * hunts must find nothing where nothing is planted, or its finds prove nothing.
 */
export async function provePlanted(options: Pick<ProveOptions, "seed" | "bugs" | "bug">): Promise<Catch[]> {
  const bugs = chosenBugs(options);
  const progress = createProgress("planted");
  const drawn = options.bug === null ? `, drawn by seed ${options.seed}; all of them: --full` : "";
  progress.say(`${bugs.length} of ${plantedBugs.length} bugs${drawn}`);
  const caught: Catch[] = [];
  const hunters = [...new Set(bugs.map(({ hunter }) => hunter))];
  const guards = hunters.map((hunter): Quarry => ({ name: hunter, hunter, changes: [], isGuard: true }));
  const quarries = [...guards, ...bugs.map((bug): Quarry => ({ ...bug, isGuard: false }))];
  const queue = [...quarries];
  const lanes = Array.from({ length: availableParallelism() }, async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const startedAt = performance.now();
      const ended = await huntFor(next);
      caught.push(ended);
      const took = `${Math.round((performance.now() - startedAt) / 1000)} s`;
      progress.say(`${caught.length} of ${quarries.length} hunts ended, after ${took} "${ended.bug}"`);
    }
  });
  await Promise.all(lanes);
  progress.end();
  return quarries.flatMap(({ name }) => caught.filter((each) => each.bug === name));
}

/** In the order of the list, whatever is drawn. */
export function chosenBugs({ seed, bugs, bug }: Pick<ProveOptions, "seed" | "bugs" | "bug">): PlantedBug[] {
  if (bug !== null) {
    const named = plantedBugs.filter(({ name }) => name.includes(bug));
    if (named.length === 0) throw new Error(`No planted bug is called "${bug}".`);
    return named;
  }
  const count = Math.ceil(plantedBugs.length * bugs);
  const drawn = new Set(seededRandom(seed).shuffled(plantedBugs).slice(0, count));
  return plantedBugs.filter((each) => drawn.has(each));
}

/** What is hunted: a planted bug, or nothing. */
type Quarry = PlantedBug & Pick<Catch, "isGuard">;

async function huntFor(bug: Quarry): Promise<Catch> {
  const copy = await mkdtemp(join(tmpdir(), "postrider-planted-"));
  try {
    await copyProject(copy);
    for (const change of bug.changes) await plant(copy, bug.name, change);
    return { bug: bug.name, isGuard: bug.isGuard, ...(await hunt(copy, bug)) };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function copyProject(to: string): Promise<void> {
  for (const file of ["package.json", "tsconfig.json"]) await cp(join(root, file), join(to, file));
  for (const folder of ["src", "test/support", "test/prove", "test/media", "test/networks"]) {
    await cp(join(root, folder), join(to, folder), { recursive: true });
  }
  await symlink(join(root, "node_modules"), join(to, "node_modules"), "junction");
}

async function plant(copy: string, bug: string, { file, from, to }: PlantedBug["changes"][number]): Promise<void> {
  const path = join(copy, file);
  const source = await readFile(path, "utf8");
  const places = source.split(from).length - 1;
  if (places !== 1) throw new Error(`"${bug}" cannot be planted: its line stands ${places} times in ${file}.`);
  await writeFile(
    path,
    source.replace(from, () => to),
  );
}

/** Bugs may make a run endless or hungry. */
const maxMemory = "--max-old-space-size=1500";

function hunt(copy: string, bug: Quarry): Promise<HuntResult> {
  const execArgv = [...process.execArgv, maxMemory];
  const child = fork(join(copy, "test/prove", bug.hunter), [bug.startAt ?? ""], {
    cwd: copy,
    execArgv,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let complaints = "";
  child.stderr?.on("data", (text) => {
    complaints = `${complaints}${text}`.slice(-2_000);
  });
  return new Promise((resolve, reject) => {
    const end = (result: HuntResult): void => {
      clearTimeout(timer);
      resolve(result);
      child.kill("SIGKILL");
    };
    const nothing = { run: null, finding: null, tried: 0 };
    const timer = setTimeout(() => end(nothing), bug.isGuard ? guardMs : maxHuntMs);
    child.once("message", (result) => end(result as HuntResult));
    child.once("exit", (code) => {
      clearTimeout(timer);
      reject(new Error(`The hunt for "${bug.name}" ended with ${code}: ${complaints}`));
    });
  });
}
