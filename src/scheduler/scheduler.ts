/**
 * An alarm clock. It may ring early, late, twice or never: what is due lies in
 * the store, and a sweep finds what no alarm announced. A lost scheduler delays
 * work and never loses it.
 */
export interface Scheduler {
  /** From now on `handler` is called for each alarm. A handler that throws harms no other alarm. */
  start(handler: (key: string) => Promise<void>): Promise<void>;
  /** Asks for a call at a moment, milliseconds since 1970; the past means at once. Callable before `start`. */
  wake(at: number, key: string): void;
  /** No more calls; waits up to `graceMs` for those under way. */
  stop(graceMs: number): Promise<void>;
}
