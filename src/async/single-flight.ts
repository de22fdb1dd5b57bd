/**
 * Never runs the same work twice at once: all calls during a run share the next
 * one, so that what a caller gets was begun after its call.
 */
export function singleFlight<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<Result> | null = null;

  function run(): Promise<Result> {
    next = null;
    const running = work();
    last = running.catch(() => undefined);
    return running;
  }

  return () => {
    next ??= last.then(run);
    return next;
  };
}
