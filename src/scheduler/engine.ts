import { type Clock, waitAtMost } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import { createCalls } from "./calls.ts";
import type { Complain } from "./complain.ts";
import type { Scheduler } from "./scheduler.ts";

/** One alarm, as an engine stores it. */
export interface Alarm {
  key: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** What a job engine does with alarms. */
export interface AlarmEngine {
  /** The engine's name: "pg-boss". */
  name: string;
  /**
   * Stores an alarm for any process that is listening at its time. `id` is the same for the same key and time on every
   * machine, and the engine stores one alarm per id. Also called before `listen`, and in processes that never listen.
   */
  keep(alarm: Alarm, id: string): Promise<void>;
  /** Starts calling `ring` with the data of each alarm that is due, and deletes the alarm. */
  listen(ring: (data: unknown) => void): Promise<void>;
  /** Stops what `listen` started, and nothing of the host's. */
  unlisten(): Promise<void>;
}

export interface EnginePorts {
  clock: Clock;
  logger: Logger;
  complain: Complain;
}

/**
 * Alarms are rounded up to a multiple of this, milliseconds: requests of many machines for almost the same time become
 * one alarm.
 */
const grainMs = 100;
/**
 * Maximum number of concurrent alarms that the engine has not accepted yet. An engine that does not respond must not
 * fill the memory.
 */
const maxUnderWay = 1_000;

/** A scheduler whose alarms are in an engine that several machines share. */
export function engineScheduler(engine: AlarmEngine, { clock, logger, complain }: EnginePorts): Scheduler {
  const calls = createCalls(logger);
  const underWay = new Set<Promise<void>>();
  const kept = createKept();
  let listening: Promise<void> | null = null;

  /** Only starts the work: engines repeat or abandon jobs that take long. */
  function ring(data: unknown): void {
    if (!isAlarm(data)) return;
    kept.forget(data.key, data.at);
    calls.ring(data.key);
  }

  async function keep(alarm: Alarm): Promise<void> {
    try {
      await engine.keep(alarm, `${alarm.key}.${alarm.at}`);
    } catch (error) {
      kept.forget(alarm.key, alarm.at);
      complain(`${engine.name} has not accepted an alarm`, error);
    }
  }

  async function unlisten(): Promise<void> {
    const hasBegun = await listening?.then(
      () => true,
      () => false,
    );
    listening = null;
    if (hasBegun !== true) return;
    await engine.unlisten().catch((error: unknown) => complain(`${engine.name} could not be closed cleanly`, error));
  }

  return {
    async start(handler) {
      calls.open(handler);
      listening ??= engine.listen(ring);
      try {
        await listening;
      } catch (error) {
        listening = null;
        throw error;
      }
    },
    wake(asked, key) {
      const now = clock.now();
      // Never the time that has just rung: its alarm may still exist, and the engine would ignore the new one as a
      // duplicate.
      const at = Math.max(Math.ceil(asked / grainMs), Math.floor(now / grainMs) + 1) * grainMs;
      if (kept.covers(key, at, now)) return;
      if (underWay.size >= maxUnderWay) {
        complain(`${engine.name} does not respond, and receives no more alarms`, `${maxUnderWay} are pending`);
        return;
      }
      kept.add(key, at, now);
      const sending = keep({ key, at }).finally(() => underWay.delete(sending));
      underWay.add(sending);
    },
    async stop(graceMs) {
      // Alarms that the engine delivers during this still ring, because the engine has deleted them.
      const ended = Promise.all([unlisten(), ...underWay]).then(() => calls.ended());
      await waitAtMost(clock, graceMs, ended);
      calls.close();
    },
  };
}

function isAlarm(data: unknown): data is Alarm {
  const { key, at } = Object(data) as Partial<Record<keyof Alarm, unknown>>;
  return typeof key === "string" && typeof at === "number";
}

/** The alarms that this process has requested from an engine: the earliest future one of each key. */
function createKept() {
  const moments = new Map<string, number>();
  let pruneFrom = 1_000;

  /** Removes alarms whose time has passed; another machine may have received them. */
  function prune(now: number): void {
    if (moments.size < pruneFrom) return;
    for (const [key, at] of moments) if (at <= now) moments.delete(key);
    pruneFrom = Math.max(1_000, 2 * moments.size);
  }

  return {
    /** True: the key has an alarm at or before `at`. One in the past proves nothing: that alarm may be lost. */
    covers(key: string, at: number, now: number): boolean {
      const known = moments.get(key);
      return known !== undefined && known > now && known <= at;
    },
    add(key: string, at: number, now: number): void {
      prune(now);
      moments.set(key, at);
    },
    forget(key: string, at: number): void {
      if (moments.get(key) === at) moments.delete(key);
    },
  };
}
