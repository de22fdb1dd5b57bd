/** How long `import "postrider"` takes, over a Node that imports nothing. */
import { execFileSync } from "node:child_process";
import { builtUrl } from "./built.ts";
import { measure } from "./measure.ts";
import { type BenchResult, time } from "./result.ts";

const runs = 15;
const goalMs = 60;

export async function benchImport(): Promise<BenchResult[]> {
  const core = builtUrl("index");
  const measured = await measure(
    {
      ours: async () => start(`await import(${JSON.stringify(core)})`),
      floor: async () => start(""),
      calls: 1,
      warmUp: 2,
    },
    runs,
  );
  const overMs = measured.oursMs - measured.floorMs;
  return [
    {
      name: "import of the core, over bare Node",
      ours: time(measured.oursMs),
      floor: time(measured.floorMs),
      reached: `${overMs.toFixed(0)} ms`,
      goal: `≤${goalMs} ms`,
      isMet: overMs <= goalMs,
      raw: measured,
    },
  ];
}

/** Without the loader that this process may run under. */
function start(code: string): void {
  const env = { ...process.env, NODE_OPTIONS: "" };
  execFileSync(process.execPath, ["--input-type=module", "--eval", code], { env });
}
