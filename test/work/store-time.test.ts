import { expect, it } from "vitest";
import { memoryStorage } from "../../src/storage/memory.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { onMachineClock, storeMoment, storeTimeFrom } from "../../src/work/store-time.ts";

/** A machine beside a store whose clock is an hour behind. */
async function bench() {
  const clock = manualClock();
  const storeClock = manualClock();
  storeClock.jump(-3_600_000);
  const ports = { clock, storage: memoryStorage({ clock: storeClock }) };
  const moment = await storeMoment(ports);
  return { clock, storeClock, moment, time: storeTimeFrom(moment, ports) };
}

it("the store's time advances by the monotonic clock, in whole milliseconds", async () => {
  const { clock, storeClock, time } = await bench();
  await clock.advance(1_500);
  expect(time.now()).toBe(storeClock.now() + 1_500);
  expect(await time.checkedNow()).toBe(storeClock.now() + 1_500);
});

it("the store's time is read again once the machine's clock has jumped", async () => {
  const { clock, storeClock, time } = await bench();
  const before = time.now();
  clock.jump(86_400_000);
  await storeClock.advance(20);
  expect(time.hasClockJumped()).toBe(true);
  expect([time.now(), await time.checkedNow()]).toEqual([before, before + 20]);
});

it("a moment of the store is converted to the machine's clock", async () => {
  const { clock, storeClock, moment } = await bench();
  expect(onMachineClock(moment, storeClock.now() + 60_000)).toBe(clock.now() + 60_000);
});
