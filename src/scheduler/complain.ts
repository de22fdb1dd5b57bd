import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";

/**
 * Logs an engine's failures. An outage can fail hundreds of times a second, so an equal message is logged once a
 * minute.
 */
export type Complain = (what: string, error: unknown) => void;

/** Minimum time between two equal messages, milliseconds. */
const everyMs = 60_000;

export function createComplain({ clock, logger }: { clock: Clock; logger: Logger }): Complain {
  const saidAt = new Map<string, number>();
  return (what, error) => {
    const now = clock.monotonic();
    const before = saidAt.get(what);
    if (before !== undefined && now - before < everyMs) return;
    saidAt.set(what, now);
    logger.warn(`${what}; no work is lost: the worker finds due work, up to 30 s late`, { error: String(error) });
  };
}
