import { beforeEach, describe, expect, it } from "vitest";
import type { CreatePost, Post } from "../../src/posts/schema.ts";
import type { Profile } from "../../src/profiles/schema.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { connectBluesky, connectMastodon } from "../support/connect.ts";
import { failureOf } from "../support/failure.ts";
import { overtakenStorage } from "../support/overtake.ts";
import { createProcess } from "../support/process.ts";
import { createTestService, type TestService } from "../support/service.ts";

let service: TestService;
let bluesky: Profile;
let mastodon: Profile;
let events: string[];

const hourMs = 3_600_000;
const refusal = { status: 422, json: { error: "Validation failed: Text is not nice" } };

beforeEach(() => setUp());

async function setUp(options: Parameters<typeof createTestService>[0] = {}): Promise<void> {
  service = createTestService(options);
  bluesky = await connectBluesky(service);
  mastodon = await connectMastodon(service);
  events = [];
  for (const name of ["post.published", "post.partially_published", "post.failed"] as const) {
    service.social.on(name, () => events.push(name));
  }
}

function create(body: Partial<CreatePost> = {}): Promise<Post> {
  const base = { profile_ids: [bluesky.id, mastodon.id], text: "Hello" };
  return service.clock.run(() => service.social.posts.create({ ...base, ...body }));
}

function schedule(): Promise<Post> {
  return create({ scheduled_at: new Date(service.clock.now() + hourMs).toISOString() });
}

function cancel(id: string): Promise<Post> {
  return service.clock.run(() => service.social.posts.cancel(id));
}

function runDueAfter(ms: number) {
  const { social, clock } = service;
  return clock.run(async () => {
    await clock.sleep(ms);
    return social.runDue();
  });
}

function shown(): string[] {
  const { sandbox } = service;
  return [sandbox.bluesky, sandbox.mastodon].flatMap((network) => network.posts().map(({ text }) => text));
}

describe("a post that is cancelled", () => {
  it.each([
    ["a scheduled one", () => schedule()],
    ["a draft", () => create({ draft: true })],
    ["a draft with a time", async () => service.social.posts.update((await schedule()).id, { draft: true })],
  ])("keeps what it says, its targets are skipped: %s", async (_, make) => {
    const before = await make();
    await service.clock.advance(5_000);
    const after = await cancel(before.id);
    expect(after).toEqual({
      ...before,
      status: "cancelled",
      updated_at: new Date(service.clock.now()).toISOString(),
      targets: before.targets.map((target) => ({ ...target, status: "skipped" })),
    });
    expect(await service.social.posts.get(before.id)).toEqual(after);
  });

  it("is never published, told of, or delivered, when its time comes: neither by alarm nor by sweep", async () => {
    const { social, clock, sandbox, storage } = service;
    const endpoint = await clock.run(() => social.webhooks.create({ url: sandbox.receivers.url("host") }));
    const other = createProcess({ storage, sandbox, clock });
    await social.start();
    await other.social.start();
    const post = await schedule();
    await cancel(post.id);
    await clock.advance(2 * hourMs);
    await social.stop();
    await other.social.stop();
    await runDueAfter(24 * hourMs);
    expect(shown()).toEqual([]);
    expect(events).toEqual([]);
    expect((await social.webhooks.deliveries.list(endpoint.id)).data).toEqual([]);
    expect((await social.posts.get(post.id)).status).toBe("cancelled");
  });

  it("leaves the profiles' other posts alone", async () => {
    const post = await schedule();
    const other = await schedule();
    await cancel(post.id);
    await runDueAfter(hourMs);
    expect((await service.social.posts.get(other.id)).status).toBe("published");
    expect(shown()).toHaveLength(2);
  });

  it("stays it: no retry, and no second cancelling", async () => {
    const { id } = await cancel((await schedule()).id);
    const retried = await failureOf(service.clock.run(() => service.social.posts.retry(id)));
    expect(retried).toMatchObject({ code: "conflict", status: 409 });
    const again = await failureOf(cancel(id));
    expect(again).toMatchObject({ code: "conflict", status: 409 });
    expect(again.message).toContain("The post is cancelled;");
  });

  it("is not there for a stranger", async () => {
    const { id } = await schedule();
    const error = await failureOf(service.social.forAccount("acct_42").posts.cancel(id));
    expect(error.code).toBe("not_found");
    expect((await service.social.posts.get(id)).status).toBe("scheduled");
  });
});

