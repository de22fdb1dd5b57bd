import { expect, it } from "vitest";
import type { UntrustedHttp } from "../../src/outbound/guard/guard.ts";
import type { IntentRow } from "../../src/sending/intent.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Operation, Storage } from "../../src/storage/storage.ts";
import { fromRow } from "../../src/storage/typed.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { png } from "../media/samples.ts";
import { connectDiscord, connectMastodon, connectWebhook } from "../support/connect.ts";
import { createProcess } from "../support/process.ts";
import { createTestService, type TestService } from "../support/service.ts";

/** A service whose process freezes for a while, once, right after a write that `freezes` picks. */
function freezingService(options: {
  seconds?: number;
  /** How long the whole machine sleeps before that: its monotonic clock stops as well. */
  asleepSeconds?: number;
  freezes: (operations: readonly Operation[]) => boolean;
}): TestService {
  const { seconds = 0, asleepSeconds = 0 } = options;
  const clock = manualClock();
  const inner = memoryStorage({ clock });
  let frozen = false;
  const storage: Storage = {
    ...inner,
    async write(operations) {
      await inner.write(operations);
      if (frozen || !options.freezes(operations)) return;
      frozen = true;
      clock.jump(asleepSeconds * 1000);
      await clock.sleep(seconds * 1000);
    },
  };
  return createTestService({ storage, clock });
}

function opensIntent(operations: readonly Operation[]): boolean {
  return operations.some(({ kind, collection }) => kind === "insert" && collection === "intents");
}

async function intentsOf({ storage }: TestService): Promise<IntentRow[]> {
  const found = await storage.find("intents", { where: {}, order: { column: "number", direction: "asc" } });
  return found.rows.map((row) => fromRow<IntentRow>(row));
}

it("the service calls a request off when more than five seconds lie between its intent and its first byte, and opens a new one", async () => {
  const service = freezingService({ seconds: 6, freezes: opensIntent });
  const profile = await connectMastodon(service);
  const post = await service.clock.run(() => service.social.posts.create({ profile_ids: [profile.id], text: "Once" }));
  expect(post.status).toBe("published");
  expect((await intentsOf(service)).map(({ state }) => state)).toEqual(["not_sent", "accepted"]);
  expect(service.sandbox.mastodon.posts()).toHaveLength(1);
});

it.each([
  ["for as long", { asleepSeconds: 600 }],
  ["for four seconds, and froze for two", { asleepSeconds: 4, seconds: 2 }],
])(
  "the service calls a request off when the machine slept %s, which its monotonic clock does not show",
  async (_, still) => {
    const service = freezingService({ ...still, freezes: opensIntent });
    const profile = await connectMastodon(service);
    const post = await service.clock.run(() =>
      service.social.posts.create({ profile_ids: [profile.id], text: "Once" }),
    );
    expect(post.status).toBe("published");
    expect((await intentsOf(service)).map(({ state }) => state)).toEqual(["not_sent", "accepted"]);
    expect(service.sandbox.mastodon.posts()).toHaveLength(1);
  },
);

it("the service sends within five seconds under the same intent", async () => {
  const service = freezingService({ seconds: 4, freezes: opensIntent });
  const profile = await connectMastodon(service);
  await service.clock.run(() => service.social.posts.create({ profile_ids: [profile.id], text: "Once" }));
  expect((await intentsOf(service)).map(({ state }) => state)).toEqual(["accepted"]);
});

it("a process believes a response that it read before it froze, though another has settled the target meanwhile", async () => {
  const service = createTestService();
  const profile = await connectWebhook(service);
  const { clock, sandbox, storage, social } = service;
  // Its timers freeze with it; only the response, already read, still has to be handled.
  const stalledHttp: typeof fetch = async (...request) => {
    const response = await sandbox.http(...request);
    await clock.sleep(300_000);
    return response;
  };
  const stalled = createTestService({
    storage,
    clock: { ...clock, sleep: () => new Promise<never>(() => {}) },
    http: stalledHttp,
    untrustedHttp: stalledHttp,
  });
  const settled: string[] = [];
  social.on("post.failed", ({ post }) => settled.push(`failed ${post.targets[0]?.error?.code}`));
  social.on("post.published", () => settled.push("published"));

  await clock.run(async () => {
    void stalled.social.posts.create({ profile_ids: [profile.id], text: "Once" });
    for (let passed = 0; passed < 400; passed += 30) {
      await clock.sleep(30_000);
      await social.runDue();
    }
  });

  expect(settled).toEqual(["failed timeout", "published"]);
  const [post] = (await social.posts.list()).data;
  expect(post?.targets[0]).toMatchObject({ status: "published", error: null });
  expect(post?.targets[0]?.post_ids).toEqual(sandbox.discord.posts().map(({ id }) => id));
  expect(sandbox.discord.posts()).toHaveLength(1);
});

it("a process does not start a scheduled post again that another one published while it was frozen", async () => {
  const service = createTestService();
  const profile = await connectMastodon(service);
  const { clock, sandbox, storage, social } = service;
  const scheduled_at = new Date(clock.now() + 120_000).toISOString();
  const slowReads: Storage = {
    ...storage,
    async find(collection, query) {
      const found = await storage.find(collection, query);
      if (collection === "posts" && found.total > 0) await clock.sleep(60_000);
      return found;
    },
  };
  const stalled = createTestService({
    storage: slowReads,
    clock,
    http: sandbox.http,
    untrustedHttp: sandbox.untrustedHttp,
  });
  await clock.run(async () => {
    await social.posts.create({ profile_ids: [profile.id], text: "Once", scheduled_at });
    await clock.sleep(120_000);
    const late = stalled.social.runDue();
    await social.runDue();
    await late;
  });
  expect(sandbox.mastodon.posts()).toHaveLength(1);
  const [post] = (await social.posts.list()).data;
  expect(post?.targets[0]).toMatchObject({ status: "published", attempts: 1 });
});

