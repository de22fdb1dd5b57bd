/**
 * What it costs to follow all inboxes of an account while nothing happens in
 * them: `follow({ after })` looks once a second, whether they are ten or ten
 * thousand. One look a second of 10 ms is 1 % of a core.
 */
import { systemClock } from "../../src/ports/clock.ts";
import type { Operation } from "../../src/storage/storage.ts";
import { silentLogger } from "../support/logger.ts";
import { testKey } from "../support/service.ts";
import type { BenchOptions } from "./arguments.ts";
import { type Built, importBuilt } from "./built.ts";
import { type BenchDatabase, openPostgres, openSqlite } from "./database.ts";
import { type BenchResult, time } from "./result.ts";

/** Of one core. */
const goalShare = 0.01;
const inboxes = 10_000;
const rowsAtOnce = 500;
/** Seconds that are followed, one look in each. */
const seconds = 300;

export async function benchFollow(_: BenchOptions): Promise<BenchResult[]> {
  const built = await importBuilt();
  const results: BenchResult[] = [];
  for (const open of [openSqlite, openPostgres]) {
    const database = await open(built);
    try {
      await fill(database);
      const share = await shareOfCore(built, database);
      results.push({
        name: `follow ${inboxes.toLocaleString("en-US")} quiet inboxes on ${database.name}, a look`,
        ours: time(share * 1_000),
        floor: "",
        reached: `${(share * 100).toFixed(3)} % of a core`,
        goal: `≤${goalShare * 100} %`,
        isMet: share <= goalShare,
        raw: { share },
      });
    } finally {
      await database.remove();
    }
  }
  return results;
}

/** An hour old, as inboxes with two lists are. */
async function fill({ storage }: BenchDatabase): Promise<void> {
  const now = await storage.now();
  const source = {
    cursor: { floor: "9".repeat(40), top: null, page: null },
    due_at: now,
    every_ms: 120_000,
    failures: 0,
  };
  const sources = { posts: source, messages: source, mentions: source };
  const insert = (number: number): Operation => ({
    kind: "insert",
    collection: "inboxes",
    row: {
      id: `inb_${number}`,
      account_id: "default",
      profile_id: `prof_${number}`,
      network: "facebook",
      external_id: String(number),
      app_id: null,
      seq: 5,
      changed_at: now - 3_600_000,
      created_at: new Date(now - 3_600_000).toISOString(),
      due_at: null,
      lease_until: 0,
      epoch: 0,
      private: { connected_at: now, sources },
    },
  });
  for (let first = 0; first < inboxes; first += rowsAtOnce)
    await storage.write(Array.from({ length: rowsAtOnce }, (_, offset) => insert(first + offset)));
}

/** CPU of this process for one second's look; a clock that runs ahead leaves out the waits. */
async function shareOfCore(built: Built, { storage }: BenchDatabase): Promise<number> {
  let aheadMs = 0;
  let begun: NodeJS.CpuUsage | null = null;
  const ending = new AbortController();
  const clock = {
    ...systemClock,
    monotonic: () => systemClock.monotonic() + aheadMs,
    async sleep(ms: number) {
      // The first look reads all.
      begun ??= process.cpuUsage();
      aheadMs += ms;
      if (aheadMs >= seconds * 1_000) ending.abort();
    },
  };
  const social = built.createSocialService({ storage, clock, encryptionKey: testKey, logger: silentLogger });
  const after = Object.fromEntries(Array.from({ length: inboxes }, (_, number) => [`prof_${number}`, 5]));
  for await (const { profile_id } of social.inbox.follow({ after }, { signal: ending.signal }))
    throw new Error(`${profile_id} has changed, and nobody has written.`);
  const { user, system } = process.cpuUsage(begun ?? undefined);
  return (user + system) / 1_000_000 / seconds;
}
