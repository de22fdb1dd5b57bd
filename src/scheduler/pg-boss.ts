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

/** What is used of a `PgBoss` of pg-boss 10 or later: any that fits will do. */
export interface PgBossLike {
  /** Makes a queue, unless there is one of this name. */
  createQueue(name: string, options: PgBossQueueOptions): Promise<unknown>;
  /** Null when there is none of this name. */
  getQueue(name: string): Promise<object | null>;
  /** Puts a job into a queue; null when one with its key waits. */
  send(name: string, data: object, options: { singletonKey: string; startAfter: number }): Promise<string | null>;
  /** Takes jobs that are due. */
  fetch(name: string, options: { batchSize: number }): Promise<readonly { id: string; data: unknown }[]>;
  /** Ends a job that was taken. */
  deleteJob(name: string, ids: string[]): Promise<unknown>;
}

/** How the queue of the alarms is made. */
export interface PgBossQueueOptions {
  /** The queue's name. */
  name: string;
  /** How many jobs of one key may wait. */
  policy: "short";
  /** How often a job is taken again. */
  retryLimit: number;
  /** When a job that was taken may be taken by another. */
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

/** Alarms taken at one look. Another follows at once when there were as many; other machines have their share between. */
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
    // Its limits do for alarms of any age: what nobody takes is deleted 14 days after its own moment,
    // not after it was sent (src/plans of pg-boss 10.4.2 and 12.27, 2026-11).
    const options: PgBossQueueOptions = { name: queue, policy: "short", retryLimit: 0, expireInSeconds: 60 };
    await boss.createQueue(queue, options).catch(async (error: unknown) => {
      // When two machines make it at once, Postgres may refuse one of them.
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

  /** Waits are counted by the database: no machine's clock decides when an alarm rings. */
  function send(alarm: Alarm, id: string): Promise<string | null> {
    const waitMs = Math.max(0, alarm.at - clock.now());
    return boss.send(queue, alarm, { singletonKey: id, startAfter: waitMs / 1_000 });
  }

  /** False when the queue is gone: pg-boss 10 answers null, as for what is there already; later ones throw. */
  async function isKept(alarm: Alarm, id: string): Promise<boolean> {
    try {
      if ((await send(alarm, id)) !== null) return true;
    } catch (error) {
      if (await hasQueue()) throw error;
    }
    return hasQueue();
  }

  /** Returns true when there may be more. */
  async function takeDue(ring: (data: unknown) => void): Promise<boolean> {
    const jobs = await boss.fetch(queue, { batchSize });
    for (const { data } of jobs) ring(data);
    // Completed ones would be kept for days.
    const ids = jobs.map(({ id }) => id);
    if (ids.length > 0) await boss.deleteJob(queue, ids);
    return jobs.length === batchSize;
  }

  /**
   * Not by `boss.work`: pg-boss 10 leaves a rejection unhandled there, which ends
   * the process, and stops a worker by other arguments than pg-boss 12.
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
