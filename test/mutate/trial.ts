import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Mutant } from "./mutants.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** How tests took a mutant: `passed`: nobody noticed · `failed`: noticed · `late`: noticed, for it never ends. */
export interface Trial {
  outcome: "passed" | "failed" | "late";
  tookMs: number;
  output: string;
}

export interface TrialOptions {
  /** Null: the source as it is. */
  mutant: Mutant | null;
  tests: readonly string[];
  /** A folder of its own for Vite. */
  cache: string;
  limitMs: number;
}

/** Test runs under way: a mutant may have made one endless, and they are in groups of their own. */
const running = new Set<number>();

function endAll(): void {
  for (const pid of running) endGroup(pid);
}

process.on("exit", endAll);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(1));

/** With its workers. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has just ended by itself.
  }
}

/** Runs tests in a process of their own until the first one fails. */
export function tryMutant({ mutant, tests, cache, limitMs }: TrialOptions): Promise<Trial> {
  const startedAt = performance.now();
  const flags = ["run", "--config", ".config/vitest.mutate.config.ts", "--bail", "1", "--maxWorkers", "1"];
  const child = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", ...flags, "--reporter", "dot", ...tests], {
    cwd: root,
    env: { ...process.env, POSTRIDER_MUTANT: JSON.stringify(mutant), POSTRIDER_MUTATE_CACHE: cache },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, so that its workers end with it.
    detached: true,
  });
  const { pid } = child;
  if (pid !== undefined) running.add(pid);
  let output = "";
  const note = (piece: Buffer): void => {
    output = (output + piece).slice(-5_000);
  };
  child.stdout.on("data", note);
  child.stderr.on("data", note);
  return new Promise((resolve) => {
    let isLate = false;
    const end = setTimeout(() => {
      isLate = true;
      if (pid !== undefined) endGroup(pid);
    }, limitMs);
    child.on("close", (code) => {
      clearTimeout(end);
      if (pid !== undefined) running.delete(pid);
      const outcome = isLate ? "late" : code === 0 ? "passed" : "failed";
      resolve({ outcome, tookMs: performance.now() - startedAt, output });
    });
  });
}
