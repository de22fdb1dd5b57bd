/**
 * How late posts go out when 10,000 come due within one minute, in real time:
 * from `scheduled_at` to the first request of the publication. The service runs
 * as its host would run it, by `start()`. Once nobody has told it of the posts,
 * as when another process has made them, so that only its sweep can find them;
 * once it has made them itself, so that it has an alarm for each. And once more
 * when only 100 come due in that minute, which a quiet process starts on time.
 */
import { isoTime } from "../../src/ports/clock.ts";
import { seededRandom } from "../prove/random.ts";
import type { BenchOptions } from "./arguments.ts";
import { type Built, importBuilt } from "./built.ts";
import { type BenchDatabase, openPostgres, openSqlite } from "./database.ts";
import { createFill, numberIn, type ScheduledPost } from "./fill-scheduled.ts";
import { createInstantService, type InstantService } from "./instant.ts";
import { type BenchResult, time } from "./result.ts";

/** Posts that come due, spread over profiles, and how late 99 in 100 of them may be, milliseconds. */
interface Load {
  posts: number;
  profiles: number;
  goalMs: number;
}

const loads: readonly Load[] = [
  { posts: 10_000, profiles: 500, goalMs: 2_000 },
  { posts: 100, profiles: 20, goalMs: 100 },
];
const withinMs = 60_000;
/** What has not gone out so long after the minute is not waited for. */
const patienceMs = 120_000;
/** Posts that are created side by side. */
const createdAtOnce = 10;
const seed = 20_261_121;

export async function benchLag(_options: BenchOptions): Promise<BenchResult[]> {
  const built = await importBuilt();
  const results: BenchResult[] = [];
  for (const open of [openSqlite, openPostgres]) {
    for (const load of loads) {
      for (const schedule of [scheduleElsewhere, scheduleHere]) {
        const database = await open(built);
        try {
          results.push(...(await benchOn(database, built, { load, schedule })));
        } finally {
          await database.remove();
        }
      }
    }
  }
  return results;
}

async function benchOn(
  database: BenchDatabase,
  built: Built,
  { load, schedule }: { load: Load; schedule: Schedule },
): Promise<BenchResult[]> {
  const { posts, profiles } = load;
  const dueAt = new Map<number, number>();
  const lags = new Map<number, number>();
  let doubled = 0;
  function onPost(text: string): void {
    const number = numberIn(text) ?? -1;
    if (lags.has(number)) doubled += 1;
    lags.set(number, Date.now() - (dueAt.get(number) ?? Number.NaN));
  }
  const service = await createInstantService(built, { storage: database.storage, profiles, onPost });
  const { social, profileIds } = service;
  const from = Date.now() + schedule.aheadMs;
  const random = seededRandom(seed);
  const scheduled = Array.from({ length: posts }, (_, number): ScheduledPost => {
    const profileId = profileIds[Math.floor(random.next() * profiles)] ?? "";
    return { number, profileId, dueAt: from + Math.floor(random.next() * withinMs) };
  });
  for (const post of scheduled) dueAt.set(post.number, post.dueAt);
  await schedule.run(scheduled, database, service);
  if (Date.now() > from) throw new Error("It took too long to schedule the posts.");
  const until = from + withinMs + patienceMs;
  while (lags.size < posts && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 200));
  await social.stop();
  if (doubled > 0 || lags.size < posts) throw new Error(`${lags.size} of ${posts} went out, ${doubled} twice.`);
  const name = `${posts.toLocaleString("en-US")} due in a minute on ${database.name}, ${schedule.name}`;
  return resultsOf(name, [...lags.values()], load);
}

function resultsOf(name: string, lags: readonly number[], { goalMs }: Load): BenchResult[] {
  const sorted = [...lags].sort((one, other) => one - other);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  const quantiles = { min: at(0), p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) };
  const early = sorted.filter((lag) => lag < 0).length;
  return [
    {
      name: `${name}: lag, p99`,
      ours: time(quantiles.p99),
      floor: `p50 ${time(quantiles.p50)}`,
      reached: `${quantiles.p99} ms`,
      goal: `≤${goalMs} ms`,
      isMet: quantiles.p99 <= goalMs,
      raw: quantiles,
    },
    {
      name: `${name}: early`,
      ours: String(early),
      floor: "",
      reached: String(early),
      goal: "0",
      isMet: early === 0,
      raw: { early, earliestMs: quantiles.min },
    },
  ];
}

interface Schedule {
  name: string;
  /** From the beginning of scheduling to the beginning of the minute, milliseconds. */
  aheadMs: number;
  /** Makes the posts and starts the service. */
  run(posts: readonly ScheduledPost[], database: BenchDatabase, service: InstantService): Promise<void>;
}

const scheduleElsewhere: Schedule = {
  name: "made by others",
  aheadMs: 10_000,
  async run(scheduled, database, { social, profileIds }) {
    const fill = await createFill(database, social, profileIds[0] ?? "");
    await fill(() => scheduled);
    // What others schedule for less than half a minute ahead may be found half a minute late; these lay there before.
    await social.start();
  },
};

const scheduleHere: Schedule = {
  name: "made by itself",
  aheadMs: 150_000,
  async run(scheduled, _database, { social }) {
    await social.start();
    const queue = [...scheduled];
    const lanes = Array.from({ length: createdAtOnce }, async () => {
      for (let post = queue.pop(); post !== undefined; post = queue.pop()) {
        const text = `Three rows of blue hills, the furthest of them nearly white, and a bird above: number-${post.number}`;
        await social.posts.create({ profile_ids: [post.profileId], text, scheduled_at: isoTime(post.dueAt) });
      }
    });
    await Promise.all(lanes);
  },
};
