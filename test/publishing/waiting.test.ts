import { beforeEach, describe, expect, it } from "vitest";
import type { Profile } from "../../src/profiles/schema.ts";
import { png } from "../media/samples.ts";
import { connectBluesky, connectDiscord } from "../support/connect.ts";
import { createTestService, type TestService } from "../support/service.ts";

let service: TestService;
let mastodon: Profile;
let token: string;

beforeEach(async () => {
  service = createTestService();
  const { social, sandbox, clock } = service;
  const { instance, access_token } = sandbox.mastodon.addAccount({ username: "alice" });
  token = access_token;
  const credentials = { instance, access_token };
  mastodon = await clock.run(() => social.profiles.connect({ network: "mastodon", credentials }));
});

/** Runs sweeps for this long. */
function sweepFor(seconds: number): Promise<void> {
  const { social, clock } = service;
  return clock.run(async () => {
    for (let passed = 0; passed < seconds; passed += 10) {
      await social.runDue();
      await clock.sleep(10_000);
    }
  });
}

function create(profile: Profile, text: string, more: object = {}) {
  return service.clock.run(() => service.social.posts.create({ profile_ids: [profile.id], text, ...more }));
}

describe("an undecided part", () => {
  it("keeps its profile's commit slot: no other post goes out before it is decided", async () => {
    const { sandbox, social } = service;
    sandbox.mastodon.faults.add({ kind: "accept_late", seconds: 50, operation: "commit" });
    const first = await create(mastodon, "First");
    const second = await create(mastodon, "Second");
    expect(second.targets[0]).toMatchObject({ status: "publishing" });
    expect(sandbox.mastodon.posts().map(({ text }) => text)).toEqual(["First"]);
    await sweepFor(300);
    expect(sandbox.mastodon.posts().map(({ text }) => text)).toEqual(["First", "Second"]);
    expect((await social.posts.get(first.id)).status).toBe("published");
    expect((await social.posts.get(second.id)).status).toBe("published");
  });

  it("does not block other profiles", async () => {
    const bluesky = await connectBluesky(service);
    service.sandbox.mastodon.faults.add({ kind: "hang", operation: "commit" });
    await create(mastodon, "First");
    expect((await create(bluesky, "Second")).status).toBe("published");
  });

  it("is not mistaken for another post with the same text", async () => {
    const { sandbox, social } = service;
    await create(mastodon, "The same words");
    sandbox.mastodon.faults.add({ kind: "drop_before", operation: "commit" });
    const second = await create(mastodon, "The same words");
    await sweepFor(400);
    expect(sandbox.mastodon.posts()).toHaveLength(2);
    const [one, other] = sandbox.mastodon.posts();
    expect((await social.posts.get(second.id)).targets[0]?.post_ids).toEqual([other?.id]);
    expect(one?.id).not.toBe(other?.id);
  });

  it("ends as timeout when several posts look like it and none is on record", async () => {
    const { sandbox, social } = service;
    sandbox.mastodon.faults.add({ kind: "drop_after", operation: "commit" });
    const post = await create(mastodon, "Twins");
    await postByHand("Twins");
    await sweepFor(300);
    const settled = await social.posts.get(post.id);
    expect(settled.targets[0]).toMatchObject({ status: "failed", post_ids: [], error: { code: "timeout" } });
    expect(settled.targets[0]?.error?.message).toContain("cannot be told apart");
  });

  /** Posts from another program with the same account. */
  async function postByHand(status: string): Promise<void> {
    const response = await service.sandbox.http("https://mastodon.sandbox.example/api/v1/statuses", {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ status, visibility: "public" }),
    });
    expect(response.status).toBe(200);
  }
});

describe("a rate limit", () => {
  it("is waited out, and the profile's other posts wait as well", async () => {
    const { sandbox, social } = service;
    sandbox.mastodon.rateLimit(600);
    let asked = 0;
    sandbox.mastodon.faults.next = (_, isCommit) => {
      asked += isCommit ? 1 : 0;
      return undefined;
    };
    const first = await create(mastodon, "First");
    expect(first.targets[0]).toMatchObject({ status: "publishing", post_ids: [] });
    const second = await create(mastodon, "Second");
    await sweepFor(530);
    expect(sandbox.mastodon.posts()).toEqual([]);
    expect(asked).toBe(1);
    await sweepFor(60);
    expect(sandbox.mastodon.posts()).toHaveLength(2);
    expect((await social.posts.get(first.id)).status).toBe("published");
    expect((await social.posts.get(second.id)).status).toBe("published");
  });

  it("of a second on discord is waited out within the request", async () => {
    const discord = await connectDiscord(service);
    service.sandbox.discord.rateLimit(2);
    expect((await create(discord, "Soon")).status).toBe("published");
  });
});

