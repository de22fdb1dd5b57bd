import { expect, it } from "vitest";
import { memoryStorage } from "../../src/storage/memory.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { withNeeds } from "../networks/scenes.ts";
import { crashNetworks } from "../support/crash-networks.ts";
import { createTestService } from "../support/service.ts";
import { watchTimes } from "../support/whole-times.ts";

const minuteMs = 60_000;

const asked = crashNetworks.filter(({ canBeAsked }) => canBeAsked);

it.each(asked)(
  "looks that $name refuses for hours come at whole milliseconds, and then find the post",
  async (network) => {
    const clock = manualClock();
    const errors: string[] = [];
    const logger = { debug() {}, info() {}, warn() {}, error: (message: string) => void errors.push(message) };
    const watched = watchTimes(memoryStorage({ clock }));
    const { social, sandbox } = createTestService({ clock, logger, storage: watched.storage, publishWaitMs: 1_000 });
    const { id: profileId } = await clock.run(() => social.profiles.connect(network.connect(sandbox)));
    const { scene } = network;
    const [look] = scene.operations.look;
    const faults = network.faults(sandbox);
    const answer = scene.refusals.answer({ status: 403, words: "Not now" });
    faults.add({ kind: "drop_after", operation: "commit", times: scene.requestsBeforeLook ?? 1 });
    faults.add({ kind: "refuse", operation: look, answer, times: 1_000 });
    const networks = withNeeds([scene.network], sandbox);
    const post = await clock.run(() => social.posts.create({ profile_ids: [profileId], text: "Once.", networks }));
    // No alarm is exact: each comes some milliseconds late.
    for (let late = 1; late <= 40; late++) {
      await clock.advance(5 * minuteMs + late);
      await clock.run(() => social.runDue());
    }
    faults.clear();
    await clock.advance(60 * minuteMs);
    for (let times = 0; times < 3; times++) {
      await clock.run(() => social.runDue());
      await clock.advance(60 * minuteMs);
    }
    expect([errors, watched.found]).toEqual([[], []]);
    const { targets } = await social.posts.get(post.id);
    expect(targets.map(({ status }) => status)).toEqual(["published"]);
    expect(network.posts(sandbox)).toHaveLength(1);
  },
);
