import { expect } from "vitest";
import { type Clock, systemClock } from "../ports/clock.ts";
import type { Scheduler } from "../scheduler/scheduler.ts";
import { manualClock } from "./clock.ts";

/** A call of the handler. Moments are steps since the test began. */
export interface Ring {
  key: string;
  moment: number;
  /** True: the call may be missing, for engines that cannot withdraw an alarm. */
  mayFollow?: true;
}

export interface SchedulerBench {
  scheduler: Scheduler;
  clock: Clock;
  stepMs: number;
  /** Enough moments for every late alarm to ring. */
  long: number;
  /** A moment as a time, milliseconds since 1970. */
  at(moment: number): number;
  /** Waits until just before a moment. */
  before(moment: number): Promise<void>;
  /** Waits until a moment. */
  on(moment: number): Promise<void>;
  /** Waits until every alarm of a moment must have rung. */
  after(moment: number): Promise<void>;
  /** Runs the work, and returns how long it took, in steps. */
  measure(work: () => Promise<void>): Promise<number>;
  /** Records a call. */
  record(key: string): Promise<void>;
  /** The keys called so far, in order. */
  keys(): string[];
  /** Asserts that these calls have happened, each at its moment, and no others. */
  expectRings(...rings: Ring[]): void;
}

/** How much earlier than its time a timer may fire, milliseconds. */
const timerSlackMs = 5;

/** The differences between a manual clock and the machine's. */
export interface Time {
  clock: Clock;
  isReal: boolean;
  stepMs: number;
  long: number;
  /** How late a punctual alarm may be, milliseconds. */
  lateMs: number;
  /** How long before a moment none of its alarms may have rung, milliseconds. */
  justMs: number;
  goTo(at: number): Promise<void>;
  run(work: () => Promise<void>): Promise<void>;
  /** The moment of a call. */
  toMoment(ms: number): number;
  toSteps(ms: number): number;
}

export function manualTime(): Time {
  const clock = manualClock();
  const stepMs = 1_000;
  return {
    clock,
    isReal: false,
    stepMs,
    long: 60,
    lateMs: 0,
    justMs: 1,
    goTo: (at) => clock.advance(Math.max(0, at - clock.now())),
    run: (work) => clock.run(work),
    toMoment: (ms) => ms / stepMs,
    toSteps: (ms) => ms / stepMs,
  };
}

export function machineTime({ lateMs }: { lateMs: number }): Time {
  const clock = systemClock;
  const stepMs = 2 * lateMs;
  return {
    clock,
    isReal: true,
    stepMs,
    long: 5,
    lateMs,
    justMs: lateMs,
    goTo: (at) => clock.sleep(at - clock.now()),
    run: (work) => work(),
    toMoment(ms) {
      const moment = Math.floor((ms + timerSlackMs) / stepMs);
      return ms - moment * stepMs <= lateMs ? moment : ms / stepMs;
    },
    toSteps: (ms) => Math.round(ms / stepMs),
  };
}

export function createBench(scheduler: Scheduler, time: Time): SchedulerBench {
  const { clock, stepMs, long } = time;
  const startedAt = clock.now();
  const at = (moment: number): number => startedAt + moment * stepMs;
  const rung: Ring[] = [];
  return {
    scheduler,
    clock,
    stepMs,
    long,
    at,
    before: (moment) => time.goTo(at(moment) - time.justMs),
    on: (moment) => time.goTo(at(moment)),
    after: (moment) => time.goTo(at(moment) + time.lateMs),
    async measure(work) {
      const begunAt = clock.now();
      await time.run(work);
      return time.toSteps(clock.now() - begunAt);
    },
    async record(key) {
      rung.push({ key, moment: time.toMoment(clock.now() - startedAt) });
    },
    keys: () => rung.map(({ key }) => key),
    expectRings(...rings) {
      const required = rings.filter(({ mayFollow }) => mayFollow === undefined);
      if (!time.isReal) return expect(rung).toEqual(required);
      const optional = rings.filter(({ mayFollow }) => mayFollow === true);
      const counted = rung.filter((ring) => !optional.some((other) => isSame(ring, other)));
      expect(counted.sort(byMoment)).toEqual(required.sort(byMoment));
    },
  };
}

function isSame(ring: Ring, other: Ring): boolean {
  return ring.key === other.key && ring.moment === other.moment;
}

/** Calls of one moment may come in any order. */
function byMoment(ring: Ring, other: Ring): number {
  return ring.moment - other.moment || ring.key.localeCompare(other.key);
}
