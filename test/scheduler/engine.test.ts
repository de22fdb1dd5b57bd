import { describe, expect, it } from "vitest";
import { createComplain } from "../../src/scheduler/complain.ts";
import { type Alarm, type AlarmEngine, engineScheduler } from "../../src/scheduler/engine.ts";
import type { Scheduler } from "../../src/scheduler/scheduler.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import { recordingLogger } from "../support/logger.ts";

interface Bench {
  scheduler: Scheduler;
  clock: ManualClock;
  lines: string[];
  /** The alarms that the engine received, each with its id and the milliseconds to wait. */
  kept: (Alarm & { id: string; waitMs: number })[];
  /** Delivers an alarm, like the engine. */
  ring(data: unknown): void;
  /** The calls of the engine, in order. */
  calls: string[];
}

function bench(engine: Partial<AlarmEngine> = {}): Bench {
  const clock = manualClock();
  const logger = recordingLogger();
  const kept: Bench["kept"] = [];
  const calls: string[] = [];
  let ring: (data: unknown) => void = () => {};
  const scheduler = engineScheduler(
    {
      name: "the engine",
      async keep(alarm, id) {
        kept.push({ ...alarm, id, waitMs: alarm.at - clock.now() });
      },
      async listen(nextRing) {
        calls.push("listen");
        ring = nextRing;
      },
      async unlisten() {
        calls.push("unlisten");
      },
      ...engine,
    },
    { clock, logger, complain: createComplain({ clock, logger }) },
  );
  return { scheduler, clock, lines: logger.lines, kept, calls, ring: (data) => ring(data) };
}

describe("a wake", () => {
  it("goes to the engine immediately, started or not, rounded up to a tenth of a second", async () => {
    const { scheduler, clock, kept } = bench();
    const now = clock.now();
    scheduler.wake(now + 1_001, "prof_1");
    await clock.advance(0);
    expect(kept).toEqual([{ key: "prof_1", at: now + 1_100, id: `prof_1.${now + 1_100}`, waitMs: 1_100 }]);
  });

  it.each([
    ["in the past", { now: 250, asked: -60_000 }, 50],
    ["for this very moment", { now: 250, asked: 0 }, 50],
    ["for a moment that has just begun to ring", { now: 200, asked: 0 }, 100],
  ])("%s becomes the next tenth of a second: the present one may be ringing", async (_, { now, asked }, waitMs) => {
    const { scheduler, clock, kept } = bench();
    await clock.advance(now);
    scheduler.wake(clock.now() + asked, "prof_1");
    await clock.advance(0);
    expect(kept).toEqual([expect.objectContaining({ at: clock.now() + waitMs, waitMs })]);
  });

  it("is not sent when the key rings earlier anyway, and is sent when it would ring later", async () => {
    const { scheduler, clock, kept } = bench();
    const now = clock.now();
    for (const inMs of [5_000, 5_000, 9_000, 3_000, 4_000]) scheduler.wake(now + inMs, "prof_1");
    scheduler.wake(now + 9_000, "prof_2");
    await clock.advance(0);
    expect(kept.map(({ key, waitMs }) => [key, waitMs])).toEqual([
      ["prof_1", 5_000],
      ["prof_1", 3_000],
      ["prof_2", 9_000],
    ]);
  });

  it("is sent when the moment of an earlier one has passed, which may have rung elsewhere or be lost", async () => {
    const { scheduler, clock, kept } = bench();
    scheduler.wake(clock.now() + 1_000, "prof_1");
    await clock.advance(1_000);
    scheduler.wake(clock.now() + 1_000, "prof_1");
    await clock.advance(0);
    expect(kept).toHaveLength(2);
  });

  it("is sent when an earlier one has rung ahead of its time", async () => {
    const { scheduler, clock, kept, ring } = bench();
    await scheduler.start(async () => {});
    const at = clock.now() + 5_000;
    scheduler.wake(at, "prof_1");
    await clock.advance(4_000);
    ring({ key: "prof_1", at });
    scheduler.wake(at, "prof_1");
    await clock.advance(0);
    expect(kept.map(({ waitMs }) => waitMs)).toEqual([5_000, 1_000]);
  });

  it("is sent when the engine has not accepted an earlier one", async () => {
    let tries = 0;
    const { scheduler, clock } = bench({
      async keep() {
        tries += 1;
        throw new Error("no connection");
      },
    });
    const at = clock.now() + 60_000;
    scheduler.wake(at, "prof_1");
    await clock.advance(0);
    scheduler.wake(at, "prof_1");
    await clock.advance(0);
    expect(tries).toBe(2);
  });

  it("never throws: the engine's errors are logged once a minute, with the fallback", async () => {
    const { scheduler, clock, lines } = bench({
      keep() {
        throw new Error("no connection");
      },
    });
    for (let number = 0; number < 300; number++) scheduler.wake(clock.now(), `prof_${number}`);
    await clock.advance(59_999);
    scheduler.wake(clock.now(), "prof_1");
    await clock.advance(0);
    const line =
      "warn the engine has not accepted an alarm; no work is lost: the worker finds due work, up to 30 s late " +
      '{"error":"Error: no connection"}';
    expect(lines).toEqual([line]);
    await clock.advance(1);
    scheduler.wake(clock.now(), "prof_1");
    await clock.advance(0);
    expect(lines).toEqual([line, line]);
  });

  it("does not wait for others, and is dropped when a thousand are pending at an engine that does not respond", async () => {
    let taken = 0;
    const answers: (() => void)[] = [];
    const { scheduler, clock, lines } = bench({
      keep() {
        taken += 1;
        return new Promise((resolve) => answers.push(resolve));
      },
    });
    for (let number = 0; number < 1_500; number++) scheduler.wake(clock.now(), `prof_${number}`);
    expect(taken).toBe(1_000);
    expect(lines).toEqual([expect.stringContaining("the engine does not respond, and receives no more alarms")]);
    for (const answer of answers) answer();
    await clock.advance(0);
    scheduler.wake(clock.now(), "prof_1499");
    expect(taken).toBe(1_001);
  });
});

