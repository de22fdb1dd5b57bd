/** Ascending ids, as text, because they may exceed JavaScript's safe integers. The first is `start` plus one step. */
export function createIds(start: bigint, step: bigint): () => string {
  let last = start;
  return () => {
    last += step;
    return String(last);
  };
}
