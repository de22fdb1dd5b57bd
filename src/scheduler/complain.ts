import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";

/** Logs what an engine fails to do. An outage fails hundreds of times a second: the same message comes once a minute. */
export type Complain = (what: string, error: unknown) => void;

/** Between two equal messages, milliseconds. */
const everyMs = 60_000;

export function createComplain({ clock, logger }: { clock: Clock; logger: Logger }): Complain {
  const saidAt = new Map<string, number>();
  return (what, error) => {
    const now = clock.monotonic();
    const before = saidAt.get(what);
    if (before !== undefined && now - before < everyMs) return;
    saidAt.set(what, now);
    logger.warn(`${what}; no work is lost: the sweep finds due work, up to 30 s late`, { error: String(error) });
  };
}