describe("an engine", () => {
  it("gets its alarm acknowledged immediately, however long the work takes", async () => {
    const { scheduler, clock, ring } = bench();
    let begun = 0;
    await scheduler.start(async () => {
      begun += 1;
      await clock.sleep(60_000);
    });
    for (const key of ["prof_1", "prof_2", "prof_1"]) expect(ring({ key, at: clock.now() })).toBeUndefined();
    expect(begun).toBe(3);
    await clock.advance(60_000);
  });

  it.each([null, "prof_1", 7, {}, { key: 7, at: 7 }, { key: "prof_1" }])(
    "does not ring for %j in its queue",
    async (data) => {
      const { scheduler, ring } = bench();
      let begun = 0;
      await scheduler.start(async () => void begun++);
      ring(data);
      expect(begun).toBe(0);
    },
  );

  it("gets one listener, though started twice, and loses it once, though stopped twice", async () => {
    const { scheduler, calls } = bench();
    await scheduler.stop(0);
    await scheduler.start(async () => {});
    await scheduler.start(async () => {});
    await scheduler.stop(0);
    await scheduler.stop(0);
    expect(calls).toEqual(["listen", "unlisten"]);
  });

  it("that cannot be reached fails the start, which can be retried", async () => {
    let tries = 0;
    const { scheduler } = bench({
      async listen() {
        tries += 1;
        if (tries === 1) throw new Error("no connection");
      },
    });
    await expect(scheduler.start(async () => {})).rejects.toThrow("no connection");
    await scheduler.start(async () => {});
    expect(tries).toBe(2);
  });
});

describe("stop", () => {
  it("lets alarms delivered meanwhile ring, and none after it", async () => {
    const rung: string[] = [];
    const { scheduler, clock, ring } = bench({ unlisten: () => clock.sleep(1_000) });
    await scheduler.start(async (key) => void rung.push(key));
    const stopped = scheduler.stop(10_000);
    ring({ key: "prof_1", at: clock.now() });
    await clock.advance(1_000);
    await stopped;
    ring({ key: "prof_2", at: clock.now() });
    expect(rung).toEqual(["prof_1"]);
  });

  it("waits for alarms that are pending to the engine", async () => {
    let isKept = false;
    const { scheduler, clock } = bench({
      async keep() {
        await clock.sleep(3_000);
        isKept = true;
      },
    });
    scheduler.wake(clock.now(), "prof_1");
    const beganAt = clock.now();
    await clock.run(() => scheduler.stop(10_000));
    expect(isKept).toBe(true);
    expect(clock.now() - beganAt).toBe(3_000);
  });

  it.each<[string, Partial<AlarmEngine>]>([
    ["never removes its listener", { unlisten: () => new Promise(() => {}) }],
    ["never accepts an alarm", { keep: () => new Promise(() => {}) }],
    ["never starts", { listen: () => new Promise(() => {}) }],
  ])("waits no longer than the grace period for an engine that %s", async (_, engine) => {
    const { scheduler, clock } = bench(engine);
    void scheduler.start(async () => {});
    scheduler.wake(clock.now(), "prof_1");
    const beganAt = clock.now();
    await clock.run(() => scheduler.stop(10_000));
    expect(clock.now() - beganAt).toBe(10_000);
  });

  it("reports that an engine could not be closed cleanly, and ends", async () => {
    const { scheduler, lines } = bench({ unlisten: () => Promise.reject(new Error("no connection")) });
    await scheduler.start(async () => {});
    await scheduler.stop(10_000);
    expect(lines).toEqual([expect.stringContaining("the engine could not be closed cleanly")]);
  });
});