describe("the retry time", () => {
  const unreachable = { kind: "not_sent", code: "ECONNREFUSED", operation: "commit" } as const;

  it("ends when a network cannot be reached for half an hour", async () => {
    const { sandbox, social } = service;
    sandbox.mastodon.faults.next = () => unreachable;
    const post = await create(mastodon, "In vain");
    await sweepFor(1_900);
    const [target] = (await social.posts.get(post.id)).targets;
    expect(target).toMatchObject({ status: "failed", error: { code: "network_error" } });
    expect(target?.error?.message).toMatch(/^Given up after 3\d minutes\./);
  });

  it("does not end while no process runs", async () => {
    const { sandbox, social, clock } = service;
    for (let times = 0; times < 6; times++) sandbox.mastodon.faults.add(unreachable);
    const post = await create(mastodon, "After the weekend");
    await clock.advance(48 * 3_600_000);
    await sweepFor(600);
    expect((await social.posts.get(post.id)).status).toBe("published");
  });
});

describe("a file that the network is still processing", () => {
  it("is waited for, and uploaded once", async () => {
    const { sandbox, clock } = service;
    sandbox.mastodon.processMediaFor(8);
    const gif = new Uint8Array([71, 73, 70, 56, 57, 97, 8, 0, 8, 0, 0, 0, 0, 59]);
    const post = await create(mastodon, "Moving", { media: [sandbox.media.put("a.gif", gif)] });
    expect(post.status).toBe("published");
    expect(sandbox.mastodon.posts()).toMatchObject([{ media: 1 }]);
    expect(clock.monotonic()).toBeGreaterThanOrEqual(8_000);
  });

  it("is uploaded again when the network lost it", async () => {
    const bluesky = await connectBluesky(service);
    service.sandbox.bluesky.faults.add({
      kind: "refuse",
      operation: "commit",
      answer: { status: 400, json: { error: "BlobNotFound", message: "Could not find blob" } },
    });
    const post = await create(bluesky, "Look", { media: [service.sandbox.media.put("a.png", png(8, 8))] });
    expect(post.status).toBe("published");
  });

  it("fails as media_error when the network refuses it", async () => {
    const { sandbox } = service;
    const url = sandbox.media.put("a.png", png(8, 8));
    sandbox.mastodon.faults.add({
      kind: "refuse",
      operation: "POST /api/v2/media",
      answer: { status: 422, json: { error: "Validation failed: File content type is invalid, File is invalid" } },
    });
    const post = await create(mastodon, "Look", { media: [url] });
    expect(post.targets[0]?.error?.code).toBe("media_error");
  });
});

describe("a refusal as a duplicate", () => {
  it("of an earlier request is evidence: the post may be live, and no error claims that it is not", async () => {
    const { sandbox, social } = service;
    sandbox.mastodon.lagReads(36_000);
    sandbox.mastodon.ignoreIdempotencyKeys();
    sandbox.mastodon.faults.add({ kind: "drop_after", operation: "commit" });
    // Its image is attached to the first post, so the server refuses it for a second one.
    const post = await create(mastodon, "Look", { media: [sandbox.media.put("a.png", png(8, 8))] });
    await sweepFor(1_800);
    const settled = await social.posts.get(post.id);
    expect(settled.targets[0]).toMatchObject({ status: "failed", error: { code: "timeout" } });
    expect(settled.targets[0]?.error?.message).toContain("may be live");
    expect(sandbox.mastodon.posts()).toHaveLength(1);
  });
});

describe("a clock that jumps", () => {
  it.each([
    ["a day ahead", 86_400_000, "published"],
    // The time of sending is no longer known: an older post may have the same text.
    ["a day back", -86_400_000, "failed"],
  ])("%s: the wait for a lost response starts again, and no post goes out twice", async (_, jumpMs, status) => {
    const { sandbox, clock, social } = service;
    sandbox.mastodon.faults.add({ kind: "accept_late", seconds: 55, operation: "commit" });
    const post = await create(mastodon, "Once");
    clock.jump(jumpMs);
    await sweepFor(1_200);
    expect(sandbox.mastodon.posts()).toHaveLength(1);
    expect((await social.posts.get(post.id)).status).toBe(status);
  });
});
