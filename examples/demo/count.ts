/** What became of the parts that were planned for one network. */
export interface Count {
  planned: number;
  /** Parts that the network shows, each counted once. */
  there: number;
  missing: string[];
  /** Parts that the network shows more than once. */
  twice: string[];
  /** What the network shows and nobody planned. */
  unplanned: string[];
  /** Each part replies to the one before it. */
  inOrder: boolean;
}

/** A post, as the network shows it. */
interface Shown {
  id: string;
  text: string;
  reply_to: string | null;
}

/** Compares what was planned with what a network shows, part by part. */
export function countParts(planned: readonly string[], shown: readonly Shown[]): Count {
  const times = (text: string): number => shown.filter((post) => post.text === text).length;
  return {
    planned: planned.length,
    there: planned.filter((text) => times(text) > 0).length,
    missing: planned.filter((text) => times(text) === 0),
    twice: planned.filter((text) => times(text) > 1),
    unplanned: shown.map(({ text }) => text).filter((text) => !planned.includes(text)),
    inOrder: shown.every(
      ({ text, reply_to }, index) => text === planned[index] && reply_to === (shown[index - 1]?.id ?? null),
    ),
  };
}

export function isExact({ missing, twice, unplanned, inOrder }: Count): boolean {
  return missing.length + twice.length + unplanned.length === 0 && inOrder;
}

/** The count in words. */
export function inWords(count: Count): string {
  const { planned, there, missing, twice, unplanned } = count;
  const parts = `${there} of ${planned} ${planned === 1 ? "part is" : "parts are"} there`;
  if (isExact(count)) return `${parts}, ${planned === 1 ? "exactly once" : "each exactly once, in order"}`;
  const order = missing.length + twice.length + unplanned.length === 0 ? ", but the order is wrong" : "";
  return `${parts}, ${missing.length} missing, ${twice.length} there twice, ${unplanned.length} unplanned${order}`;
}
