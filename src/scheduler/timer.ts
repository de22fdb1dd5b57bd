import { type Clock, systemClock } from "../clock.ts";
import { type Logger, quietLogger } from "../logger.ts";
import type { Scheduler } from "./scheduler.ts";

export interface TimerOptions {
  /** @default the machine's clock */
  clock?: Clock;
  logger?: Logger;
}

/** Alarms in this process: the default. They are gone with it; the sweep makes up for that. */
export function timerScheduler({ clock = systemClock, logger = quietLogger }: TimerOptions = {}): Scheduler {
  /** The earliest alarm of each key. */
  const alarms = new Map<string, { at: number; cancel: AbortController }>();
  const running = new Set<Promise<void>>();
  let handler: ((key: string) => Promise<void>) | null = null;

  function ring(key: string): void {
    if (handler === null) return;
    const call = handler(key)
      .catch((error: unknown) =>
        logger.error("an alarm's work failed; the sweep repeats it", { key, error: String(error) }),
      )
      .finally(() => running.delete(call));
    running.add(call);
  }

  function arm(at: number, key: string): void {
    const cancel = new AbortController();
    alarms.set(key, { at, cancel });
    clock.sleep(at - clock.now(), cancel.signal).then(
      () => {
        alarms.delete(key);
        ring(key);
      },
      () => undefined,
    );
  }

  return {
    async start(nextHandler) {
      handler = nextHandler;
      for (const [key, { at }] of [...alarms]) arm(at, key);
    },
    wake(at, key) {
      const known = alarms.get(key);
      if (known !== undefined && known.at <= at) return;
      known?.cancel.abort();
      if (handler === null) alarms.set(key, { at, cancel: new AbortController() });
      else arm(at, key);
    },
    async stop(graceMs) {
      handler = null;
      for (const { cancel } of alarms.values()) cancel.abort();
      alarms.clear();
      if (running.size === 0) return;
      const done = new AbortController();
      const grace = clock.sleep(graceMs, done.signal).catch(() => undefined);
      await Promise.race([Promise.allSettled(running), grace]);
      done.abort();
    },
  };
}
