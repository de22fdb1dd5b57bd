import { expect, it } from "vitest";
import { timerScheduler } from "../../src/scheduler/timer.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { schedulerContract } from "../../src/testing/scheduler.ts";
import { recordingLogger, silentLogger } from "../support/logger.ts";

schedulerContract({
  name: "timer",
  create: ({ clock }) => ({ scheduler: timerScheduler({ clock, logger: silentLogger }) }),
});

it("the timer logs failed work, with its key and the reason", async () => {
  const clock = manualClock();
  const logger = recordingLogger();
  const scheduler = timerScheduler({ clock, logger });
  await scheduler.start(async () => {
    throw new Error("no network");
  });
  scheduler.wake(clock.now(), "prof_1");
  await clock.advance(0);
  expect(logger.lines).toEqual([expect.stringMatching(/^error .*"key":"prof_1","error":"Error: no network"/)]);
});
