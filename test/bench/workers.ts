import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { builtUrl, importBuilt } from "./built.ts";
import { openPostgres } from "./database.ts";
import { createFill } from "./fill-scheduled.ts";
import { createInstantService } from "./instant.ts";
import type { WorkerReport, WorkerTask } from "./workers-process.ts";

const posts = Number(process.env.POSTS ?? 4000);
const profiles = 500;
const built = await importBuilt();
const database = await openPostgres(built);
const { social, profileIds } = await createInstantService(built, { storage: database.storage, profiles, onPost() {} });
const fillScheduled = await createFill(database, social, profileIds[0] ?? "");
let filled = 0;
for (const count of (process.env.COUNTS ?? "1,2,4,1,2,4").split(",").map(Number)) {
  const task: WorkerTask = { kind: "postrider", url: database.url, built: { core: builtUrl("index"), postgres: builtUrl("storage/postgres"), network: builtUrl("networks/bluesky") } };
  const workers = Array.from({ length: count }, () => fork(fileURLToPath(new URL("workers-process.ts", import.meta.url)), [JSON.stringify(task)]));
  await Promise.all(workers.map((w) => once(w, "message")));
  const from = filled; filled += posts;
  const dueAt = await database.storage.now();
  await fillScheduled(function* () { for (let number = from; number < filled; number++) yield { number, dueAt, profileId: profileIds[number % profiles] ?? "" }; });
  await database.run("ANALYZE");
  const t0 = performance.now();
  for (const w of workers) w.send("go");
  for (;;) { const { total } = await database.storage.find("posts", { where: { status: "published" }, limit: 1 }); if (total >= filled) break; await setTimeout(200); }
  const ms = performance.now() - t0;
  const reports = await Promise.all(workers.map(async (w) => { const got = once(w, "message"); w.send("stop"); const [r] = await got; return r as WorkerReport; }));
  const sent = reports.flatMap((r) => r.done);
  const statements = reports.reduce((s, r) => s + r.statements, 0) / posts, cpu = reports.reduce((s, r) => s + r.cpuMs, 0) / posts;
  console.log(count, "workers", (posts / ms * 1000).toFixed(0), "posts/s", statements.toFixed(2), "st/post", cpu.toFixed(2), "cpu ms/post", sent.length, new Set(sent).size, reports.map((r) => r.done.length).join("/"));
}
await database.remove(); process.exit(0);
