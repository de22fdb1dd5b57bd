/**
 * Never runs the same work concurrently. All calls during a run share the next one, so that each caller gets a run
 * that began after its call.
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