describe("what has begun cannot be cancelled", () => {
  it.each<[string, () => Promise<Post>]>([
    ["published", () => create()],
    [
      "partially_published",
      () => {
        service.sandbox.mastodon.faults.add({ kind: "refuse", answer: refusal, operation: "commit" });
        return create();
      },
    ],
    [
      "failed",
      () => {
        service.sandbox.mastodon.faults.add({ kind: "refuse", answer: refusal, operation: "commit" });
        return create({ profile_ids: [mastodon.id] });
      },
    ],
    [
      "publishing",
      async () => {
        await setUp({ publishWaitMs: 1_000 });
        service.sandbox.bluesky.faults.add({ kind: "hang", operation: "commit" });
        return create({ profile_ids: [bluesky.id] });
      },
    ],
  ])("and the refusal names the status: %s", async (status, make) => {
    const post = await make();
    expect(post.status).toBe(status);
    const error = await failureOf(cancel(post.id));
    expect(error).toMatchObject({ code: "conflict", status: 409 });
    expect(error.message).toContain(`The post is ${status};`);
    expect(await service.social.posts.get(post.id)).toMatchObject({ status });
  });
});

describe("of a cancelling and something else at once, one wins", () => {
  async function race() {
    const clock = manualClock();
    const shared = memoryStorage({ clock });
    const { storage, overtake } = overtakenStorage(shared);
    await setUp({ clock, storage });
    return { overtake, other: createProcess({ storage: shared, sandbox: service.sandbox, clock }).social };
  }

  it("the start: the post is published, and the cancelling refused", async () => {
    const { overtake, other } = await race();
    const post = await schedule();
    overtake("cancelled", async () => {
      await service.clock.sleep(hourMs);
      await other.runDue();
    });
    expect(await failureOf(cancel(post.id))).toMatchObject({ code: "conflict", status: 409 });
    expect(await service.social.posts.get(post.id)).toMatchObject({
      status: "published",
      targets: [{ status: "published" }, { status: "published" }],
    });
    expect(shown()).toEqual(["Hello", "Hello"]);
  });

  it("the cancelling: nothing is published, and the start goes on with other posts", async () => {
    const { overtake, other } = await race();
    const post = await schedule();
    await schedule();
    overtake("publishing", () => other.posts.cancel(post.id));
    await runDueAfter(hourMs);
    await runDueAfter(hourMs);
    expect((await service.social.posts.get(post.id)).status).toBe("cancelled");
    expect(shown()).toEqual(["Hello", "Hello"]);
    expect(events).toEqual(["post.published"]);
  });

  it("the cancelling: an update that publishes sends nothing", async () => {
    const { overtake, other } = await race();
    const post = await schedule();
    overtake("publishing", () => other.posts.cancel(post.id));
    const updating = service.clock.run(() => service.social.posts.update(post.id, { publish_now: true }));
    expect((await failureOf(updating)).code).toBe("conflict");
    expect(await service.social.posts.get(post.id)).toMatchObject({
      status: "cancelled",
      targets: [{ status: "skipped" }, { status: "skipped" }],
    });
    expect(shown()).toEqual([]);
  });

  it("the update: its targets stand, and the cancelling is refused", async () => {
    const { overtake, other } = await race();
    const post = await schedule();
    overtake("cancelled", () => other.posts.update(post.id, { profile_ids: [mastodon.id] }));
    expect((await failureOf(cancel(post.id))).code).toBe("conflict");
    await runDueAfter(hourMs);
    expect(service.sandbox.mastodon.posts()).toHaveLength(1);
    expect(service.sandbox.bluesky.posts()).toEqual([]);
  });

  it("the first cancelling: the second is refused", async () => {
    const { overtake, other } = await race();
    const post = await schedule();
    overtake("cancelled", () => other.posts.cancel(post.id));
    expect((await failureOf(cancel(post.id))).code).toBe("conflict");
    expect((await service.social.posts.get(post.id)).status).toBe("cancelled");
  });
});
