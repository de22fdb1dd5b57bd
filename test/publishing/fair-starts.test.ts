import { beforeEach, describe, expect, it } from "vitest";
import type { CreatePost } from "../../src/posts/schema.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import type { Scheduler } from "../../src/scheduler/scheduler.ts";
import type { AccountModules, SocialService } from "../../src/service.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import { png } from "../media/samples.ts";
import { connectAll, connectBluesky, connectMastodon } from "../support/connect.ts";
import { createProcess } from "../support/process.ts";

const hourMs = 3_600_000;
const deaf: Scheduler = { start: async () => {}, wake: () => {}, stop: async () => {} };

let clock: ManualClock;
let sandbox: Sandbox;
/** The number of requests for each file, and the maximum of concurrent ones. */
let looks: Map<string, number>;
let maxOpen: number;
/** How long the file host takes, milliseconds. */
let fileTakesMs: number;

beforeEach(() => {
  clock = manualClock();
  sandbox = createSandbox({ clock });
  looks = new Map();
  maxOpen = 0;
  fileTakesMs = 0;
});

function createService(scheduler?: Scheduler): SocialService {
  let open = 0;
  const untrustedHttp: typeof fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!url.endsWith(".png")) return sandbox.untrustedHttp(input, init);
    looks.set(url, (looks.get(url) ?? 0) + 1);
    open += 1;
    maxOpen = Math.max(maxOpen, open);
    if (fileTakesMs > 0) await clock.sleep(fileTakesMs);
    open -= 1;
    return sandbox.untrustedHttp(input, init);
  };
  const service = { untrustedHttp, ...(scheduler === undefined ? {} : { scheduler }) };
  return createProcess({ storage: memoryStorage({ clock }), sandbox, clock, service }).social;
}

function files(count: number, name = "file"): string[] {
  return Array.from({ length: count }, (_, number) => sandbox.media.put(`${name}-${number}.png`, png(8, 8)));
}

function schedule(account: AccountModules, aheadMs: number, body: Omit<CreatePost, "scheduled_at">) {
  const scheduled_at = new Date(clock.now() + aheadMs).toISOString();
  return clock.run(() => account.posts.create({ ...body, scheduled_at }));
}

describe("a slow file host", () => {
  it.each([
    ["an alarm", undefined, 0],
    ["the sweep", deaf, 1_000],
  ])("of one account delays no other account's post that %s starts", async (_, scheduler, maxLateMs) => {
    const social = createService(scheduler);
    const [slow, other] = [social.forAccount("slow"), social.forAccount("other")];
    const slowProfile = await connectMastodon({ social: slow, sandbox, clock }, "slow");
    const otherProfile = await connectBluesky({ social: other, sandbox, clock });
    for (const url of files(200)) {
      await schedule(slow, hourMs, { profile_ids: [slowProfile.id], text: "Slow", media: [url] });
    }
    const text = await schedule(other, hourMs + 2_500, { profile_ids: [otherProfile.id], text: "Quick" });
    fileTakesMs = 9_000;
    const dueAt = clock.now() + hourMs + 2_500;
    await clock.run(() => social.start());
    await clock.advance(hourMs + 2_500 + maxLateMs);
    const { targets } = await other.posts.get(text.id);
    expect(targets).toMatchObject([{ status: "published" }]);
    expect(Date.parse(targets[0]?.published_at ?? "") - dueAt).toBeLessThanOrEqual(maxLateMs);
    await clock.run(() => social.stop(hourMs));
  });

  it("delays no other post of its account or profile", async () => {
    const social = createService();
    const { id } = await connectMastodon({ social, sandbox, clock });
    await schedule(social, hourMs, { profile_ids: [id], text: "Slow", media: files(1) });
    await schedule(social, hourMs, { profile_ids: [id], text: "Quick" });
    fileTakesMs = 9_000;
    await clock.run(() => social.start());
    await clock.advance(hourMs);
    expect(sandbox.mastodon.posts().map(({ text }) => text)).toEqual(["Quick"]);
    // One request inspects the file, and one sends it.
    await clock.advance(18_000);
    expect(sandbox.mastodon.posts().map(({ text }) => text)).toEqual(["Quick", "Slow"]);
    await clock.run(() => social.stop());
  });

  it("of one account's backlog delays no other account's", async () => {
    const social = createService();
    const [slow, other] = [social.forAccount("slow"), social.forAccount("other")];
    const slowProfile = await connectMastodon({ social: slow, sandbox, clock }, "slow");
    const otherProfile = await connectBluesky({ social: other, sandbox, clock });
    for (const url of files(5)) {
      await schedule(slow, hourMs, { profile_ids: [slowProfile.id], text: "Slow", media: [url] });
    }
    await schedule(other, hourMs + 1, { profile_ids: [otherProfile.id], text: "Quick" });
    await clock.advance(3 * hourMs);
    fileTakesMs = 9_000;
    await clock.run(() => social.start());
    await clock.advance(0);
    expect(sandbox.bluesky.posts().map(({ text }) => text)).toEqual(["Quick"]);
    await clock.run(() => social.stop(hourMs));
  });

  it("is awaited by runDue, which then publishes the posts that it has started", async () => {
    const social = createService();
    const { id } = await connectMastodon({ social, sandbox, clock });
    await schedule(social, hourMs, { profile_ids: [id], text: "Slow", media: files(1) });
    await clock.advance(hourMs);
    fileTakesMs = 9_000;
    const report = await clock.run(() => social.runDue());
    expect(report).toMatchObject({ posts: 1, profiles: 1, hasMore: false });
    expect(sandbox.mastodon.posts()).toHaveLength(1);
  });
});

