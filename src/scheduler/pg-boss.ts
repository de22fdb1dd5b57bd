import * as z from "zod";
import { type Clock, systemClock } from "../ports/clock.ts";
import { type Logger, quietLogger } from "../ports/logger.ts";
import {
  checkArgument,
  checkOptions,
  clockOption,
  loggerOption,
  type OptionSchemas,
  option,
  port,
  wholeNumber,
} from "../ports/parse-options.ts";
import { createComplain } from "./complain.ts";
import { type Alarm, engineScheduler } from "./engine.ts";
import type { Scheduler } from "./scheduler.ts";

/** The part of a `PgBoss` of pg-boss 10 or later that is used; any object with these methods works. */
export interface PgBossLike {
  /** Creates a queue, unless one of this name exists. */
  createQueue(name: string, options: PgBossQueueOptions): Promise<unknown>;
  /** Null: no queue has this name. */
  getQueue(name: string): Promise<object | null>;
  /** Puts a job into a queue; null: one with its key is waiting. */
  send(name: string, data: object, options: { singletonKey: string; startAfter: number }): Promise<string | null>;
  /** Claims due jobs. */
  fetch(name: string, options: { batchSize: number }): Promise<readonly { id: string; data: unknown }[]>;
  /** Deletes claimed jobs. */
  deleteJob(name: string, ids: string[]): Promise<unknown>;
}

/** The options with which the queue of the alarms is created. */
export interface PgBossQueueOptions {
  /** The queue's name. */
  name: string;
  /** How many jobs of one key may wait: one. */
  policy: "short";
  /** How often a job is retried. */
  retryLimit: number;
  /** When another process may claim a claimed job, seconds. */
  expireInSeconds: number;
}

/** Options of `pgBossScheduler`. */
export interface PgBossSchedulerOptions {
  /** The queue of the alarms; created if missing. Use it for nothing else. @default "postrider-alarms" */
  queue?: string | undefined;
  /** Interval between two polls for due alarms, and their maximum delay, milliseconds; 10 to 3,600,000. @default 1_000 */
  pollMs?: number | undefined;
  /** The clock for the pauses between two polls. @default the machine's clock */
  clock?: Clock | undefined;
  /** Receives failures. @default warnings and errors to the console */
  logger?: Logger | undefined;
}

const bossArgument = port<PgBossLike>("a boss of pg-boss, such as new PgBoss(connectionString)", [
  "createQueue",
  "getQueue",
  "send",
  "fetch",
  "deleteJob",
]);

const optionsSchema = z.strictObject({
  queue: option("a name", (value) => typeof value === "string" && value !== "").optional(),
  pollMs: wholeNumber("milliseconds", { from: 10, to: 3_600_000 }).optional(),
  clock: clockOption.optional(),
  logger: loggerOption.optional(),
} satisfies OptionSchemas<PgBossSchedulerOptions>);

/**
 * Alarms claimed per poll. After a full batch the next poll follows immediately; other machines can claim their share
 * in between.
 */
const batchSize = 20;

/**
 * Alarms in your pg-boss: the first machine that polls gets an alarm.
 * Start the boss before the service, and listen to its `error` event, as pg-boss requires. `stop` ends
 * neither the boss nor other queues.
 *
 * A machine that never calls `start` still sends its alarms to the others.
 * Alarms hold no data: if the queue is dropped, posts are published a little later.
 *
 * @throws SocialError `invalid_options` naming the invalid option
 *
 * @example
 * const boss = new PgBoss(process.env.DATABASE_URL);
 * boss.on("error", console.error);
 * await boss.start();
 * const social = createSocialService({ storage, scheduler: pgBossScheduler(boss) });
 */
export function pgBossScheduler(boss: PgBossLike, options: PgBossSchedulerOptions = {}): Scheduler {
  checkArgument("pgBossScheduler", "boss", bossArgument, boss);
  checkOptions("pgBossScheduler", optionsSchema, options);
  const { queue = "postrider-alarms", pollMs = 1_000, clock = systemClock, logger = quietLogger } = options;
  const complain = createComplain({ clock, logger });
  let made: Promise<void> | null = null;
  let polling: { cancel: AbortController; ended: Promise<void> } | null = null;

  async function makeQueue(): Promise<void> {
    if (await hasQueue()) return;
    // The defaults for retention suit alarms of any age: pg-boss deletes an unclaimed job 14 days after its due time,
    // not after it was sent (src/plans of pg-boss 10.4.2 and 12.27, 2026-11).
    const options: PgBossQueueOptions = { name: queue, policy: "short", retryLimit: 0, expireInSeconds: 60 };
    await boss.createQueue(queue, options).catch(async (error: unknown) => {
      // If two machines create it concurrently, Postgres may reject one of them.
      if (!(await hasQueue())) throw error;
    });
  }

  async function hasQueue(): Promise<boolean> {
    return (await boss.getQueue(queue)) !== null;
  }

  async function withQueue(): Promise<void> {
    made ??= makeQueue();
    await made.catch((error: unknown) => {
      made = null;
      throw new Error(`pg-boss cannot be used (call its start() first): ${String(error)}`);
    });
  }

  /** The database computes the waiting time, so no machine's clock decides when an alarm rings. */
  function send(alarm: Alarm, id: string): Promise<string | null> {
    const waitMs = Math.max(0, alarm.at - clock.now());
    return boss.send(queue, alarm, { singletonKey: id, startAfter: waitMs / 1_000 });
  }

  /** False: the queue no longer exists. pg-boss 10 then returns null, as for a duplicate; later versions throw. */
  async function isKept(alarm: Alarm, id: string): Promise<boolean> {
    try {
      if ((await send(alarm, id)) !== null) return true;
    } catch (error) {
      if (await hasQueue()) throw error;
    }
    return hasQueue();
  }

  /** True: more jobs may be due. */
  async function takeDue(ring: (data: unknown) => void): Promise<boolean> {
    const jobs = await boss.fetch(queue, { batchSize });
    for (const { data } of jobs) ring(data);
    // Deleted, because pg-boss keeps completed jobs for days.
    const ids = jobs.map(({ id }) => id);
    if (ids.length > 0) await boss.deleteJob(queue, ids);
    return jobs.length === batchSize;
  }

  /**
   * Does not use `boss.work`: in pg-boss 10 it leaves a rejection unhandled, which ends the process, and its worker is
   * stopped with different arguments than in pg-boss 12.
   */
  async function poll(ring: (data: unknown) => void, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const hasMore = await takeDue(ring).catch((error: unknown) => {
        complain("pg-boss cannot be polled for alarms", error);
        return false;
      });
      if (!hasMore) await clock.sleep(pollMs, signal).catch(() => undefined);
    }
  }

  return engineScheduler(
    {
      name: "pg-boss",
      async keep(alarm, id) {
        await withQueue();
        if (await isKept(alarm, id)) return;
        made = null;
        await withQueue();
        await send(alarm, id);
      },
      async listen(ring) {
        await withQueue();
        const cancel = new AbortController();
        polling = { cancel, ended: poll(ring, cancel.signal) };
      },
      async unlisten() {
        polling?.cancel.abort();
        await polling?.ended;
      },
    },
    { clock, logger, complain },
  );
}
