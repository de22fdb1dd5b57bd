import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { InboxRow } from "../../src/inbox/rows.ts";
import { bluesky } from "../../src/networks/bluesky/index.ts";
import { mastodon } from "../../src/networks/mastodon/index.ts";
import { fromRow } from "../../src/storage/typed.ts";
import { connectBluesky, connectMastodon } from "../support/connect.ts";
import { createTestService, type TestService } from "../support/service.ts";
import { openBench } from "./facebook-bench.ts";

const minuteMs = 60_000;
const windowMs = 5 * minuteMs;
/** Bluesky accepts this many requests from one IP address in a window. */
const max = 200;
const accounts = 30;

describe("many inboxes that share a network's limit for one IP address", () => {
  let service: TestService;
  let profileIds: string[];
  let dids: string[];
  /** The statuses of the network's responses, by its window. */
  let statuses: Map<number, number[]>;

  beforeEach(async () => {
    statuses = new Map();
    const plain = createTestService();
    const http: typeof fetch = async (input, init) => {
      const answer = await plain.sandbox.http(input, init);
      const window = Math.floor(plain.clock.now() / windowMs);
      statuses.set(window, [...(statuses.get(window) ?? []), answer.status]);
      return answer;
    };
    const { clock, sandbox, storage } = plain;
    const networks = [bluesky({ scopes: ["publish", "inbox"] })];
    service = { ...createTestService({ networks, clock, storage, http, untrustedHttp: http }), sandbox };
    const { social } = service;
    await clock.run(() => social.start());
    [profileIds, dids] = [[], []];
    for (let number = 1; number <= accounts; number++) {
      const { did, handle, password } = sandbox.bluesky.addAccount({ handle: `fox${number}.sandbox.example` });
      const credentials = { identifier: handle, app_password: password };
      const { id } = await clock.run(() => social.profiles.connect({ network: "bluesky", credentials }));
      profileIds.push(id);
      dids.push(did);
    }
    await clock.advance(windowMs);
    // The next window begins.
    await clock.advance(windowMs - (clock.now() % windowMs));
    statuses.clear();
    sandbox.bluesky.limitRequests(max);
  });

  afterEach(() => service.clock.run(() => service.social.stop()));

  it("leave the rest of it to posts, and miss nothing", async () => {
    const { social, clock, sandbox } = service;
    const ann = sandbox.bluesky.addAccount({ handle: "ann.sandbox.example" });
    for (const number of dids.keys())
      sandbox.bluesky.postAs(ann.did, { text: `@fox${number + 1}.sandbox.example hello` });
    await clock.advance(windowMs - minuteMs);
    for (const id of profileIds.slice(0, 10)) {
      const post = await clock.run(() => social.posts.create({ profile_ids: [id], text: "At the end of the window" }));
      expect(post.status).toBe("published");
    }
    await clock.advance(6 * windowMs);
    const all = [...statuses.values()].flat();
    expect(all.filter((status) => status === 429)).toEqual([]);
    expect(Math.max(...[...statuses.values()].map(({ length }) => length))).toBeGreaterThan(max / 2);
    const { pagination } = await social.inbox.conversations.list();
    expect(pagination.total).toBe(accounts);
  });
});

describe("a Page whose app has used most of its calls", () => {
  it("is read again after ten minutes, and can reply meanwhile", async () => {
    const { social, sandbox, clock, ann, page, conversations } = await openBench({ hooks: false });
    sandbox.facebook.messageAs(ann, page, "Are you open?");
    await clock.advance(5 * minuteMs);
    sandbox.facebook.tellUsage(81);
    await clock.advance(5 * minuteMs);
    const [status] = (await social.inbox.status()).data;
    const rests = status?.sources.map(({ next_at }) => Date.parse(next_at) - clock.now()) ?? [];
    expect(Math.min(...rests)).toBeGreaterThan(4 * minuteMs);
    sandbox.facebook.tellUsage(20);
    sandbox.facebook.messageAs(ann, page, "Hello?");
    await clock.advance(4 * minuteMs);
    const [conversation] = await conversations();
    expect(conversation?.unread_count).toBe(1);
    const answer = await clock.run(() => social.inbox.conversations.reply(conversation?.id ?? "", { text: "We are." }));
    expect(answer.text).toBe("We are.");
    await clock.advance(7 * minuteMs);
    expect((await conversations())[0]?.unread_count).toBe(2);
    await clock.run(() => social.stop());
  });
});

describe("a server with unusual rate limit headers", () => {
  it.each<[string, (now: number) => number]>([
    ["fractions of a millisecond", (now) => now + 600_000.123],
    ["an end in a hundred years", (now) => now + 100 * 365 * 86_400_000],
    ["an end that is over immediately", (now) => now + 3_000.5],
  ])("is read all the same, within the hour: %s", async (_, endOf) => {
    const plain = createTestService();
    const http: typeof fetch = async (input, init) => {
      const answer = await plain.sandbox.http(input, init);
      const endsAt = endOf(plain.clock.now());
      const ends = { "ratelimit-": endsAt / 1000, "x-ratelimit-": new Date(endsAt).toISOString() };
      for (const [prefix, end] of Object.entries(ends)) {
        answer.headers.set(`${prefix}limit`, "100");
        answer.headers.set(`${prefix}remaining`, "1");
        answer.headers.set(`${prefix}reset`, String(end));
      }
      return answer;
    };
    const { clock, sandbox } = plain;
    const networks = [bluesky({ scopes: ["publish", "inbox"] }), mastodon({ scopes: ["publish", "inbox"] })];
    const service = { ...createTestService({ networks, clock, http, untrustedHttp: http }), sandbox };
    const { social } = service;
    await clock.run(() => social.start());
    await connectBluesky(service);
    await connectMastodon(service);
    await clock.advance(windowMs);
    const ann = sandbox.bluesky.addAccount({ handle: "ann.sandbox.example" });
    sandbox.bluesky.postAs(ann.did, { text: "@alice.sandbox.example hello" });
    const bob = sandbox.mastodon.addAccount({ username: "bob" });
    sandbox.mastodon.postAs(bob.external_id, { text: "@alice hello" });
    await clock.advance(75 * minuteMs);
    expect((await social.inbox.conversations.list()).pagination.total).toBe(2);
    const inboxes = (await service.storage.find("inboxes", { where: {} })).rows;
    // It becomes the time when the inbox is due, which a database keeps as a whole number.
    const rests = inboxes.map((row) => fromRow<InboxRow>(row).private.rests_until);
    expect(rests.map((until) => Number.isInteger(until))).toEqual([true, true]);
    await clock.run(() => social.stop());
  });
});
