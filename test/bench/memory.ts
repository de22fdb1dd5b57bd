/** What a million scheduled posts cost a service in memory: it is started and has swept once, in a process of its own. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { BenchOptions } from "./arguments.ts";
import { builtUrl, importBuilt } from "./built.ts";
import { openSqlite } from "./database.ts";
import { fillForLater } from "./fill-scheduled.ts";
import { createInstantService } from "./instant.ts";
import { median } from "./measure.ts";
import type { BenchResult } from "./result.ts";

const goalMb = 40;
const profiles = 100;

export async function benchMemory({ rows, pairs }: BenchOptions): Promise<BenchResult[]> {
  const built = await importBuilt();
  const empty = await openSqlite(built);
  const full = await openSqlite(built);
  try {
    const service = await createInstantService(built, { storage: full.storage, profiles, onPost() {} });
    await fillForLater(full, service, rows);
    const measured: [fullMb: number, emptyMb: number][] = [];
    for (let pair = 0; pair < pairs; pair++) {
      measured.push([await memoryOf(full.file), await memoryOf(empty.file)]);
    }
    const megabytes = (of: (pair: [number, number]) => number): number => median(measured.map(of));
    const more = megabytes(([fullMb, emptyMb]) => fullMb - emptyMb);
    return [
      {
        name: `memory (RSS) with ${rows.toLocaleString("en-US")} scheduled posts on SQLite, over an empty store`,
        ours: `${megabytes(([fullMb]) => fullMb).toFixed(1)} MB`,
        floor: `${megabytes(([, emptyMb]) => emptyMb).toFixed(1)} MB`,
        reached: `${more.toFixed(1)} MB`,
        goal: `≤${goalMb} MB`,
        isMet: more <= goalMb,
        raw: measured,
      },
    ];
  } finally {
    await full.remove();
    await empty.remove();
  }
}

/** Megabytes (10⁶ bytes) of a service on this file. */
async function memoryOf(file: string): Promise<number> {
  const path = fileURLToPath(new URL("memory-process.ts", import.meta.url));
  const modules = ["index", "storage/sqlite", "networks/bluesky"].map(builtUrl);
  const child = fork(path, [file, ...modules], { execArgv: [...process.execArgv, "--expose-gc"] });
  try {
    const [bytes] = (await once(child, "message")) as [number];
    return bytes / 1_000_000;
  } finally {
    child.kill();
  }
}
