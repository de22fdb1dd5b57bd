/** Work of one key is done one after the other, in the order in which it came; work of other keys beside it. */
export type InTurn = <Value>(key: string, work: () => Promise<Value>) => Promise<Value>;

export function createTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const done = before.then(work);
    const ended = done
      .catch(() => undefined)
      .then(() => {
        if (last.get(key) === ended) last.delete(key);
      });
    last.set(key, ended);
    return done;
  };
}

/** Does all work one after the other, in the order in which it came. What fails ends nothing but itself. */
export function createQueue(): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}
