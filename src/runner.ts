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

/** Keeps the service going: alarms, a sweep when something is due and every 30 s besides, and `runDue` for cron jobs. */
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
  /** Milliseconds until the next post or profile is due, `withinMs` at most. */
  untilNextDue(withinMs: number): Promise<number>;
}

/** The longest and the shortest time between two sweeps, milliseconds. */
const sweepMs = { longest: 30_000, shortest: 1_000 };
/** Posts started at once. */
const batch = 20;
/** Profiles that a sweep has worked off side by side; one that takes long holds up none of the others. */
const profilesAtOnce = 20;
/** A process that has called `runDue` this recently is taken to go on doing so, milliseconds. */
const recentMs = 60_000;

export function createRunner(ports: RunnerPorts): Runner {
  const { clock, logger, scheduler, worker } = ports;
  let sweeping: { cancel: AbortController; ended: Promise<void> } | null = null;
  let lastRun: number | null = null;

  /** Starts what is due, as far as there is room. */
  async function startDue(running: Set<Promise<void>>): Promise<DueReport> {
    lastRun = clock.monotonic();
    const posts = await ports.startDuePosts(batch);
    const room = profilesAtOnce - running.size;
    const works = room > 0 ? await worker.claimDue(room) : [];
    for (const work of works) {
      const done: Promise<void> = work.finally(() => running.delete(done));
      running.add(done);
    }
    return { posts, profiles: works.length };
  }

  async function runDue(): Promise<DueReport> {
    const report: DueReport = { posts: 0, profiles: 0 };
    const running = new Set<Promise<void>>();
    for (;;) {
      const { posts, profiles } = await startDue(running);
      report.posts += posts;
      report.profiles += profiles;
      if (posts === batch || profiles > 0) continue;
      if (running.size === 0) return report;
      await Promise.race(running);
    }
  }

  async function sweep(signal: AbortSignal): Promise<void> {
    const running = new Set<Promise<void>>();
    while (!signal.aborted) {
      const pauseMs = await sweepOnce(running).catch((error: unknown) => {
        logger.error("a sweep failed; the next one repeats it", { error: String(error) });
        return sweepMs.longest;
      });
      if (pauseMs === 0) continue;
      const pause = clock.sleep(pauseMs, signal).catch(() => undefined);
      await (running.size < profilesAtOnce ? pause : Promise.race([pause, ...running]));
    }
    await Promise.all(running);
  }

  /** Returns how long to pause, milliseconds. */
  async function sweepOnce(running: Set<Promise<void>>): Promise<number> {
    const { posts, profiles } = await startDue(running);
    if (posts === batch || profiles > 0) return 0;
    return Math.max(sweepMs.shortest, await ports.untilNextDue(sweepMs.longest));
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
