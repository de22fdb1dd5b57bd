/**
 * An alarm clock. It may ring early, late, twice or never: due work is recorded in the store, and the worker finds
 * what no alarm announced. A failing scheduler delays work, but never loses it.
 */
export interface Scheduler {
  /** Starts calling `handler` for each alarm. A handler that throws does not affect other alarms. */
  start(handler: (key: string) => Promise<void>): Promise<void>;
  /**
   * Requests a call at a time, milliseconds since 1970; a time in the past means immediately. Can be called before
   * `start`.
   */
  wake(at: number, key: string): void;
  /** Stops all calls; waits up to `graceMs` for the running ones. */
  stop(graceMs: number): Promise<void>;
}
