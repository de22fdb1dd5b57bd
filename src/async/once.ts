/** Creates a function that does nothing when called again. */
export function once(work: (what: string) => unknown): (what: string) => void {
  let done = false;
  return (what) => {
    if (done) return;
    done = true;
    work(what);
  };
}

/** Creates a function that does its work once in this process. After a failure, the next call retries. */
export function onceDone(work: () => Promise<void>): () => Promise<void> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    await work();
    isDone = true;
  };
}
