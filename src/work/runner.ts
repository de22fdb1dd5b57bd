import * as z from "zod";
import { type Clock, noLongerNeeded, waitAtMost } from "../ports/clock.ts";
import { idPrefixes } from "../ports/ids.ts";
import type { Logger } from "../ports/logger.ts";
import { checkArgument, checkOptions, type OptionSchemas, wholeNumber } from "../ports/parse-options.ts";
import type { Scheduler } from "../scheduler/scheduler.ts";
import { claimableCollections } from "../storage/schema.ts";
import type { ClaimableCollection } from "../storage/storage.ts";
import { createAlarms } from "./alarms.ts";
import type { DueWorkBegun, DueWorker } from "./due-worker.ts";
import { createPool, type Pool } from "./pool.ts";

/** The work that one run found. */
export interface DueReport {
  /** Scheduled posts whose time had come. */
  posts: number;
  /** Profiles with due work. */
  profiles: number;
  /** Inboxes that were due. */
  inboxes: number;
  /** Webhook endpoints with due deliveries. */
  endpoints: number;
  /** True: a limit was reached before all due work was started. */
  hasMore: boolean;
}

/** Limits of one run. */
export interface RunBounds {
  /** Time limit for starting work, milliseconds, at most a day; the run ends at most 10 s later. @default no bound */
  forMs?: number | undefined;
  /** Maximum number of posts, profiles, inboxes and endpoints to start, 1 to 1,000,000. @default no bound */
  atMost?: number | undefined;
}

const dayMs = 86_400_000;

const boundsSchema = z.strictObject({
  forMs: wholeNumber("milliseconds", { from: 0, to: dayMs }).optional(),
  atMost: wholeNumber("posts, profiles, inboxes and endpoints", { from: 1, to: 1_000_000 }).optional(),
} satisfies OptionSchemas<RunBounds>);

const graceMsSchema = wholeNumber("milliseconds", { from: 0, to: dayMs });

/** Keeps the service going: alarms, a sweep when something is due and every 25 s besides, and `runDue` for cron jobs. */
export interface Runner {
  /**
   * Processes due work from now on, until `stop`. Calling it twice is
   * harmless. If the scheduler does not start, that is logged and retried.
   *
   * @throws SocialError `internal_error` when `encryptionKey` is the wrong key for the stored credentials
   */
  start(): Promise<void>;
  /**
   * Ends the sweep and the alarms; waits up to `graceMs` for work in progress,
   * including posts that are published immediately. The next process continues unfinished work. @default 10_000
   *
   * @throws SocialError `invalid_options` for anything but 0 to 86,400,000
   */
  stop(graceMs?: number): Promise<void>;
  /**
   * Processes all due work, recovery included, then returns: a cron
   * job that calls it is enough. Work beyond a limit is left for the next run.
   *
   * @throws SocialError `invalid_options` for invalid limits; `internal_error`, at the end of the run, when `encryptionKey` is the wrong key for the stored credentials
   */
  runDue(bounds?: RunBounds): Promise<DueReport>;
  /** True while a worker is running in this process. */
  isRunning(): boolean;
}

export interface RunnerPorts {
  clock: Clock;
  logger: Logger;
  scheduler: Scheduler;
  workers: Readonly<Record<ClaimableCollection, DueWorker>>;
  /** Begins to start up to `limit` scheduled posts whose time has come, none of the accounts in `exceptAccounts`. */
  startDuePosts(limit: number, exceptAccounts: readonly string[]): Promise<PostStart[]>;
  /** Milliseconds until the next post, profile, inbox or endpoint is due, `withinMs` at most. */
  untilNextDue(withinMs: number): Promise<number>;
  /** What is to be done about once an hour, whatever is due: deletes what has been kept for long enough. */
  hourly(): Promise<void>;
  /** Resolves when nothing goes on that a call has begun: publications at once, retries. */
  untilIdle(): Promise<void>;
}

/** A scheduled post that is being started. */
export interface PostStart {
  accountId: string;
  /** The profiles that have something to do now. Never rejects. */
  profileIds: Promise<readonly string[]>;
}

/**
 * The longest and the shortest time between two sweeps, milliseconds. What a process that died leaves lying goes out
 * within 30 s: the longest pause, and the time that publishing takes.
 */
const sweepMs = { max: 25_000, min: 1_000 };
/**
 * The shortest pause after a sweep that found nothing, milliseconds. Each row that it found makes the pause as much
 * longer, up to `sweepMs.min`: a quiet process starts posts when they are due, a busy one does not sweep all the time.
 * Alarms do not do it alone: a scheduler keeps only the earliest one of a profile.
 */
