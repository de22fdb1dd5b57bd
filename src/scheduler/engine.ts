import { type Clock, waitAtMost } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import { createCalls } from "./calls.ts";
import type { Complain } from "./complain.ts";
import type { Scheduler } from "./scheduler.ts";

/** One alarm, as it lies in an engine. */
export interface Alarm {
  key: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** What an engine for jobs does with alarms. */
export interface AlarmEngine {
  /** As in "pg-boss". */
  name: string;
  /**
   * Keeps an alarm for whichever process is listening then. `id` is the same
   * for the same key and moment on every machine: the engine keeps one of them.
   * Called before `listen`, too, and in processes that never listen.
   */
  keep(alarm: Alarm, id: string): Promise<void>;
  /** From now on calls `ring` with the data of each alarm whose moment has come, and forgets that alarm. */
  listen(ring: (data: unknown) => void): Promise<void>;
  /** Ends what `listen` began, and nothing of the host's. */
  unlisten(): Promise<void>;
}

export interface EnginePorts {
  clock: Clock;
  logger: Logger;
  complain: Complain;
}

/** Alarms are rounded up to this, milliseconds: what many machines ask for at almost the same moment is one alarm. */
const grainMs = 100;
/** Alarms on their way at once. An engine that does not answer must not fill the memory. */
const maxUnderWay = 1_000;

/** A scheduler whose alarms lie in an engine that several machines share. */
export function engineScheduler(engine: AlarmEngine, { clock, logger, complain }: EnginePorts): Scheduler {
  const calls = createCalls(logger);
  const underWay = new Set<Promise<void>>();
  const kept = createKept();
  let listening: Promise<void> | null = null;

  /** Only begins the work: an engine repeats or gives up jobs that take long. */
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
      // Never the moment that has just rung: its alarm may still be there, and would be treated as this one.
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
      // Alarms that are handed over meanwhile still ring: the engine has forgotten them.
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

/** What this process has asked an engine for: the earliest alarm of each key that is still to come. */
function createKept() {
  const moments = new Map<string, number>();
  let pruneFrom = 1_000;

  /** Forgets alarms that have rung, perhaps on another machine. */
  function prune(now: number): void {
    if (moments.size < pruneFrom) return;
    for (const [key, at] of moments) if (at <= now) moments.delete(key);
    pruneFrom = Math.max(1_000, 2 * moments.size);
  }

  return {
    /** True when the key rings by `at` anyway. A moment in the past proves nothing: that alarm may be lost. */
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
