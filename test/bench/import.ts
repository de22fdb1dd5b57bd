/** How much CPU it takes to import the package, against zod alone, both over a Node that imports nothing. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { builtUrl } from "./built.ts";
import { type BenchResult, time } from "./result.ts";

const pairs = 9;

export async function benchImport(): Promise<BenchResult[]> {
  const core = [builtUrl("index")];
  const names = ["http/next", "storage/sqlite", "networks/bluesky", "networks/mastodon", "networks/x"];
  return [
    benchOne("import of the core", core, 1.2),
    benchOne("import of the core, of http/next, SQLite and three networks", [...core, ...names.map(builtUrl)], 1.75),
  ];
}

function benchOne(name: string, modules: readonly string[], goal: number): BenchResult {
  const measured = Array.from({ length: pairs }, () => {
    const bareMs = cpuMsOf([]);
    return { ours: cpuMsOf(modules) - bareMs, floor: cpuMsOf(["zod"]) - bareMs };
  });
  const ratio = median(measured.map(({ ours, floor }) => ours / floor));
  return {
    name,
    ours: time(median(measured.map(({ ours }) => ours))),
    floor: time(median(measured.map(({ floor }) => floor))),
    reached: `${ratio.toFixed(2)}×`,
    goal: `≤${goal.toFixed(2)}×`,
    isMet: ratio <= goal,
    raw: measured,
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What a process that imports these uses, milliseconds. Without the loader that this process may run under. */
function cpuMsOf(modules: readonly string[]): number {
  const imports = modules.map((module) => `await import(${JSON.stringify(module)});`).join("");
  const code = `${imports}const { user, system } = process.cpuUsage();console.log((user + system) / 1_000);`;
  const env = { ...process.env, NODE_OPTIONS: "" };
  return Number(execFileSync(process.execPath, ["--input-type=module", "--eval", code], { env, cwd: root }));
}
