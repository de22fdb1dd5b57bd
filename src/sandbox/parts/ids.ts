/** Ids in order, as text, since they may be more than a JavaScript number holds. They begin one step behind `start`. */
export function createIds(start: bigint, step: bigint): () => string {
  let last = start;
  return () => {
    last += step;
    return String(last);
  };
}
