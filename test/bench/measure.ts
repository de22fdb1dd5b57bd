/** Two ways to do the same, measured in turns, so that what else the machine does hits both. */

export interface Pair {
  ours(): Promise<void>;
  /** What it is compared with. */
  floor(): Promise<void>;
  /** Calls in one measurement. */
  calls: number;
  /** Calls before the first measurement. */
  warmUp: number;
}

export interface Measured {
  /** Milliseconds for one call, the median of all pairs. */
  oursMs: number;
  floorMs: number;
  /** floor ÷ ours, the median of all pairs: 1 is as fast, 0.5 takes twice as long. */
  ratio: number;
  /** Milliseconds for one call, of each pair. */
  pairs: [oursMs: number, floorMs: number][];
}

export async function measure({ ours, floor, calls, warmUp }: Pair, pairs: number): Promise<Measured> {
  await repeat(ours, warmUp);
  await repeat(floor, warmUp);
  const measured: [number, number][] = [];
  for (let pair = 0; pair < pairs; pair++) {
    // The one that comes first is another each time.
    const first = pair % 2 === 0 ? ours : floor;
    const second = pair % 2 === 0 ? floor : ours;
    const firstMs = await repeat(first, calls);
    const secondMs = await repeat(second, calls);
    measured.push(pair % 2 === 0 ? [firstMs, secondMs] : [secondMs, firstMs]);
  }
  return {
    oursMs: median(measured.map(([oursMs]) => oursMs)),
    floorMs: median(measured.map(([, floorMs]) => floorMs)),
    ratio: median(measured.map(([oursMs, floorMs]) => floorMs / oursMs)),
    pairs: measured,
  };
}

/** Milliseconds for one of `calls` calls, one after the other. */
async function repeat(call: () => Promise<void>, calls: number): Promise<number> {
  const startedAt = performance.now();
  for (let done = 0; done < calls; done++) await call();
  return (performance.now() - startedAt) / Math.max(1, calls);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