const quietMs = 20;
/** Posts started side by side. */
const postPlaces = 100;
/** Rows of one collection processed at the same time. An inbox waits only for its network, and is never urgent. */
const rowPlaces = { profiles: 200, inboxes: 40, endpoints: 200 } as const satisfies Record<ClaimableCollection, number>;
/** How often `runDue` looks for what has become due while other work is under way, milliseconds. */
const lookEveryMs = 1_000;
/** How long a run that is over waits for what it has begun, milliseconds. */
const lastGraceMs = 10_000;
/** A process that called `runDue` within this time is assumed to do so again, milliseconds. */
const recentMs = 60_000;
/** Between two sweeps that claim though nothing is due, milliseconds: only a claim finds the leases of a clock that ran ahead. */
const claimEveryMs = 300_000;
/** Between two times of what is done hourly, milliseconds. */
const hourMs = 3_600_000;

export function createRunner(ports: RunnerPorts): Runner {
  const { clock, logger } = ports;
  let sweeping: { cancel: AbortController; ended: Promise<void> } | null = null;
  let lastRun: number | null = null;
  let lastClaim: number | null = null;
  /** The next sweep is not to wait. */
  let isSweepWanted = false;
  /** Ends the pause of the sweep. */
  let endPause = (): void => {};

  const common = { clock, onRoom: sweepSoon };
  const starts = createPool({ ...common, places: postPlaces, claim: startPosts });
  const claimed = forEachCollection((name) =>
    createPool({ ...common, places: rowPlaces[name], claim: ports.workers[name].claimDue }),
  );
  const pools: readonly Pool[] = [starts, ...Object.values(claimed)];
  const alarms = createAlarms(ports, onAlarm);
  const hourly = createHourly(ports);

  function sweepSoon(): void {
    isSweepWanted = true;
    endPause();
  }

  async function startPosts(limit: number, exceptAccounts: readonly string[]): Promise<DueWorkBegun[]> {
    const begun = await ports.startDuePosts(limit, exceptAccounts);
    return begun.map(({ accountId, profileIds }) => ({
      accountId,
      done: profileIds.then((ids) => workStarted(accountId, ids)),
    }));
  }

  /** What a start has made due goes out without waiting for a sweep. A `runDue` finds it by itself. */
  function workStarted(accountId: string, profileIds: readonly string[]): void {
    if (sweeping === null) return;
    for (const id of profileIds) void claimed.profiles.work(accountId, () => workReported("profiles", id));
  }

  /** Starts what is due, as far as there is room. */
  async function startDue(atMost = Number.POSITIVE_INFINITY): Promise<Found> {
    lastRun = clock.monotonic();
    const found: Found = { ...nothing, posts: await starts.claimDue(atMost) };
    for (const name of claimableCollections) found[name] = await claimed[name].claimDue(atMost - sum(found));
    return found;
  }

  async function runDue(bounds: RunBounds = {}) {
    checkOptions("runDue", boundsSchema, bounds);
    const { forMs = Number.POSITIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = bounds;
    const until = clock.monotonic() + forMs;
    let found = nothing;
    const isOver = (): boolean => clock.monotonic() >= until || sum(found) >= atMost;
    while (!isOver()) {
      const wasAtWork = underWay().length > 0;
      const more = await startDue(atMost - sum(found));
      found = { posts: found.posts + more.posts, ...forEachCollection((name) => found[name] + more[name]) };
      if (hasMore(more)) continue;
      const running = underWay();
      // What ended while the store was looked at may have made something due behind the look.
      if (running.length === 0 && wasAtWork) continue;
      if (running.length === 0) break;
      await raceUntil(someOf(running), Math.min(until, clock.monotonic() + lookEveryMs));
    }
    await raceUntil(Promise.all(underWay()), until + lastGraceMs);
    await raceUntil(hourly.begin(), until + lastGraceMs);
    return { ...found, hasMore: underWay().length > 0 || (isOver() && (await ports.untilNextDue(1)) <= 0) };
  }

  function underWay(): Promise<void>[] {
    return pools.flatMap((pool) => [...pool.running]);
  }

  /** Waits for the work, but not beyond a moment of the monotonic clock. */
  async function raceUntil(work: Promise<unknown>, until: number): Promise<void> {
    if (until === Number.POSITIVE_INFINITY) return void (await work);
    await waitAtMost(clock, Math.max(0, until - clock.monotonic()), work);
  }

  async function sweep(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // Not waited for: what is due goes out without it, too.
      void alarms.start();
      isSweepWanted = false;
      const pauseMs = await sweepOnce(signal).catch((error: unknown) => {
        logger.error("the search for due work failed; the worker repeats it within 25 s", { error: String(error) });
        return sweepMs.max;
      });
      if (pauseMs > 0) await pause(pauseMs, signal);
    }
    await Promise.all([...underWay(), hourly.begun()]);
  }

  /** Returns how long to pause, milliseconds. */
  async function sweepOnce(signal: AbortSignal): Promise<number> {
    const isClaimLate = lastClaim === null || clock.monotonic() - lastClaim >= claimEveryMs;
    if (!isClaimLate) {
      // For speed alone (`npm run bench -- idle`): while nothing is due, nothing is claimed, and nobody waits for room.
      for (const pool of pools) pool.beginLook();
      const waitMs = await ports.untilNextDue(sweepMs.max);
      if (waitMs > 0) return pauseFor(waitMs, 0);
    }
    let begun = 0;
    for (;;) {
      const found = sum(await startDue());
      begun += found;
      if (found === 0) break;
      if (signal.aborted) return 0;
    }
    lastClaim = clock.monotonic();
    return pauseFor(await ports.untilNextDue(sweepMs.max), begun);
  }

  /** @param begun how many rows the sweep found */
  function pauseFor(waitMs: number, begun: number): number {
    // Not waited for: deleting files may take long, and what is due must go out meanwhile.
    hourly.begin().catch((error: unknown) => {
      logger.error("the hourly maintenance failed; it is retried in an hour", { error: String(error) });
    });
    // Due rows that were not found wait for room, or for another process.
    const isStuck = waitMs <= 0 && begun === 0;
    const shortestMs = isStuck ? sweepMs.min : Math.min(sweepMs.min, quietMs * (1 + begun));
    return Math.max(shortestMs, waitMs);
  }

  /** Shorter when there is room again where there was none. */
  async function pause(ms: number, signal: AbortSignal): Promise<void> {
    if (isSweepWanted || signal.aborted) return;
    const woken = new AbortController();
    const end = (): void => woken.abort(noLongerNeeded);
    endPause = end;
    // Not AbortSignal.any: what lasts as long as the process would know each pause that ever was.
    signal.addEventListener("abort", end);
    await clock.sleep(ms, woken.signal).catch(() => undefined);
    signal.removeEventListener("abort", end);
  }

  async function onAlarm(id: string): Promise<void> {
    const name = claimableCollections.find((each) => id.startsWith(prefixes[each])) ?? "profiles";
    const accountId = await ports.workers[name].accountOf(id);
    if (accountId === null) return;
    // Only begun: what a start makes due goes out when it is done.
    if (name === "profiles") await starts.claimFor(accountId);
    await claimed[name].work(accountId, () => workReported(name, id));
  }

  async function workReported(name: ClaimableCollection, id: string): Promise<void> {
    await ports.workers[name].work(id).catch((error: unknown) => {
      logger.error("an alarm's work failed; the worker repeats it", { id, error: String(error) });
    });
  }

  /** Returns what is to be waited for. */
  function endSweep(graceMs: number): Promise<void>[] {
    if (sweeping === null) return [];
    const { cancel, ended } = sweeping;
    sweeping = null;
    cancel.abort();
    return [ended, alarms.stop(graceMs)];
  }

  return {
    runDue,
    isRunning: () => sweeping !== null || (lastRun !== null && clock.monotonic() - lastRun < recentMs),
    async start() {
      if (sweeping !== null) return;
      const cancel = new AbortController();
      lastClaim = null;
      sweeping = { cancel, ended: sweep(cancel.signal) };
      await alarms.start();
    },
    async stop(graceMs = 10_000) {
      checkArgument("stop", "graceMs", graceMsSchema, graceMs);
      const ends = [ports.untilIdle(), ...endSweep(graceMs)];
      await waitAtMost(clock, graceMs, Promise.all(ends));
    },
  };
}

