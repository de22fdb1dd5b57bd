import { describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { sceneOf, scenes, withNeeds } from "../networks/scenes.ts";
import { connectDiscord, connectFirst } from "../support/connect.ts";
import { createProcess } from "../support/process.ts";
import { createTestService } from "../support/service.ts";

const dayMs = 86_400_000;
const cases = scenes.flatMap((scene) => [1, -1].map((days) => ({ network: scene.network, scene, days })));

it.each(cases)(
  "a process waits out a rate limit of $network, and no longer, on a machine that is $days day off the store's time",
  async ({ network, scene, days }) => {
    const service = createTestService();
    const { clock, sandbox } = service;
    const profile = await connectFirst(service, scene);
    const { social } = createProcess({ ...service, skewMs: days * dayMs });
    sandbox[network].rateLimit(30);
    await clock.run(async () => {
      await social.posts.create({ profile_ids: [profile.id], text: "Once", networks: withNeeds([network], sandbox) });
      for (let passed = 0; passed < 120; passed += 5) {
        await clock.sleep(5_000);
        await social.runDue();
      }
    });
    expect(sandbox[network].posts()).toHaveLength(1);
    expect((await service.social.posts.list()).data[0]?.status).toBe("published");
  },
);

it("a look still finds a post when the network limits the looks, on a machine that is a day ahead", async () => {
  const service = createTestService();
  const { clock, sandbox } = service;
  const profile = await connectDiscord(service);
  const { social } = createProcess({ ...service, skewMs: dayMs });
  sandbox.discord.faults.add({ kind: "drop_after", operation: "commit" });
  sandbox.discord.faults.add({ kind: "drop_before", operation: "commit", times: 100 });
  await clock.run(async () => {
    await social.posts.create({ profile_ids: [profile.id], text: "Once" });
    for (let passed = 0; passed < 1_200; passed += 5) {
      if (passed === 100) sandbox.discord.rateLimit(60);
      await clock.sleep(5_000);
      await social.runDue();
    }
  });
  const [post] = (await service.social.posts.list()).data;
  expect(post?.targets[0]).toMatchObject({ status: "published", error: null });
});

describe("a machine whose clock, and so its store's, was a day ahead and is set right during a request", () => {
  /** Publishes a post at that time; sweeps every five seconds, for twenty minutes. */
  async function publishAcrossJump(network: "mastodon" | "discord", meanwhile: (sandbox: Sandbox) => void) {
    const world = manualClock();
    let aheadMs = dayMs;
    const clock = { ...world, now: () => world.now() + aheadMs };
    const sandbox = createSandbox({ clock: world });
    const { social } = createProcess({ storage: memoryStorage({ clock }), sandbox, clock });
    const profile = await connectFirst({ social, sandbox, clock: world }, sceneOf(network));
    await world.run(async () => {
      const post = social.posts.create({ profile_ids: [profile.id], thread: ["One", "Two"] });
      meanwhile(sandbox);
      for (let passed = 0; passed < 1_200; passed += 5) {
        if (passed === 10) aheadMs = 0;
        await world.sleep(5_000);
        await social.runDue({ forMs: 1 });
      }
      await post;
    });
    return { texts: sandbox[network].posts().map(({ text }) => text), post: (await social.posts.list()).data[0] };
  }

  it("continues immediately with a thread whose first part was under way", async () => {
    const { texts, post } = await publishAcrossJump("mastodon", ({ mastodon }) =>
      mastodon.faults.add({ kind: "slow", seconds: 20, operation: "commit" }),
    );
    expect(texts).toEqual(["One", "Two"]);
    expect(post?.status).toBe("published");
  });

  it("does not wait a day for the end of a rate limit", async () => {
    const { texts, post } = await publishAcrossJump("mastodon", ({ mastodon }) => {
      mastodon.faults.add({ kind: "slow_to_act", seconds: 20, operation: "commit" });
      mastodon.rateLimit(60);
    });
    expect(texts).toEqual(["One", "Two"]);
    expect(post?.status).toBe("published");
  });
});
