/**
 * What a look costs that finds nothing: all that one sweep of a service that was
 * started asks the store, with a million posts scheduled for later. The
 * questions are those that the service itself has asked, kept and asked again.
 * Besides, what inboxes cost in which nothing happens.
 */
import { systemClock } from "../../src/ports/clock.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { silentLogger } from "../support/logger.ts";
import { testKey } from "../support/service.ts";
import type { BenchOptions } from "./arguments.ts";
import { type Built, importBuilt } from "./built.ts";
import { openPostgres, openSqlite } from "./database.ts";
import { fillForLater } from "./fill-scheduled.ts";
import { benchIdleInboxes } from "./idle-inboxes.ts";
import { createInstantService } from "./instant.ts";
import { timeOf } from "./measure.ts";
import { type BenchResult, time } from "./result.ts";

/** For one sweep, microseconds. */
const goalUs = 10;
const profiles = 100;

export async function benchIdle({ rows, pairs }: BenchOptions): Promise<BenchResult[]> {
  const built = await importBuilt();
  const results: BenchResult[] = [];
  for (const open of [openSqlite, openPostgres]) {
    const database = await open(built);
    try {
      const social = await createInstantService(built, { storage: database.storage, profiles, onPost() {} });
      await fillForLater(database, social, rows);
      const questions = await questionsOfSweep(built, database.storage);
      const goal = database.name === "SQLite" ? goalUs : null;
      const name = `idle sweep over ${rows.toLocaleString("en-US")} on ${database.name}`;
      const all = async (): Promise<void> => {
        for (const { ask } of questions) await ask();
      };
      results.push(await measureOne(`${name}, its ${questions.length} questions`, all, { goal, pairs }));
      for (const { what, ask } of distinct(questions)) {
        results.push(await measureOne(`${name}: ${what}`, ask, { goal: null, pairs }));
      }
    } finally {
      await database.remove();
    }
  }
  return [...results, ...(await benchIdleInboxes(built))];
}

interface Question {
  what: string;
  ask(): Promise<unknown>;
}

/** What a service asks from one pause to the next. */
async function questionsOfSweep(built: Built, storage: Storage): Promise<Question[]> {
  const asked: Question[] = [];
  const keep = <Asked extends "find" | "claim">(name: Asked): Storage[Asked] =>
    (async (...question: Parameters<Storage[Asked]>) => {
      const [collection, { where = {} }] = question as [string, { where?: object }];
      const by = [collection, Object.keys(where).join(" and ")].filter((word) => word !== "").join(" by ");
      const ask = (): Promise<unknown> => (storage[name] as (...given: unknown[]) => Promise<unknown>)(...question);
      asked.push({ what: `${name} ${by}`, ask });
      return ask();
    }) as Storage[Asked];
  const kept: Storage = {
    ...storage,
    now() {
      asked.push({ what: "now", ask: () => storage.now() });
      return storage.now();
    },
    nextDueAt(until) {
      asked.push({ what: "nextDueAt", ask: () => storage.nextDueAt(until) });
      return storage.nextDueAt(until);
    },
    find: keep("find"),
    claim: keep("claim"),
  };
  let pauses = 0;
  let onSecondPause = (): void => {};
  const swept = new Promise<void>((resolve) => {
    onSecondPause = resolve;
  });
  const clock = {
    ...systemClock,
    // The first pause ends at once: with the first sweep old rows are looked for, which happens once an hour.
    async sleep(ms: number, signal?: AbortSignal) {
      pauses += 1;
      if (pauses === 1) asked.length = 0;
      else onSecondPause();
      if (pauses > 1) await systemClock.sleep(ms, signal);
    },
  };
  const service = built.createSocialService({ storage: kept, clock, encryptionKey: testKey, logger: silentLogger });
  await service.start();
  await swept;
  await service.stop();
  return [...asked];
}

function distinct(questions: readonly Question[]): Question[] {
  return [...new Map(questions.map((question) => [question.what, question])).values()];
}

async function measureOne(
  name: string,
  call: () => Promise<unknown>,
  { goal, pairs }: { goal: number | null; pairs: number },
): Promise<BenchResult> {
  const { ms, measured } = await timeOf(call, pairs);
  return {
    name,
    ours: time(ms),
    floor: "",
    reached: goal === null ? "" : `${(ms * 1_000).toFixed(1)} µs`,
    goal: goal === null ? "" : `≤${goal} µs`,
    isMet: ms * 1_000 <= (goal ?? Number.POSITIVE_INFINITY),
    raw: measured,
  };
}