it("a lease written by a clock a day ahead is counted from when it is first seen", async () => {
  const service = createTestService();
  const profile = await connectMastodon(service);
  const { clock, sandbox, storage, social } = service;
  await clock.run(async () => {
    const scheduled_at = new Date(clock.now() + 120_000).toISOString();
    await social.posts.create({ profile_ids: [profile.id], text: "Once", scheduled_at });
    // A process whose clock is a day ahead claims the profile and dies.
    const until = clock.now() + 86_400_000;
    const change = { lease_until: until, due_at: until, epoch: 7 };
    await storage.write([{ kind: "update", collection: "profiles", id: profile.id, change, where: {} }]);
    for (let passed = 0; passed < 20 * 60; passed += 30) {
      await clock.sleep(30_000);
      await social.runDue();
    }
  });
  expect(sandbox.mastodon.posts()).toHaveLength(1);
});

it("a look finds a post whose intent a clock a day ahead wrote, long after that clock was set right", async () => {
  const service = createTestService();
  const profile = await connectMastodon(service);
  const { clock, sandbox, storage, social } = service;
  const aheadMs = 86_400_000;
  const ahead = createProcess({ storage, sandbox, clock, skewMs: aheadMs, storeOnMachine: true });
  sandbox.mastodon.faults.add({ kind: "slow", seconds: 20, operation: "commit" });
  await clock.run(async () => {
    void ahead.social.posts.create({ profile_ids: [profile.id], text: "Once" });
    await clock.sleep(10_000);
    ahead.kill();
    await clock.sleep(3_600_000);
    for (let passed = 0; passed < 3_600; passed += 30) {
      await clock.sleep(30_000);
      await social.runDue();
    }
  });
  expect(sandbox.mastodon.posts()).toHaveLength(1);
  // The time of sending is unknown, and an older post may have the same text.
  expect((await social.posts.list()).data[0]?.targets[0]?.error?.code).toBe("timeout");
});

it("a process writes a response again while the store is away, instead of asking the network for it", async () => {
  const clock = manualClock();
  const inner = memoryStorage({ clock });
  let awayUntil = Number.POSITIVE_INFINITY;
  const storage: Storage = {
    ...inner,
    async write(operations) {
      const isAnswer = operations.some((each) => each.kind === "update" && each.collection === "intents");
      if (isAnswer && awayUntil === Number.POSITIVE_INFINITY) awayUntil = clock.monotonic() + 5_000;
      if (isAnswer && clock.monotonic() < awayUntil) throw new Error("the store cannot be reached");
      return inner.write(operations);
    },
  };
  const service = createTestService({ storage, clock });
  const profile = await connectMastodon(service);
  const post = await clock.run(() => service.social.posts.create({ profile_ids: [profile.id], text: "Once" }));
  expect(post.status).toBe("published");
  expect(clock.monotonic()).toBe(5_000);
  expect((await intentsOf(service)).map(({ state }) => state)).toEqual(["accepted"]);
});

it("a request whose file has changed since is not repeated; a look searches for the first one instead", async () => {
  const service = createTestService({ mediaStore: undefined });
  const profile = await connectDiscord(service);
  const { clock, sandbox, social } = service;
  const media = [sandbox.media.put("a.png", png(8, 8), { contentType: "image/png" })];
  const asked: string[] = [];
  sandbox.discord.faults.next = (operation) => {
    asked.push(operation);
    const isFirst = operation === "createMessage" && !asked.slice(0, -1).includes(operation);
    if (isFirst) sandbox.media.put("a.png", png(9, 9), { contentType: "image/png" });
    return isFirst ? { kind: "drop_after" } : undefined;
  };
  await clock.run(async () => {
    await social.posts.create({ profile_ids: [profile.id], text: "Once", media });
    for (let passed = 0; passed < 400; passed += 30) {
      await clock.sleep(30_000);
      await social.runDue();
    }
  });
  expect(asked.filter((operation) => operation === "createMessage")).toHaveLength(1);
  expect((await social.posts.list()).data[0]?.status).toBe("published");
  expect(sandbox.discord.posts()).toHaveLength(1);
});

it("the service calls a request off when connecting takes as long, DNS lookup and handshake included", async () => {
  const { clock, sandbox } = createTestService();
  let isSlow = true;
  /** Works like the guard: connects first, then lets the caller call the request off, then sends the first byte. */
  const untrustedHttp: UntrustedHttp = async (input, init) => {
    if (init?.method === "POST" && String(input).endsWith("/api/v1/statuses")) {
      if (isSlow) await clock.sleep(6_000);
      isSlow = false;
      init.beforeFirstByte?.();
    }
    return sandbox.untrustedHttp(input, init);
  };
  const service = { ...createTestService({ clock, http: sandbox.http, untrustedHttp }), sandbox };
  const profile = await connectMastodon(service);
  const post = await clock.run(() => service.social.posts.create({ profile_ids: [profile.id], text: "Once" }));
  expect(post.status).toBe("published");
  expect((await intentsOf(service)).map(({ state }) => state)).toEqual(["not_sent", "accepted"]);
  expect(sandbox.mastodon.posts()).toHaveLength(1);
});
