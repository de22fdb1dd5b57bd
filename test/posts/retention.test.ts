import { expect, it } from "vitest";
import { prunePosts } from "../../src/posts/retention.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { CollectionName } from "../../src/storage/schema.ts";
import type { Operation, Row, Storage } from "../../src/storage/storage.ts";
import { allRows } from "../support/all-rows.ts";
import { connectMastodon } from "../support/connect.ts";
import { dyingAt } from "../support/dying-writes.ts";
import { createTestService, type TestService } from "../support/service.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const retention = { posts_days: 90 };

type Bench = TestService & { profileId: string };

async function open(options: Parameters<typeof createTestService>[0] = { retention }): Promise<Bench> {
  const service = createTestService(options);
  return { ...service, profileId: (await connectMastodon(service)).id };
}

function publish({ social, clock, profileId }: Bench, text: string, more = {}) {
  return clock.run(() => social.posts.create({ profile_ids: [profileId], text, ...more }));
}

/** Passes time, in which a process runs due work now and then. */
async function pass({ social, clock }: Bench, days: number): Promise<void> {
  await clock.advance(days * dayMs);
  await clock.run(async () => void (await social.runDue()));
}

const ofPosts = ["posts", "targets", "intents", "publications", "media_uses"] as const;

async function rowsOfPosts(storage: Storage): Promise<Row[]> {
  const all = await allRows(storage);
  return ofPosts.flatMap((name) => all[name]);
}

const textsOf = async ({ social }: Bench) => (await social.posts.list()).data.map(({ text }) => text).sort();

it("deletes a post with all its records 90 days after its last change, and leaves it on the network", async () => {
  const bench = await open();
  const old = await publish(bench, "Old", { idempotency_key: "the-same-key" });
  await pass(bench, 89);
  expect(await textsOf(bench)).toEqual(["Old"]);
  await pass(bench, 2);
  expect(await rowsOfPosts(bench.storage)).toEqual([]);
  expect(bench.sandbox.mastodon.posts()).toHaveLength(1);
  const again = await publish(bench, "New", { idempotency_key: "the-same-key" });
  expect(again.id).not.toBe(old.id);
  expect(bench.sandbox.mastodon.posts()).toHaveLength(2);
});

it("keeps posts for ever unless it is told otherwise", async () => {
  const bench = await open({});
  await publish(bench, "Old");
  await pass(bench, 4_000);
  expect(await textsOf(bench)).toEqual(["Old"]);
  const all = await allRows(bench.storage);
  expect([all.intents.length, all.publications.length]).toEqual([0, 1]);
});

it("keeps drafts and scheduled posts, and counts from when a scheduled post was published", async () => {
  const bench = await open();
  await publish(bench, "Draft", { draft: true });
  await publish(bench, "Scheduled", { scheduled_at: new Date(bench.clock.now() + 300 * dayMs).toISOString() });
  await publish(bench, "Soon", { scheduled_at: new Date(bench.clock.now() + 80 * dayMs).toISOString() });
  await pass(bench, 80);
  await pass(bench, 20);
  expect(await textsOf(bench)).toEqual(["Draft", "Scheduled", "Soon"]);
  await pass(bench, 80);
  expect(await textsOf(bench)).toEqual(["Draft", "Scheduled"]);
});

it("keeps a post that may be live, and deletes one that certainly is not", async () => {
  const bench = await open();
  const { faults } = bench.sandbox.mastodon;
  faults.add({ kind: "refuse", answer: { status: 422, json: { error: "No" } }, operation: "commit" });
  expect((await publish(bench, "Refused")).status).toBe("failed");
  faults.add({ kind: "drop_after", operation: "commit" });
  faults.add({
    kind: "refuse",
    answer: { status: 403, json: { error: "No" } },
    operation: "GET /api/v1/accounts/:id/statuses",
    times: 1_000,
  });
  await publish(bench, "Lost");
  for (let hours = 0; hours < 80; hours += 1) {
    await bench.clock.advance(hourMs);
    await bench.clock.run(async () => void (await bench.social.runDue()));
  }
  const lost = (await bench.social.posts.list()).data.find(({ text }) => text === "Lost");
  expect(lost?.targets[0]?.error?.code).toBe("timeout");
  await pass(bench, 400);
  expect(await textsOf(bench)).toEqual(["Lost"]);
  expect((await allRows(bench.storage)).intents).toHaveLength(1);
});

/** Another store with the same rows, whose clock stands where the other's does. */
async function copyOf({ storage, clock }: Bench): Promise<Storage> {
  const copy = memoryStorage({ clock });
  const all = Object.entries(await allRows(storage)) as [CollectionName, Row[]][];
  await copy.write(
    all.flatMap(([collection, rows]) => rows.map((row): Operation => ({ kind: "insert", collection, row }))),
  );
  return copy;
}

it("continues where a process died, at any write", async () => {
  const bench = await open();
  for (let posts = 0; posts < 45; posts += 1) await publish(bench, `Post ${posts}`);
  await bench.clock.advance(91 * dayMs);
  for (let at = 0, isOver = false; !isOver; at += 1) {
    const storage = await copyOf(bench);
    const prune = () => prunePosts({ storage, pace: async () => {}, postsKeptMs: 90 * dayMs });
    isOver = await dyingAt(storage, at, prune);
    const { posts, targets, intents, publications } = await allRows(storage);
    expect([targets.length, intents.length, publications.length]).toEqual(Array(3).fill(posts.length));
    await Promise.all([prune(), prune()]);
    expect(await rowsOfPosts(storage)).toEqual([]);
    if (isOver) expect(at).toBe(3);
  }
});

it("leaves a post that is retried at the same moment", async () => {
  const bench = await open();
  const { social, clock, storage, sandbox } = bench;
  sandbox.mastodon.faults.add({ kind: "refuse", answer: { status: 422, json: { error: "No" } }, operation: "commit" });
  const { id } = await publish(bench, "Refused");
  await clock.advance(91 * dayMs);
  const { find } = storage;
  let isRetried = false;
  storage.find = async (collection, query) => {
    const found = await find(collection, query);
    if (collection === "media_uses" && !isRetried) {
      isRetried = true;
      await clock.run(() => social.posts.retry(id));
    }
    return found;
  };
  await prunePosts({ storage, pace: async () => {}, postsKeptMs: 90 * dayMs });
  expect((await social.posts.get(id)).status).toBe("published");
});
