import { describe, expect, it } from "vitest";
import type { Scheduler } from "../src/scheduler/scheduler.ts";
import { connectBluesky } from "./support/connect.ts";
import { recordingLogger } from "./support/logger.ts";
import { createTestService } from "./support/service.ts";

/** Like pg-boss and BullMQ: it wakes workers in any process. */
const shared: Scheduler = { start: async () => undefined, wake: () => undefined, stop: async () => undefined };

it.each<[string, Scheduler | undefined, number]>([
  ["warns once where its alarms are its own timers", undefined, 1],
  ["does not warn where its scheduler wakes workers elsewhere", shared, 0],
])("a process that only schedules posts %s", async (_what, scheduler, warnings) => {
  const logger = recordingLogger();
  const service = createTestService({ logger, ...(scheduler === undefined ? {} : { scheduler }) });
  const { id } = await connectBluesky(service);
  const post = { profile_ids: [id], text: "Later", scheduled_at: "2026-12-24T12:00:00Z" };
  for (let count = 0; count < 2; count++) await service.clock.run(() => service.social.posts.create(post));
  const told = logger.lines.filter((line) => line.includes("no worker is running"));
  expect(told).toHaveLength(warnings);
});

describe("a process that only schedules posts, on the store of a worker", () => {
  async function warningsAfter(idleHours: number): Promise<string[]> {
    const worker = createTestService();
    const { clock, storage } = worker;
    await clock.run(() => worker.social.start());
    await clock.advance(90 * 60_000);
    await clock.run(() => worker.social.stop());
    await clock.advance(idleHours * 3_600_000);
    const logger = recordingLogger();
    const service = createTestService({ logger, clock, storage });
    const { id } = await connectBluesky(service);
    const post = { profile_ids: [id], text: "Later", scheduled_at: "2026-12-24T12:00:00Z" };
    await clock.run(() => service.social.posts.create(post));
    return logger.lines.filter((line) => line.includes("no worker is running"));
  }

  it("does not warn while the worker runs, in any process", async () => {
    expect(await warningsAfter(0)).toEqual([]);
  });

  it("warns once the worker has been gone for hours", async () => {
    expect(await warningsAfter(4)).toHaveLength(1);
  });
});
