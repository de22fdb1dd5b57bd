import { describe, expect, it } from "vitest";
import { withDeadline } from "../../src/async/deadline.ts";
import { manualClock } from "../../src/testing/clock.ts";

const expired = (): Error => new Error("too late");

/** A clock that records which waits were cancelled. */
function watchedClock() {
  const manual = manualClock();
  const signals: (AbortSignal | undefined)[] = [];
  const sleep: typeof manual.sleep = (ms, signal) => {
    signals.push(signal);
    return manual.sleep(ms, signal);
  };
  return { clock: { ...manual, sleep }, manual, signals };
}

describe("work under a deadline", () => {
  it("returns the work's result, and the deadline's timer is gone", async () => {
    const { clock, signals } = watchedClock();
    expect(await withDeadline({ clock, timeoutMs: 1_000, expired }, async () => "done")).toBe("done");
    await expect(
      withDeadline({ clock, timeoutMs: 1_000, expired }, () => Promise.reject(new Error("broken"))),
    ).rejects.toThrow("broken");
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
  });

  it("does not wait for work that ignores its end", async () => {
    const { clock, manual } = watchedClock();
    let given: AbortSignal | undefined;
    const work = withDeadline({ clock, timeoutMs: 1_000, expired }, (signal) => {
      given = signal;
      return new Promise(() => undefined);
    });
    const failed = expect(work).rejects.toThrow("too late");
    await manual.advance(999);
    expect(given?.aborted).toBe(false);
    await manual.advance(1);
    await failed;
    expect(given?.aborted).toBe(true);
  });

  it("ends with the reason of the outer signal, before the work and during it", async () => {
    const { clock, signals } = watchedClock();
    const outer = new AbortController();
    const work = withDeadline({ clock, timeoutMs: 1_000, expired, signal: outer.signal }, () => new Promise(() => {}));
    outer.abort(new Error("called off"));
    await expect(work).rejects.toThrow("called off");
    expect(signals[0]?.aborted).toBe(true);
    const never = withDeadline({ clock, timeoutMs: 1_000, expired, signal: outer.signal }, () => expect.unreachable());
    await expect(never).rejects.toThrow("called off");
  });
});
