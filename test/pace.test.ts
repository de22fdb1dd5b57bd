import { expect, it } from "vitest";
import { createPaces } from "../src/pace.ts";
import { manualClock } from "../src/testing/clock.ts";

/** A clock on which work takes the time that a test says. */
function busyClock() {
  const clock = manualClock();
  let busyMs = 0;
  return {
    clock: { ...clock, monotonic: () => clock.monotonic() + busyMs },
    run: clock.run,
    work: (ms: number) => {
      busyMs += ms;
    },
  };
}

it("short work waits for nobody", async () => {
  const { clock, work } = busyClock();
  const pace = createPaces(clock)();
  work(14);
  // Without anybody who moves the clock.
  await pace();
});

it("long work lets others have their turn, between any two stretches", async () => {
  const { clock, run, work } = busyClock();
  const startPace = createPaces(clock);
  const turns: string[] = [];
  const other = async (): Promise<void> => {
    for (let turn = 0; turn < 4; turn++) {
      await clock.sleep(0);
      turns.push("other");
    }
  };
  const long = async (): Promise<void> => {
    const pace = startPace();
    for (let piece = 0; piece < 8; piece++) {
      work(8);
      turns.push("long");
      await pace();
    }
  };
  await run(() => Promise.all([long(), other()]));
  expect(turns.join(" ")).toBe("long long other long long other long long other long long other");
});

it("works side by side never go on in the same turn", async () => {
  const { clock, run, work } = busyClock();
  let turn = 0;
  const worked: number[] = [];
  const sleep: typeof clock.sleep = async (ms) => {
    await clock.sleep(ms);
    turn += 1;
  };
  const startPace = createPaces({ ...clock, sleep });
  const long = async (): Promise<void> => {
    const pace = startPace();
    for (let piece = 0; piece < 3; piece++) {
      work(20);
      worked.push(turn);
      await pace();
    }
  };
  await run(() => Promise.all([long(), long(), long()]));
  const later = worked.slice(3);
  expect(new Set(later).size).toBe(later.length);
});
