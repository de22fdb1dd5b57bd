import { describe, expect, it } from "vitest";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { connectDiscord, connectMastodon } from "../support/connect.ts";
import { createProcess } from "../support/process.ts";

const connects = { mastodon: connectMastodon, discord: connectDiscord };

describe("a machine that is ahead of the network, and starts a process for each sweep", () => {
  it.each(["mastodon", "discord"] as const)(
    "finds a post on %s whose response was lost, though no process has heard from the network before the look",
    async (network) => {
      const clock = manualClock();
      const sandbox = createSandbox({ clock });
      const storage = memoryStorage({ clock });
      const start = () => createProcess({ clock, sandbox, storage, skewMs: 600_000, storeOnMachine: true });
      const sender = start();
      const profile = await connects[network]({ social: sender.social, sandbox, clock });
      sandbox[network].faults.add({ kind: "slow", seconds: 20, operation: "commit" });
      await clock.run(async () => {
        void sender.social.posts.create({ profile_ids: [profile.id], text: "Once" });
        await clock.sleep(10_000);
        sender.kill();
        // A repetition under the same key would come too late.
        await clock.sleep(2 * 3_600_000);
        for (let sweep = 0; sweep < 40; sweep++) {
          await start().social.runDue();
          await clock.sleep(60_000);
        }
      });
      expect(sandbox[network].posts()).toHaveLength(1);
      expect((await start().social.posts.list()).data[0]?.status).toBe("published");
    },
  );
});

describe("a machine whose clock is set ahead, twice, by less than a lease", () => {
  it("does not restart a wait again and again that began before the lease", async () => {
    const clock = manualClock();
    const sandbox = createSandbox({ clock });
    let writes = 0;
    const inner = memoryStorage({ clock });
    const storage: Storage = {
      ...inner,
      async write(operations) {
        writes += 1;
        await inner.write(operations);
        await clock.sleep(20);
      },
    };
    const { social } = createProcess({ clock, sandbox, storage });
    const profile = await connectMastodon({ social, sandbox, clock });
    const post = (text: string) => social.posts.create({ profile_ids: [profile.id], text });
    sandbox.mastodon.faults.add({ kind: "slow", seconds: 3, operation: "commit" });
    sandbox.mastodon.faults.add({ kind: "drop_after", operation: "commit" });
    clock.jump(4_000);
    await clock.run(async () => {
      const first = post("First");
      await clock.sleep(1_000);
      const second = post("Second");
      await clock.sleep(1_500);
      clock.jump(4_000);
      // Another alarm notices that the clock was set.
      await social.runDue({ forMs: 1 });
      writes = 0;
      await Promise.all([first, second]);
      for (let passed = 0; passed < 300; passed += 10) {
        await clock.sleep(10_000);
        await social.runDue();
      }
    });
    expect(sandbox.mastodon.posts().map(({ text }) => text)).toEqual(["First", "Second"]);
    const { data } = await social.posts.list();
    expect(data.map(({ status }) => status)).toEqual(["published", "published"]);
    // Otherwise it writes one every time, until the lease's clock has caught up.
    expect(writes).toBeLessThan(40);
  });
});

describe("a machine whose clock is set back while no process runs", () => {
  it("does not repeat on Discord a request that seems a minute old: the network has forgotten the key", async () => {
    const clock = manualClock();
    const sandbox = createSandbox({ clock });
    const storage = memoryStorage({ clock });
    const start = (skewMs: number) => createProcess({ clock, sandbox, storage, skewMs, storeOnMachine: true });
    const sender = start(0);
    const profile = await connectDiscord({ social: sender.social, sandbox, clock });
    sandbox.discord.faults.add({ kind: "slow", seconds: 10, operation: "commit" });
    await clock.run(async () => {
      void sender.social.posts.create({ profile_ids: [profile.id], text: "Once" });
      await clock.sleep(5_000);
      sender.kill();
      await clock.sleep(5 * 60_000);
      const next = start(-4 * 60_000);
      for (let sweep = 0; sweep < 40; sweep++) {
        await next.social.runDue();
        await clock.sleep(30_000);
      }
    });
    expect(sandbox.discord.posts()).toHaveLength(1);
    expect((await start(0).social.posts.list()).data[0]?.status).toBe("published");
  });
});

describe("a clock that was a day behind and is set right during a retry", () => {
  it("uses up none of the retry time of a network that cannot be reached for some minutes", async () => {
    const clock = manualClock();
    const sandbox = createSandbox({ clock });
    const inner = memoryStorage({ clock });
    let tries = 0;
    let settledAt = 0;
    const storage: Storage = {
      ...inner,
      async write(operations) {
        const isTry = operations.some(({ kind, collection }) => kind === "insert" && collection === "intents");
        if (isTry && ++tries === 4) {
          clock.jump(86_400_000);
          settledAt = clock.monotonic() + 1_000;
        }
        await inner.write(operations);
      },
      // The next holder reads the state that the former one has left.
      async claim(...asked) {
        while (clock.monotonic() < settledAt) await clock.sleep(50);
        return inner.claim(...asked);
      },
      async get(collection, id) {
        while (collection === "profiles" && clock.monotonic() < settledAt) await clock.sleep(50);
        return inner.get(collection, id);
      },
    };
    const { social } = createProcess({ clock, sandbox, storage });
    const profile = await connectMastodon({ social, sandbox, clock });
    sandbox.mastodon.faults.add({ kind: "not_sent", code: "ECONNREFUSED", operation: "commit", times: 5 });
    const post = await clock.run(async () => {
      const created = await social.posts.create({ profile_ids: [profile.id], text: "Once" });
      for (let passed = 0; passed < 30; passed++) {
        await clock.sleep(10_000);
        await social.runDue();
      }
      return social.posts.get(created.id);
    });
    expect(post.targets[0]).toMatchObject({ status: "published", error: null });
    expect(sandbox.mastodon.posts()).toHaveLength(1);
  });
});
