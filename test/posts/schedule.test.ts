import { beforeEach, expect, it } from "vitest";
import { bluesky as blueskyNetwork } from "../../src/networks/bluesky/index.ts";
import type { RuleInput } from "../../src/networks/contract/spec.ts";
import type { CreatePost } from "../../src/posts/schema.ts";
import type { Profile } from "../../src/profiles/schema.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { png } from "../media/samples.ts";
import { scene } from "../networks/bluesky/scene.ts";
import { connectBluesky, connectMastodon } from "../support/connect.ts";
import { recordingLogger } from "../support/logger.ts";
import { createProcess } from "../support/process.ts";
import { createTestService, type TestService } from "../support/service.ts";

let service: TestService;
let bluesky: Profile;
let mastodon: Profile;

beforeEach(async () => {
  service = createTestService();
  bluesky = await connectBluesky(service);
  mastodon = await connectMastodon(service);
});

function schedule(aheadMs: number, more: Partial<CreatePost> = {}) {
  const { social, clock } = service;
  const scheduled_at = new Date(clock.now() + aheadMs).toISOString();
  return clock.run(() =>
    social.posts.create({ profile_ids: [bluesky.id, mastodon.id], text: "Later", scheduled_at, ...more }),
  );
}

function runDueAfter(ms: number) {
  const { social, clock } = service;
  return clock.run(async () => {
    await clock.sleep(ms);
    return social.runDue();
  });
}

it("a scheduled post waits until its time and then goes out once", async () => {
  const post = await schedule(3_600_000);
  expect(post).toMatchObject({
    status: "scheduled",
    targets: [{ status: "pending", attempts: 0 }, { status: "pending" }],
  });
  await runDueAfter(3_599_000);
  expect(service.sandbox.bluesky.posts()).toEqual([]);
  await runDueAfter(1_000);
  expect((await service.social.posts.get(post.id)).status).toBe("published");
  expect(service.sandbox.bluesky.posts()).toHaveLength(1);
  expect(service.sandbox.bluesky.posts()[0]?.created_at).toBe("2026-11-21T13:00:00.000Z");
  await runDueAfter(60_000);
  expect(service.sandbox.mastodon.posts()).toHaveLength(1);
});

it.each([
  ["in the past", -86_400_000, {}],
  ["less than a minute ahead", 59_000, {}],
  ["an hour ahead, with publish_now", 3_600_000, { publish_now: true }],
])("a time %s means now", async (_, aheadMs, more) => {
  expect((await schedule(aheadMs, more)).status).toBe("published");
});

it.each([
  ["0000-01-01T00:00:00Z", "published", "0000-01-01T00:00:00.000Z"],
  ["2026-11-22T01:59:00+14:00", "published", "2026-11-21T11:59:00.000Z"],
  ["2026-11-21T02:00:00-12:00", "scheduled", "2026-11-21T14:00:00.000Z"],
  ["9999-12-31T23:59:59.999999Z", "scheduled", "9999-12-31T23:59:59.999Z"],
])("a time of %s is read as that exact moment", async (scheduled_at, status, moment) => {
  expect(await schedule(0, { scheduled_at })).toMatchObject({ status, scheduled_at: moment });
});

it("a post starts at its time by the alarm, and by the sweep where the alarm is lost", async () => {
  const { social, clock, sandbox } = service;
  await social.start();
  await schedule(600_000);
  await clock.advance(600_000);
  expect(sandbox.bluesky.posts()).toHaveLength(1);
  await social.stop();

  const deaf = createTestService({
    scheduler: { start: async () => {}, wake: () => {}, stop: async () => {} },
  });
  const profile = await connectBluesky(deaf);
  await deaf.social.start();
  const scheduled_at = new Date(deaf.clock.now() + 600_000).toISOString();
  await deaf.clock.run(() => deaf.social.posts.create({ profile_ids: [profile.id], text: "Later", scheduled_at }));
  await deaf.clock.advance(630_000);
  expect(deaf.sandbox.bluesky.posts()).toHaveLength(1);
  await deaf.social.stop();
});

