import { expect, it } from "vitest";
import type { Scheduler } from "../src/scheduler/scheduler.ts";
import { connectBluesky } from "./support/connect.ts";
import { recordingLogger } from "./support/logger.ts";
import { createTestService } from "./support/service.ts";

/** As pg-boss and BullMQ: it wakes workers in whichever process they run. */
const shared: Scheduler = { start: async () => undefined, wake: () => undefined, stop: async () => undefined };

it.each<[string, Scheduler | undefined, number]>([
  ["warns once where the alarms are timers of its own", undefined, 1],
  ["does not warn where its scheduler wakes workers elsewhere", shared, 0],
])("a process that only schedules posts %s", async (_what, scheduler, warnings) => {
  const logger = recordingLogger();
  const service = createTestService({ logger, ...(scheduler === undefined ? {} : { scheduler }) });
  const { id } = await connectBluesky(service);
  const post = { profile_ids: [id], text: "Later", scheduled_at: "2026-12-24T12:00:00Z" };
  for (let count = 0; count < 2; count++) await service.clock.run(() => service.social.posts.create(post));
  const told = logger.lines.filter((line) => line.includes("no worker is running in this process"));
  expect(told).toHaveLength(warnings);
});
