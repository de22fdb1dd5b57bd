import { describe, expect, it } from "vitest";
import type { Inbox } from "../../src/networks/contract/inbox.ts";
import { accessOf, accessOfNetwork } from "../../src/networks/runtime/inbox-access.ts";
import { tiktok } from "../../src/networks/tiktok/index.ts";
import { x } from "../../src/networks/x/index.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Operation, Storage } from "../../src/storage/storage.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { inboxNetworks, listedNetworks } from "../support/inbox-networks.ts";
import { somebody } from "../support/profile-facts.ts";
import { inboxBench } from "./bench.ts";

const [bluesky, mastodon, facebook, twitch] = inboxNetworks.map(({ adapter }) => adapter());
const replies = { may: "reply", why: null };

describe("the inbox of a profile", () => {
  const everyScope = {
    bluesky: ["transition:chat.bsky"],
    mastodon: ["read", "write"],
    facebook: ["pages_messaging", "pages_read_user_content", "pages_manage_engagement"],
    twitch: ["user:manage:whispers"],
  };

  it.each(inboxNetworks)("on $network supports what the network supports, with all permissions", (network) => {
    const adapter = network.adapter();
    const scopes = everyScope[network.network];
    expect(accessOf(adapter, { ...somebody, scopes })).toEqual(accessOfNetwork(adapter));
  });

  it.each([
    ["bluesky", bluesky, ["com.atproto.appPass"], { dm: "none" }, /app password that allows access to direct messages/],
    ["mastodon", mastodon, ["read:statuses", "write"], { dm: "none", comment: "none", mention: "none" }, /read:notif/],
    ["mastodon", mastodon, ["read"], { dm: "read", comment: "read", mention: "read" }, /lacks write:statuses/],
    ["facebook", facebook, ["pages_read_user_content", "pages_manage_engagement"], { dm: "none" }, /pages_messaging/],
    ["facebook", facebook, ["pages_messaging", "pages_read_user_content"], { comment: "read" }, /pages_manage_eng/],
    ["facebook", facebook, ["pages_messaging"], { comment: "none", mention: "none" }, /pages_read_user_content/],
    ["twitch", twitch, ["user:read:chat"], { dm: "none" }, /lacks user:manage:whispers: reconnect it/],
  ] as const)("on %s supports less without a permission, and names it", (_, adapter, scopes, less, why) => {
    if (adapter === undefined) throw new Error("the network is gone");
    const access = accessOf(adapter, { ...somebody, scopes });
    const expected = Object.fromEntries(
      Object.entries(less).map(([kind, may]) => [kind, { may, why: expect.stringMatching(why) }]),
    );
    expect(access).toEqual({ ...accessOfNetwork(adapter), ...expected });
  });

  it.each([
    ["mastodon", mastodon],
    ["facebook", facebook],
  ])("on %s is not limited by permissions that the network does not report", (_, adapter) => {
    if (adapter === undefined) throw new Error("the network is gone");
    expect(accessOf(adapter, somebody)).toEqual(accessOfNetwork(adapter));
  });

  it("shows mentions on Facebook as read-only, with the reason", () => {
    if (facebook === undefined) throw new Error("the network is gone");
    const mention = { may: "read", why: expect.stringContaining("posts of others") };
    expect(accessOfNetwork(facebook)).toEqual({ dm: replies, comment: replies, mention });
  });

  it("is none on a network that the service does not have, whose adapter reads no inbox, or that has none", () => {
    const none = (why: string) => ({ may: "none", why });
    const gone = none("The network is not in this service's networks.");
    expect(accessOf(undefined, somebody)).toEqual({ dm: gone, comment: gone, mention: gone });
    const app = { client_id: "client", client_secret: "secret-of-client" };
    expect(accessOf(x({ app }), somebody).dm).toEqual(none("The service does not read such messages on X."));
    const unread = listedNetworks[0]?.adapter();
    if (unread === undefined) throw new Error("the network is gone");
    const { inbox: _, ...without } = unread;
    expect(accessOf(without, somebody).dm.may).toBe("none");
    const apart = { client_key: "key", client_secret: "secret-of-client" };
    expect(accessOf(tiktok({ app: apart }), somebody).comment.why).toContain("TikTok's API has no messages");
  });

  it("does not promise replies that the adapter cannot send", () => {
    if (bluesky?.inbox === undefined) throw new Error("the network is gone");
    const { reply: _, ...inbox } = bluesky.inbox;
    const access = accessOf({ ...bluesky, inbox }, { ...somebody, scopes: everyScope.bluesky });
    const why = "The service does not send replies to such messages on Bluesky.";
    expect(access.mention).toEqual({ may: "read", why });
  });
});

describe.each(listedNetworks)("a profile on $network", (network) => {
  const refusal = "This profile may only read here.";

  /** A bench whose adapter says what `access` says at the moment. */
  async function openBench() {
    let access: Inbox["access"] | undefined;
    const adapter = network.adapter();
    const inbox = { ...adapter.inbox, access: (profile) => (access ?? adapter.inbox?.access)?.(profile) } as Inbox;
    const clock = manualClock();
    const stored = memoryStorage({ clock });
    let onReply = (): void => undefined;
    const storage: Storage = {
      ...stored,
      migrate: () => stored.migrate(),
      async write(operations) {
        await stored.write(operations);
        const isReply = (each: Operation) => each.kind === "insert" && each.row.direction === "outbound";
        if (operations.some(isReply)) onReply();
      },
    };
    const bench = await inboxBench(network, { clock, storage, networks: [{ ...adapter, inbox }] });
    const limit = (): void => {
      access = () => ({ dm: "none", comment: { may: "read", why: refusal }, mention: { may: "read", why: refusal } });
    };
    const limitOnReply = (): void => {
      onReply = limit;
    };
    return { ...bench, storage, limit, limitOnReply };
  }

  it("shows what its inbox supports now, not what it supported when it was connected", async () => {
    const { profile, social, limit } = await openBench();
    expect(profile.inbox.mention).toEqual(replies);
    limit();
    expect((await social.profiles.get(profile.id)).inbox.mention).toEqual({ may: "read", why: refusal });
    expect((await social.profiles.list()).data[0]?.inbox.dm.may).toBe("none");
  });

  it("refuses a reply that its inbox does not support: with the reason, and nothing is stored", async () => {
    const bench = await openBench();
    await bench.writes({ text: `${network.name} do you ship?` });
    const [conversation] = (await bench.social.inbox.conversations.list()).data;
    bench.limit();
    const reply = bench.social.inbox.conversations.reply(conversation?.id ?? "", { text: "We do." });
    await expect(reply).rejects.toMatchObject({
      code: "publish_failed",
      message: refusal,
      details: [{ network: network.network, code: "unsupported", message: refusal }],
    });
    const { rows } = await bench.storage.find("messages", { where: { direction: "outbound" } });
    expect(rows).toEqual([]);
  });

  it("finishes a reply that was accepted before its inbox supported less", async () => {
    const bench = await openBench();
    await bench.writes({ text: `${network.name} do you ship?` });
    const [conversation] = (await bench.social.inbox.conversations.list()).data;
    bench.limitOnReply();
    const replying = bench.clock.run(() =>
      bench.social.inbox.conversations.reply(conversation?.id ?? "", { text: "We do." }),
    );
    expect(await replying).toMatchObject({ direction: "outbound" });
    expect((await bench.social.profiles.get(bench.profile.id)).inbox.dm.may).toBe("none");
  });
});
