import { describe, expect, it } from "vitest";
import { manualClock } from "../../src/testing/clock.ts";
import { createJumpWatch, isWaitVoid, jumpBetween, readClocks, waitsTrustedSince } from "../../src/work/clock-jump.ts";

describe("a jump of the clock", () => {
  it.each([
    ["ahead by more than a correction", 5_001, 5_001],
    ["back by more than a correction", -5_001, -5_001],
    ["ahead by a correction", 5_000, 0],
    ["back by a correction", -5_000, 0],
  ])("is detected when the clock is set %s", async (_, jumpMs, seenMs) => {
    const clock = manualClock();
    const before = readClocks(clock);
    clock.jump(jumpMs);
    await clock.advance(3_600_000);
    expect(jumpBetween(before, readClocks(clock))).toBe(seenMs);
  });

  it("is reported until its handler has succeeded, and then no more", async () => {
    const clock = manualClock();
    const onJumpSince = createJumpWatch(clock);
    const seen: number[] = [];
    let isBroken = true;
    const look = () =>
      onJumpSince(readClocks(clock), async (byMs) => {
        seen.push(byMs);
        if (isBroken) throw new Error("the store is away");
      });
    await look();
    clock.jump(-60_000);
    await expect(look()).rejects.toThrow("the store is away");
    isBroken = false;
    await look();
    await look();
    expect(seen).toEqual([-60_000, -60_000]);
  });

  it("is detected for small corrections, too, once they add up", async () => {
    const clock = manualClock();
    const onJumpSince = createJumpWatch(clock);
    const seen: number[] = [];
    for (const jumpMs of [4_000, 4_000]) {
      clock.jump(jumpMs);
      await onJumpSince(readClocks(clock), async (byMs) => void seen.push(byMs));
    }
    expect(seen).toEqual([8_000]);
  });
});

describe("the start of a wait", () => {
  it.each([
    ["at the last jump", 1_000, false],
    ["before the last jump", 999, true],
    ["a little ahead of now", 15_000, false],
    ["far ahead of now", 15_001, true],
  ])("is checked %s", (_, since, isVoid) => {
    expect(isWaitVoid(since, { now: 10_000, waitsSince: 1_000 })).toBe(isVoid);
  });

  it("is valid from a jump on, or from the time of an earlier lease", () => {
    expect(waitsTrustedSince(5_000, 9_000)).toBe(5_000);
    expect(waitsTrustedSince(5_000, 4_000)).toBe(4_000);
  });
});
