import { expect, it } from "vitest";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import type { Scheduler } from "../../src/scheduler/scheduler.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { connectBluesky, connectMastodon } from "../support/connect.ts";
import { createProcess } from "../support/process.ts";

const deaf: Scheduler = { start: async () => {}, wake: () => {}, stop: async () => {} };
const dueInMs = 600_000;

it.each([
  ["an alarm", undefined, 0],
  ["the sweep", deaf, 1_000],
])(
  "250 profiles of one account that hang do not delay another account's post that %s starts",
  async (_, scheduler, late) => {
    const clock = manualClock();
    const sandbox = createSandbox({ clock });
    const service = scheduler === undefined ? {} : { scheduler };
    const { social } = createProcess({ storage: memoryStorage({ clock }), sandbox, clock, service });
    const [flood, other] = [social.forAccount("flood"), social.forAccount("other")];
    const profile_ids: string[] = [];
    for (let number = 0; number < 250; number++) {
      profile_ids.push((await connectMastodon({ social: flood, sandbox, clock }, `user${number}`)).id);
    }
    const { id } = await connectBluesky({ social: other, sandbox, clock });
    const at = (ms: number): string => new Date(clock.now() + ms).toISOString();
    await clock.run(() => flood.posts.create({ profile_ids, text: "Hangs", scheduled_at: at(dueInMs) }));
    const dueAt = clock.now() + dueInMs + 2_000;
    await clock.run(() =>
      other.posts.create({ profile_ids: [id], text: "Goes out", scheduled_at: at(dueInMs + 2_000) }),
    );
    sandbox.mastodon.faults.add({ kind: "hang", times: 1e9 });
    await clock.run(() => social.start());
    await clock.advance(dueInMs + 2_000 + late);
    const [published] = sandbox.bluesky.posts();
    expect(Date.parse(published?.created_at ?? "") - dueAt).toBeLessThanOrEqual(late);
    await clock.run(() => social.stop(0));
  },
);
