import type { Logger } from "../ports/logger.ts";
import type { Scheduler } from "../scheduler/scheduler.ts";

/** A scheduler that is tried again while it does not start. */
export interface Alarms {
  /** Starts it, unless it is started or on the way. Resolves when that is decided; a failure is logged, once. */
  start(): Promise<void>;
  /** Stops it, after a start that is on the way. */
  stop(graceMs: number): Promise<void>;
}

export function createAlarms(
  { scheduler, logger }: { scheduler: Scheduler; logger: Logger },
  onAlarm: (key: string) => Promise<void>,
): Alarms {
  /** One start or stop after the other. */
  let last: Promise<void> = Promise.resolve();
  let isWanted = false;
  let hasFailed = false;

  function onStarted(): void {
    if (hasFailed) logger.info("the scheduler has started after all");
    hasFailed = false;
  }

  function onFailed(error: unknown): void {
    if (hasFailed) return;
    hasFailed = true;
    logger.error(
      "the scheduler does not start; no work is lost: the worker finds due work, up to 30 s late, and " +
        "keeps trying to start the scheduler. Check that its engine is running and reachable",
      { error: String(error) },
    );
  }

  return {
    start() {
      if (isWanted) return last;
      isWanted = true;
      const attempt: Promise<void> = last
        .then(() => scheduler.start(onAlarm))
        .then(onStarted, (error: unknown) => {
          if (last === attempt) isWanted = false;
          onFailed(error);
        });
      last = attempt;
      return attempt;
    },
    stop(graceMs) {
      isWanted = false;
      const stopped = last.then(() => scheduler.stop(graceMs));
      last = stopped.catch(() => undefined);
      return stopped;
    },
  };
}
