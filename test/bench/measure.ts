/** Two ways to do the same, measured in turns, so that what else the machine does hits both. */

export interface Pair {
  ours(): Promise<void>;
  /** What it is compared with. */
  floor(): Promise<void>;
  /** Calls in one measurement. */
  calls: number;
  /** Calls before the first measurement. */
  warmUp: number;
  /** What is done before each measurement, and not measured: for ours, for the floor. */
  prepare?: readonly [() => Promise<void>, () => Promise<void>];
  /**
   * One call of each at a time, rather than all calls of one and then those of the other: where a disk is now fast, now
   * slow, that hits both alike. @default false
   */
  isInTurns?: boolean;
}

/** Milliseconds that this process has worked, on all its threads. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Milliseconds on the wall. */
const wallMs = (): number => performance.now();

export interface Measured {
  /** Milliseconds for one call, the median of all pairs. */
  oursMs: number;
  floorMs: number;
  /** floor ÷ ours, the median of all pairs: 1 is as fast, 0.5 takes twice as long. */
  ratio: number;
  /** Milliseconds for one call, of each pair. */
  pairs: [oursMs: number, floorMs: number][];
}

export async function measure(pair: Pair, pairs: number, now: () => number = wallMs): Promise<Measured> {
  const { calls, warmUp } = pair;
  const [prepareOurs, prepareFloor] = pair.prepare ?? [];
  const ours = { call: pair.ours, prepare: prepareOurs, now };
  const floor = { call: pair.floor, prepare: prepareFloor, now };
  await repeat(ours, warmUp);
  await repeat(floor, warmUp);
  const measured: [number, number][] = [];
  for (let count = 0; count < pairs; count++) {
    // The one that comes first is another each time.
    const first = count % 2 === 0 ? ours : floor;
    const second = count % 2 === 0 ? floor : ours;
    const [firstMs, secondMs] =
      pair.isInTurns === true
        ? await repeatInTurns(first, second, calls)
        : [await repeat(first, calls), await repeat(second, calls)];
    measured.push(count % 2 === 0 ? [firstMs, secondMs] : [secondMs, firstMs]);
  }
  return {
    oursMs: median(measured.map(([oursMs]) => oursMs)),
    floorMs: median(measured.map(([, floorMs]) => floorMs)),
    ratio: median(measured.map(([oursMs, floorMs]) => floorMs / oursMs)),
    pairs: measured,
  };
}

/** About how long one measurement of something quick takes, milliseconds. */
const measurementMs = 300;

/** Milliseconds for one call, where there is nothing to compare it with: the median of so many measurements. */
export async function timeOf(
  call: () => Promise<unknown>,
  measurements: number,
): Promise<{ ms: number; measured: number[] }> {
  let calls = 0;
  const startedAt = wallMs();
  for (; wallMs() - startedAt < measurementMs; calls++) await call();
  const measured: number[] = [];
  const timed = { call: async () => void (await call()), prepare: undefined, now: wallMs };
  for (let count = 0; count < measurements; count++) measured.push(await repeat(timed, calls));
  return { ms: median(measured), measured };
}

interface Repeated {
  call: () => Promise<void>;
  prepare: (() => Promise<void>) | undefined;
  now: () => number;
}

/** Milliseconds for one of `calls` calls, one after the other. */
async function repeat({ call, prepare, now }: Repeated, calls: number): Promise<number> {
  // Where nothing is prepared, nothing but the calls is measured: some take microseconds.
  if (prepare === undefined) {
    const startedAt = now();
    for (let done = 0; done < calls; done++) await call();
    return (now() - startedAt) / Math.max(1, calls);
  }
  let tookMs = 0;
  for (let done = 0; done < calls; done++) {
    await prepare();
    const startedAt = now();
    await call();
    tookMs += now() - startedAt;
  }
  return tookMs / Math.max(1, calls);
}

async function repeatInTurns(first: Repeated, second: Repeated, calls: number): Promise<[number, number]> {
  let [firstMs, secondMs] = [0, 0];
  for (let done = 0; done < calls; done++) {
    firstMs += await repeat(first, 1);
    secondMs += await repeat(second, 1);
  }
  return [firstMs / calls, secondMs / calls];
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
