/**
 * The same work, of which never two go on at once: all who call while one goes
 * on share the next, so that what each gets was begun after its call.
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
