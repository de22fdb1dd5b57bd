import type { Clock } from "./clock.ts";
import type { Logger } from "./logger.ts";
import type { Worker } from "./publishing/worker.ts";
import type { Scheduler } from "./scheduler/scheduler.ts";

/** What one run found. */
export interface DueReport {
  /** Scheduled posts whose time had come. */
  posts: number;
  /** Profiles that had something to do. */
  profiles: number;
}

/** Keeps the service going: alarms, a sweep every 30 s, and `runDue` for cron jobs. */
export interface Runner {
  /** Works off what is due from now on, until `stop`. Calling it twice is harmless. */
  start(): Promise<void>;
  /** Ends the sweep and the alarms; waits up to `graceMs` for what is under way. Nothing is lost. @default 10_000 */
  stop(graceMs?: number): Promise<void>;
  /** Works off everything that is due, recovery included, then returns: a cron job that calls it is enough. */
  runDue(): Promise<DueReport>;
  /** True when this process works off what is due. */
  isRunning(): boolean;
}

export interface RunnerPorts {
  clock: Clock;
  logger: Logger;
  scheduler: Scheduler;
  worker: Worker;
  startDuePosts(limit: number): Promise<number>;
}

/** Between two sweeps, milliseconds. */
const sweepMs = 30_000;
/** Rows taken at once. */
const batch = 20;
/** A process that has called `runDue` this recently is taken to go on doing so, milliseconds. */
const recentMs = 60_000;

export function createRunner(ports: RunnerPorts): Runner {
  const { clock, logger, scheduler, worker } = ports;
  let sweeping: { cancel: AbortController; ended: Promise<void> } | null = null;
  let lastRun: number | null = null;

  async function runDue(): Promise<DueReport> {
    lastRun = clock.monotonic();
    const report: DueReport = { posts: 0, profiles: 0 };
    for (;;) {
      const posts = await ports.startDuePosts(batch);
      const profiles = await worker.workDue(batch);
      report.posts += posts;
      report.profiles += profiles;
      if (posts < batch && profiles === 0) return report;
    }
  }

  async function sweep(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await runDue().catch((error: unknown) =>
        logger.error("a sweep failed; the next one repeats it", { error: String(error) }),
      );
      await clock.sleep(sweepMs, signal).catch(() => undefined);
    }
  }

  return {
    runDue,
    isRunning: () => sweeping !== null || (lastRun !== null && clock.monotonic() - lastRun < recentMs),
    async start() {
      if (sweeping !== null) return;
      const cancel = new AbortController();
      const started = { cancel, ended: Promise.resolve() };
      sweeping = started;
      try {
        await scheduler.start(async (profileId) => {
          await ports.startDuePosts(batch);
          await worker.workProfile(profileId);
        });
      } catch (error) {
        sweeping = null;
        throw error;
      }
      started.ended = sweep(cancel.signal);
    },
    async stop(graceMs = 10_000) {
      if (sweeping === null) return;
      const { cancel, ended } = sweeping;
      sweeping = null;
      cancel.abort();
      const done = new AbortController();
      const grace = clock.sleep(graceMs, done.signal).catch(() => undefined);
      await Promise.race([Promise.all([ended, scheduler.stop(graceMs)]), grace]);
      done.abort();
    },
  };
}
