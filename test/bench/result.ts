import type { BenchOptions } from "./arguments.ts";
import { type Measured, measure, type Pair } from "./measure.ts";

/** One number of the table. */
export interface BenchResult {
  name: string;
  ours: string;
  floor: string;
  /** As the goal is put: a ratio, or milliseconds. */
  reached: string;
  goal: string;
  /** True where there is no goal. */
  isMet: boolean;
  /** What was measured, for the JSON. */
  raw: unknown;
}

export type Bench = (options: BenchOptions) => Promise<BenchResult[]>;

/** Measures a pair whose goal is a share of the floor's speed. */
export async function ratioOf(
  name: string,
  pair: Pair,
  { goal, pairs, now }: { goal: number | null; pairs: number; now?: () => number },
): Promise<BenchResult> {
  const measured: Measured = await measure(pair, pairs, now);
  return {
    name,
    ours: time(measured.oursMs),
    floor: time(measured.floorMs),
    reached: `${measured.ratio.toFixed(2)}×`,
    goal: goal === null ? "" : `≥${goal.toFixed(2)}×`,
    isMet: measured.ratio >= (goal ?? 0),
    raw: measured,
  };
}

export function time(ms: number): string {
  return ms < 1 ? `${(ms * 1_000).toFixed(1)} µs` : `${ms.toFixed(1)} ms`;
}
