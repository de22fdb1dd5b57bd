import { beforeEach, describe, expect, it } from "vitest";
import { listedNetworks } from "../support/inbox-networks.ts";
import { createTestService } from "../support/service.ts";
import { type InboxBench, inboxBench } from "./bench.ts";

describe.each(listedNetworks)("the inbox of $network", (network) => {
  const { name } = network;
  let bench: InboxBench;

  beforeEach(async () => {
    bench = await inboxBench(network);
  });

  const list = async () => (await bench.social.inbox.conversations.list()).data;
  const messages = async (id = "") => (await bench.social.inbox.conversations.messages(id)).data;

  it("shows a mention", async () => {
    const text = `Hello ${name}, do you ship to Norway?`;
    await bench.writes({ text });
    const conversations = await list();
    expect(conversations).toHaveLength(1);
    expect(conversations[0]).toMatchObject({
      kind: "mention",
      status: "open",
      unread_count: 1,
      network: network.network,
      profile_id: bench.profile.id,
      participant: { name: "Ann" },
      last_message: { text },
    });
    expect(await messages(conversations[0]?.id)).toMatchObject([
      { direction: "inbound", text, author: { name: "Ann" }, reactions: null },
    ]);
  });

  it("groups comments under a post by their first one, together with replies from another app", async () => {
    const post = await bench.publish("Open on Sunday");
    const own = bench.profile.external_id;
    const first = await bench.writes({ text: `${name} until when?`, reply_to: post });
    const answer = await bench.writes({ text: `${bench.ann.handle} until four`, reply_to: first }, own);
    await bench.writes({ text: `${name} thanks`, reply_to: answer });
    await bench.writes({ text: `${name} which Sunday?`, reply_to: post });
    const conversations = await list();
    expect(
      conversations.map(({ kind, unread_count, last_message }) => [kind, unread_count, last_message.text]),
    ).toEqual([
      ["comment", 1, `${name} which Sunday?`],
      ["comment", 2, `${name} thanks`],
    ]);
    const shown = await messages(conversations[1]?.id);
    expect(shown.map(({ direction, text }) => [direction, text])).toEqual([
      ["inbound", `${name} thanks`],
      ["outbound", `${bench.ann.handle} until four`],
      ["inbound", `${name} until when?`],
    ]);
  });

  it("keeps a reply to a reply with the mention that began it", async () => {
    const first = await bench.writes({ text: `${name} look at this` });
    const answer = await bench.writes({ text: `${bench.ann.handle} nice`, reply_to: first }, bench.profile.external_id);
    await bench.writes({ text: `${name} isn't it?`, reply_to: answer });
    const conversations = await list();
    expect(conversations.map(({ kind, unread_count }) => [kind, unread_count])).toEqual([["mention", 2]]);
    expect(await messages(conversations[0]?.id)).toHaveLength(3);
  });

  it("holds the owner's messages to strangers only once one of them replies, and then with that person", async () => {
    const own = bench.profile.external_id;
    const post = await bench.writes({ text: "My cat is asleep" });
    const reply = await bench.writes({ text: `${bench.ann.handle} so is mine`, reply_to: post }, own);
    await bench.writes({ text: "And it snores", reply_to: reply }, own);
    expect(await list()).toEqual([]);
    const answer = await bench.writes({ text: `${name} lovely`, reply_to: reply });
    await bench.writes({ text: `${bench.ann.handle} is it?`, reply_to: answer }, own);
    const conversations = await list();
    expect(conversations).toMatchObject([
      { kind: "comment", external_id: answer, unread_count: 1, participant: { name: "Ann" } },
    ]);
    const shown = await messages(conversations[0]?.id);
    expect(shown.map(({ direction, text }) => [direction, text])).toEqual([
      ["outbound", `${bench.ann.handle} is it?`],
      ["inbound", `${name} lovely`],
    ]);
  });

  it("continues from the newest where its network no longer knows the cursor", async () => {
    const { clock, sandbox, storage, social: former } = bench;
    await clock.run(() => former.stop());
    for (let index = 0; index < 60; index++) network.write(sandbox, bench.ann.id, { text: `${name} ${index}` });
    let refusals = 0;
    let isAnew = false;
    /** Makes cursors invalid until the list is read from its beginning again. */
    const isPlaceGone = ({ pathname, searchParams }: URL): boolean => {
      if (!/[./](?:listNotifications|notifications)$/.test(pathname)) return false;
      const isPlace = searchParams.has("cursor") || searchParams.has("max_id");
      isAnew ||= refusals > 0 && !isPlace;
      if (!isPlace || isAnew) return false;
      refusals += 1;
      return true;
    };
    const untrustedHttp: typeof fetch = async (input, init) => {
      const isGone = isPlaceGone(new URL(input instanceof Request ? input.url : input));
      return isGone ? Response.json({ error: "InvalidRequest" }, { status: 400 }) : sandbox.http(input, init);
    };
    const { social } = createTestService({ networks: [network.adapter()], clock, storage, untrustedHttp });
    await clock.run(() => social.start());
    await clock.advance(3_600_000);
    expect([refusals, isAnew]).toEqual([3, true]);
    expect((await storage.find("messages", { where: {} })).total).toBe(60);
  });

  it("reads a burst of many pages, each message once", async () => {
    for (let index = 0; index < 130; index++) {
      network.write(bench.sandbox, bench.ann.id, { text: `${name} ${index}` });
      await bench.clock.advance(10);
    }
    await bench.read();
    const { pagination } = await bench.social.inbox.conversations.list();
    expect(pagination.total).toBe(130);
  });

  it("continues after a failure at its place", async () => {
    bench.sandbox[network.network].faults.add({ kind: "refuse", answer: { status: 500, text: "broken" }, times: 12 });
    network.write(bench.sandbox, bench.ann.id, { text: `${name} anybody?` });
    await bench.clock.advance(6 * 60_000);
    const [status] = (await bench.social.inbox.status()).data;
    expect(status?.sources.map(({ failure }) => failure)).toContainEqual(expect.any(String));
    await bench.read();
    expect((await list()).map(({ last_message: { text } }) => text)).toEqual([`${name} anybody?`]);
  });

  it("shows which message a reply answers, and a conversation's URL", async () => {
    const post = await bench.publish("Open on Sunday");
    const first = await bench.writes({ text: `${name} until when?`, reply_to: post });
    await bench.writes({ text: `${name} and on Monday?`, reply_to: first });
    const [comment] = (await bench.social.inbox.conversations.list()).data;
    expect(comment?.url).toMatch(/^https:/);
    const { data } = await bench.social.inbox.conversations.messages(comment?.id ?? "");
    expect(data.map(({ reply_to }) => reply_to)).toEqual([data[1]?.id, null]);
    const answered = { text: "Until six.", reply_to: data[1]?.id ?? "" };
    const answer = await bench.clock.run(() => bench.social.inbox.conversations.reply(comment?.id ?? "", answered));
    expect(answer.reply_to).toBe(data[1]?.id);
  });
});
