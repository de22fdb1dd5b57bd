/** Does nothing when it is called again. */
export function once(work: (what: string) => unknown): (what: string) => void {
  let done = false;
  return (what) => {
    if (done) return;
    done = true;
    work(what);
  };
}

/** Done once in this process, unless it fails. */
export function onceDone(work: () => Promise<void>): () => Promise<void> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    await work();
    isDone = true;
  };
}
