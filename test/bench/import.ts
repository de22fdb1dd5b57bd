/** How long `import "postrider"` takes, over a Node that imports nothing; and how much of it zod alone would take. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { builtUrl } from "./built.ts";
import { measure } from "./measure.ts";
import { type BenchResult, time } from "./result.ts";

const runs = 15;
const goalMs = 60;

export async function benchImport(): Promise<BenchResult[]> {
  return [
    await benchOne("import of the core, over bare Node", builtUrl("index"), goalMs),
    await benchOne("import of zod alone, over bare Node", "zod", null),
  ];
}

async function benchOne(name: string, module: string, goal: number | null): Promise<BenchResult> {
  const measured = await measure(
    {
      ours: async () => start(`await import(${JSON.stringify(module)})`),
      floor: async () => start(""),
      calls: 1,
      warmUp: 2,
    },
    runs,
  );
  const overMs = measured.oursMs - measured.floorMs;
  return {
    name,
    ours: time(measured.oursMs),
    floor: time(measured.floorMs),
    reached: `${overMs.toFixed(0)} ms`,
    goal: goal === null ? "" : `≤${goal} ms`,
    isMet: overMs <= (goal ?? overMs),
    raw: measured,
  };
}

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Without the loader that this process may run under. */
function start(code: string): void {
  const env = { ...process.env, NODE_OPTIONS: "" };
  execFileSync(process.execPath, ["--input-type=module", "--eval", code], { env, cwd: root });
}