it("a post goes out once when two processes find it due at the same time", async () => {
  await schedule(3_600_000);
  const { storage, sandbox, clock } = service;
  const others = [createProcess({ storage, sandbox, clock }), createProcess({ storage, sandbox, clock })];
  await clock.run(async () => {
    await clock.sleep(3_600_000);
    await Promise.all([service.social.runDue(), ...others.map(({ social }) => social.runDue())]);
  });
  expect(sandbox.bluesky.posts()).toHaveLength(1);
  expect(sandbox.mastodon.posts()).toHaveLength(1);
});

it("each post starts by one write, though alarms and sweeps of a process find it together", async () => {
  const { sandbox, clock, storage: shared } = service;
  let starts = 0;
  const storage: Storage = {
    ...shared,
    async write(operations) {
      const begins = operations.some(({ kind, collection }) => kind === "update" && collection === "posts");
      if (begins && operations.some((each) => each.kind === "update" && each.change.attempts === 1)) starts += 1;
      return shared.write(operations);
    },
  };
  const texts = Array.from({ length: 45 }, (_, number) => `Post ${number}`);
  for (const text of texts) await schedule(600_000, { profile_ids: [bluesky.id], text });
  const { social } = createProcess({ storage, sandbox, clock });
  await clock.run(async () => {
    await clock.sleep(600_000);
    await Promise.all(Array.from({ length: 5 }, () => social.runDue()));
  });
  expect(starts).toBe(texts.length);
  const shown = sandbox.bluesky.posts().map(({ text }) => text);
  expect(shown.sort()).toEqual(texts.sort());
});

it("the service searches once for all concurrent calls that ask for due posts", async () => {
  const { sandbox, clock, storage: shared } = service;
  let looks = 0;
  const storage: Storage = {
    ...shared,
    async find(collection, query) {
      if (collection === "posts") looks += 1;
      return shared.find(collection, query);
    },
  };
  await schedule(600_000, { profile_ids: [bluesky.id] });
  const { social } = createProcess({ storage, sandbox, clock });
  await clock.run(async () => {
    await clock.sleep(600_000);
    await Promise.all(Array.from({ length: 50 }, () => social.runDue()));
  });
  expect(sandbox.bluesky.posts()).toHaveLength(1);
  expect(looks).toBeLessThan(5);
});

it("a profile that needs attention is accepted, and decided on when the post is due", async () => {
  const { sandbox, social } = service;
  sandbox.mastodon.suspend(mastodon.external_id);
  await service.clock.run(() => social.profiles.check(mastodon.id));
  const post = await schedule(3_600_000);
  expect(post.status).toBe("scheduled");
  await runDueAfter(3_600_000);
  const settled = await social.posts.get(post.id);
  expect(settled.status).toBe("partially_published");
  expect(settled.targets[1]?.error?.code).toBe("reauthentication_required");
});

it("a post whose profile was disconnected meanwhile fails, and the host gets the event", async () => {
  const { social, clock } = service;
  const failed: string[] = [];
  social.on("post.failed", ({ post }) => failed.push(post.id));
  const post = await schedule(3_600_000, { profile_ids: [bluesky.id] });
  await clock.run(() => social.profiles.disconnect(bluesky.id));
  await runDueAfter(3_600_000);
  expect((await social.posts.get(post.id)).targets[0]?.error?.code).toBe("profile_unavailable");
  expect(failed).toEqual([post.id]);
});

it("a post that is found more than a day late is not published", async () => {
  const post = await schedule(3_600_000);
  await runDueAfter(3_600_000 + 26 * 3_600_000);
  const late = await service.social.posts.get(post.id);
  expect(late.status).toBe("failed");
  expect(late.targets[0]?.error).toEqual({
    code: "internal_error",
    message: "Not published: found 26 h late. The service was not running in the meantime.",
  });
  expect(service.sandbox.bluesky.posts()).toEqual([]);
});