/** What is done about once an hour. */
function createHourly({ clock, hourly }: Pick<RunnerPorts, "clock" | "hourly">) {
  let lastMs: number | null = null;
  let last: Promise<void> = Promise.resolve();
  return {
    /** Resolves when it is done, also when it was begun before. */
    begin(): Promise<void> {
      const now = clock.monotonic();
      if (lastMs !== null && now - lastMs < hourMs) return last;
      lastMs = now;
      const begun = hourly();
      // Whoever began it hears of its failure.
      last = begun.catch(() => undefined);
      return begun;
    },
    /** What was last begun of it. Never rejects. */
    begun: () => last,
  };
}

type Found = Omit<DueReport, "hasMore">;

function hasMore(found: Found): boolean {
  return sum(found) > 0;
}

function sum(found: Found): number {
  return Object.values(found).reduce((all, each) => all + each, 0);
}

/** Resolves when a quarter of them have: a look at the store after each one would cost as much as the work. */
function someOf(running: readonly Promise<void>[]): Promise<void> {
  let left = Math.ceil(running.length / 4);
  return new Promise((resolve) => {
    for (const each of running) {
      void each.then(() => {
        left -= 1;
        if (left === 0) resolve();
      });
    }
  });
}

/** How the ids of a collection's rows begin: what an alarm is about. */
const prefixes: Readonly<Record<ClaimableCollection, string>> = {
  profiles: idPrefixes.profile,
  inboxes: idPrefixes.inbox,
  endpoints: idPrefixes.endpoint,
};

function forEachCollection<Value>(make: (name: ClaimableCollection) => Value): Record<ClaimableCollection, Value> {
  const values = claimableCollections.map((name) => [name, make(name)] as const);
  return Object.fromEntries(values) as Record<ClaimableCollection, Value>;
}

const nothing: Readonly<Found> = { posts: 0, ...forEachCollection(() => 0) };
