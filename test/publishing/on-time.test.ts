import { expect, it } from "vitest";
import { connectMastodon } from "../support/connect.ts";
import { createTestService } from "../support/service.ts";

it("starts the posts of a profile on time, though a scheduler keeps the alarm of the first one alone", async () => {
  const service = createTestService();
  const { social, clock, sandbox } = service;
  const { id } = await connectMastodon(service);
  await clock.run(() => social.start());
  await clock.advance(2_000);
  const startedAt = clock.now();
  const aheads = [65_000, 70_300, 70_450, 77_000];
  for (const aheadMs of aheads) {
    const scheduled_at = new Date(startedAt + aheadMs).toISOString();
    await clock.run(() => social.posts.create({ profile_ids: [id], text: `after ${aheadMs}`, scheduled_at }));
  }
  const seen: number[] = [];
  for (const aheadMs of aheads) {
    await clock.advance(startedAt + aheadMs + 100 - clock.now());
    seen.push(sandbox.mastodon.posts().length);
  }
  expect(seen).toEqual([1, 2, 3, 4]);
  await clock.run(() => social.stop());
});
