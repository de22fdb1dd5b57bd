import * as z from "zod";
import { type Clock, systemClock, waitAtMost } from "../ports/clock.ts";
import { type Logger, quietLogger } from "../ports/logger.ts";
import { checkOptions, clockOption, loggerOption, type OptionSchemas } from "../ports/parse-options.ts";
import { createCalls } from "./calls.ts";
import type { Scheduler } from "./scheduler.ts";

/** Options of `timerScheduler`. */
export interface TimerOptions {
  /** The clock of the timers. @default the machine's clock */
  clock?: Clock | undefined;
  /** Receives failures. @default warnings and errors to the console */
  logger?: Logger | undefined;
}

const optionsSchema = z.strictObject({
  clock: clockOption.optional(),
  logger: loggerOption.optional(),
} satisfies OptionSchemas<TimerOptions>);

/** Alarms in this process, the default. They are lost when it exits; the worker finds due work without them. */
export function timerScheduler(options: TimerOptions = {}): Scheduler {
  checkOptions("timerScheduler", optionsSchema, options);
  const { clock = systemClock, logger = quietLogger } = options;
  /** The earliest alarm of each key. */
  const alarms = new Map<string, { at: number; cancel: AbortController }>();
  const calls = createCalls(logger);
  let isStarted = false;

  function arm(at: number, key: string): void {
    const cancel = new AbortController();
    alarms.set(key, { at, cancel });
    clock.sleep(at - clock.now(), cancel.signal).then(
      () => {
        alarms.delete(key);
        calls.ring(key);
      },
      () => undefined,
    );
  }

  return {
    async start(handler) {
      calls.open(handler);
      isStarted = true;
      for (const [key, { at }] of [...alarms]) arm(at, key);
    },
    wake(at, key) {
      const known = alarms.get(key);
      if (known !== undefined && known.at <= at) return;
      known?.cancel.abort();
      if (isStarted) arm(at, key);
      else alarms.set(key, { at, cancel: new AbortController() });
    },
    async stop(graceMs) {
      calls.close();
      isStarted = false;
      for (const { cancel } of alarms.values()) cancel.abort();
      alarms.clear();
      await waitAtMost(clock, graceMs, calls.ended());
    },
  };
}
