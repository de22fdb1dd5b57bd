/**
 * Publications a second where the network answers at once: scheduled posts that
 * are due, worked off by `runDue()`. Each must be on the disk three times, before
 * it is sent, when its answer is there, and when it is settled; so the floor is
 * three times as many durable commits of one row, one after the other, on the
 * same handle. What is measured is all that the service does: starting the post
 * and planning it, claiming its profile, publishing it, giving the profile back.
 */
import type { BenchOptions } from "./arguments.ts";
import { importBuilt } from "./built.ts";
import { type BenchDatabase, openPostgres, openSqlite } from "./database.ts";
import { createFill } from "./fill-scheduled.ts";
import { createInstantService } from "./instant.ts";
import { type BenchResult, ratioOf } from "./result.ts";

/** Posts in one measurement, and the profiles that they are spread over. */
const posts = 1_000;
const profiles = 500;
const commitsEach = 3;
const goal = 0.5;

export async function benchPublish({ pairs }: BenchOptions): Promise<BenchResult[]> {
  const built = await importBuilt();
  const results: BenchResult[] = [];
  for (const open of [openSqlite, openPostgres]) {
    const database = await open(built);
    try {
      results.push(await benchOn(database, { built, pairs }));
    } finally {
      await database.remove();
    }
  }
  return results;
}

async function benchOn(
  database: BenchDatabase,
  { built, pairs }: { built: Awaited<ReturnType<typeof importBuilt>>; pairs: number },
): Promise<BenchResult> {
  const published = new Set<string>();
  let sent = 0;
  let filled = 0;
  function onPost(text: string): void {
    sent += 1;
    published.add(text);
  }
  const { social, profileIds } = await createInstantService(built, { storage: database.storage, profiles, onPost });
  const fillScheduled = await createFill(database, social, profileIds[0] ?? "");

  async function fill(): Promise<void> {
    const dueAt = await database.storage.now();
    const from = filled;
    filled += posts;
    await fillScheduled(function* () {
      for (let number = from; number < from + posts; number++)
        yield { number, dueAt, profileId: profileIds[number % profiles] ?? "" };
    });
  }

  async function publish(): Promise<void> {
    await social.runDue();
    const settled = await database.storage.find("posts", { where: { status: "published" }, limit: 1 });
    const counts = [sent, published.size, settled.total];
    if (counts.some((count) => count !== filled)) throw new Error(`${counts} of ${filled} posts went out.`);
  }

  const commit = await commitsOn(database);
  const commitAll = async (): Promise<void> => {
    for (let done = 0; done < posts * commitsEach; done++) await commit();
  };
  const pair = {
    ours: publish,
    floor: commitAll,
    prepare: [fill, async () => {}],
    calls: 1,
    warmUp: 2,
  } as const;
  const name = `${posts.toLocaleString("en-US")} publications on ${database.name} against ${commitsEach} commits each`;
  return ratioOf(name, pair, { goal, pairs });
}

/** Writes one small row by itself, durably. */
async function commitsOn({ run, name }: BenchDatabase): Promise<() => Promise<void>> {
  await run(`CREATE TABLE bench_commits (id ${name === "SQLite" ? "INTEGER" : "BIGSERIAL"} PRIMARY KEY, text TEXT)`);
  return () => run("INSERT INTO bench_commits (text) VALUES (?)", ["x".repeat(100)]);
}