describe("a file", () => {
  it("is inspected once for a post, however many profiles it goes to", async () => {
    const social = createService();
    const profiles = await connectAll({ social, sandbox, clock });
    for (const name of ["bob", "carol", "dave"]) profiles.push(await connectMastodon({ social, sandbox, clock }, name));
    const media = files(3);
    const profile_ids = profiles.map(({ id }) => id);
    await clock.run(() => social.posts.validate({ profile_ids, text: "Pictures", media }));
    expect([...looks.values()]).toEqual([1, 1, 1]);
    await schedule(social, hourMs, { profile_ids, text: "Pictures", media });
    expect([...looks.values()]).toEqual([2, 2, 2]);
    // The sending reads the file by another function.
    sandbox.mastodon.faults.add({ kind: "hang", times: 1e9 });
    sandbox.bluesky.faults.add({ kind: "hang", times: 1e9 });
    sandbox.discord.faults.add({ kind: "hang", times: 1e9 });
    looks.clear();
    fileTakesMs = 1_000;
    await clock.run(() => social.start());
    await clock.advance(hourMs + 999);
    expect([...looks.values()]).toEqual([1, 1, 1]);
    await clock.run(() => social.stop());
  });

  it("that every network's override replaces is never inspected, nor shown as the post's", async () => {
    const social = createService();
    const bluesky = await connectBluesky({ social, sandbox, clock });
    const mastodon = await connectMastodon({ social, sandbox, clock });
    const [own = "", replacing = ""] = files(2);
    const body = {
      profile_ids: [bluesky.id, mastodon.id],
      text: "Pictures",
      media: [own],
      networks: { bluesky: { media: [] }, mastodon: { media: [replacing] } },
    };
    expect((await clock.run(() => social.posts.validate(body))).valid).toBe(true);
    const post = await schedule(social, hourMs, body);
    expect(post.media).toEqual([]);
    await clock.advance(hourMs);
    await clock.run(() => social.runDue());
    expect([...looks.keys()]).toEqual([replacing]);
    expect((await social.posts.get(post.id)).status).toBe("published");
  });

  it("waits for its inspection while its account uses up its share, and delays no other account", async () => {
    const social = createService();
    const [greedy, other] = [social.forAccount("greedy"), social.forAccount("other")];
    const greedyProfile = await connectMastodon({ social: greedy, sandbox, clock }, "greedy");
    const otherProfile = await connectMastodon({ social: other, sandbox, clock }, "other");
    fileTakesMs = 5_000;
    const validations = Array.from({ length: 10 }, (_, number) =>
      greedy.posts.validate({ profile_ids: [greedyProfile.id], text: "Many", media: files(35, `greedy-${number}`) }),
    );
    await clock.advance(100);
    expect(maxOpen).toBe(16);
    const startedAt = clock.now();
    const media = files(1, "other");
    await clock.run(() => other.posts.validate({ profile_ids: [otherProfile.id], text: "One", media }));
    expect(clock.now() - startedAt).toBe(5_000);
    expect(maxOpen).toBe(17);
    await clock.run(() => Promise.all(validations));
    expect(maxOpen).toBe(17);
  });
});