it("a backlog goes out a minute apart on each profile, and posts that are not late immediately", async () => {
  const { social, clock, sandbox } = service;
  for (const minutes of [60, 61, 62]) await schedule(minutes * 60_000, { text: `Due after ${minutes} min` });
  const onTime = await schedule(182 * 60_000, { text: "On time" });
  await clock.run(async () => {
    await clock.sleep(180 * 60_000);
    await social.start();
    while ((await social.posts.get(onTime.id)).status !== "published") await clock.sleep(1_000);
    await clock.sleep(60_000);
    await social.stop();
  });
  const { data } = await social.posts.list();
  for (const place of [0, 1]) {
    const publishedAt = data.map(({ text, targets }) => [text, targets[place]?.published_at]);
    expect(Object.fromEntries(publishedAt)).toEqual({
      "Due after 60 min": "2026-11-21T15:00:00.000Z",
      "Due after 61 min": "2026-11-21T15:01:00.000Z",
      "Due after 62 min": "2026-11-21T15:02:00.000Z",
      "On time": "2026-11-21T15:02:00.000Z",
    });
  }
  expect([sandbox.bluesky.posts().length, sandbox.mastodon.posts().length]).toEqual([4, 4]);
});

it("the files of all due posts are read concurrently, so that slow hosts do not add up", async () => {
  const { sandbox, clock, storage } = service;
  const askedAt = new Map<string, number>();
  let isSlow = false;
  const http: typeof fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (isSlow && url.endsWith(".png") && !askedAt.has(url)) {
      askedAt.set(url, clock.now());
      await clock.sleep(5_000);
    }
    return sandbox.http(input, init);
  };
  service = { ...createTestService({ storage, clock, http, untrustedHttp: http }), sandbox };
  const due = Date.parse("2026-11-21T13:00:00.000Z");
  for (const name of ["one.png", "two.png", "three.png"]) {
    const media = [sandbox.media.put(name, png(8, 8), { contentType: "image/png" })];
    await schedule(due - clock.now(), { profile_ids: [bluesky.id], media });
  }
  isSlow = true;
  await runDueAfter(due - clock.now());
  expect([...askedAt.values()]).toEqual([due, due, due]);
  expect(sandbox.bluesky.posts()).toHaveLength(3);
});

it("a scheduled post that no process will ever run causes one warning in the log", async () => {
  const logger = recordingLogger();
  service = createTestService({ logger });
  bluesky = await connectBluesky(service);
  mastodon = await connectMastodon(service);
  await schedule(3_600_000);
  await schedule(3_600_000);
  expect(logger.lines.filter((line) => line.startsWith("warn") && line.includes("start()"))).toHaveLength(1);
});

it("a post whose planning throws ends as failed, and the others start all the same", async () => {
  let broken = false;
  const adapter = blueskyNetwork();
  const rule = {
    code: "internal_error" as const,
    check({ input }: RuleInput) {
      if (broken && input.text === "Poison") throw new Error("a fault in a rule");
      return null;
    },
  };
  const networks = [{ ...adapter, spec: { ...adapter.spec, rules: [...adapter.spec.rules, rule] } }];
  service = createTestService({ networks });
  bluesky = await connectBluesky(service);
  const poison = await schedule(3_600_000, { profile_ids: [bluesky.id], text: "Poison" });
  await schedule(3_600_001, { profile_ids: [bluesky.id], text: "Sound" });
  broken = true;
  await runDueAfter(3_600_001);
  expect(service.sandbox.bluesky.posts().map(({ text }) => text)).toEqual(["Sound"]);
  expect((await service.social.posts.get(poison.id)).targets[0]?.error?.code).toBe("internal_error");
});

it("every waiting post of one profile goes out, however many there are", async () => {
  const { sandbox, clock } = service;
  const count = 60;
  for (let number = 0; number < count; number++) {
    await schedule(3_600_000, { profile_ids: [bluesky.id], text: `Number ${number}` });
  }
  const answer = scene.refusals.limited({ now: clock.now(), endsAt: clock.now() + 3_600_000 + 600_000 });
  sandbox.bluesky.faults.add({ kind: "refuse", answer, operation: "commit", times: 1 });
  await runDueAfter(3_600_000);
  expect(sandbox.bluesky.posts()).toEqual([]);
  await runDueAfter(601_000);
  expect(new Set(sandbox.bluesky.posts().map(({ text }) => text)).size).toBe(count);
  expect(sandbox.bluesky.posts()).toHaveLength(count);
});
