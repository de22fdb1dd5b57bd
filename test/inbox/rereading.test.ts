import { beforeEach, describe, expect, it } from "vitest";
import type { NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import type { Inbox, Reread } from "../../src/networks/contract/inbox.ts";
import type { InstanceWays } from "../../src/sandbox/mastodon/ways.ts";
import { type ListedNetwork, listedNetworks } from "../support/inbox-networks.ts";
import { type InboxBench, inboxBench } from "./bench.ts";

const minuteMs = 60_000;
/** Two rounds at least, milliseconds. */
const twoRoundsMs = 90 * minuteMs;

/** The network with rounds of at most three minutes and with these changes. */
function withShortRounds(network: ListedNetwork, changes: Partial<Reread>): NetworkAdapter {
  const adapter = network.adapter();
  const reread = { ...adapter.inbox?.reread, every: { min: 60, max: 180 }, ...changes } as Reread;
  return { ...adapter, inbox: { ...adapter.inbox, reread } as Inbox };
}

describe.each(listedNetworks)("a message that was read on $network", (network) => {
  const { name } = network;
  let bench: InboxBench;

  beforeEach(async () => {
    bench = await inboxBench(network);
  });

  const messages = async () => {
    const { data } = await bench.social.inbox.conversations.list({ limit: 100 });
    const found = await Promise.all(data.map(({ id }) => bench.social.inbox.conversations.messages(id)));
    return found.flatMap(({ data: each }) => each.map(({ text, deleted_at }) => [text, deleted_at !== null]));
  };

  it("is deleted here once its author has deleted it there, but only when it is missing a second time", async () => {
    const kept = `${name} stays`;
    await bench.writes({ text: kept });
    const id = await bench.writes({ text: `${name} rude words` });
    bench.ann.unsend(id);
    await bench.clock.advance(9 * minuteMs);
    expect(await messages()).toContainEqual([`${name} rude words`, false]);
    await bench.clock.advance(twoRoundsMs);
    expect((await messages()).sort()).toEqual([
      [null, true],
      [kept, false],
    ]);
    const rows = JSON.stringify((await bench.storage.find("messages", { where: {} })).rows);
    expect(rows).not.toContain("rude words");
  });

  it("is found below more messages than one round reads", async () => {
    bench = await inboxBench(network, { networks: [withShortRounds(network, { atOnce: 4, perRound: 8 })] });
    const first = await bench.writes({ text: `${name} rude words` });
    for (let count = 1; count <= 25; count++)
      network.write(bench.sandbox, bench.ann.id, { text: `${name} no. ${count}` });
    await bench.read();
    bench.ann.unsend(first);
    await bench.clock.advance(60 * minuteMs);
    const { rows } = await bench.storage.find("messages", { where: {} });
    expect(rows).toHaveLength(26);
    expect(rows.filter(({ deleted_at }) => deleted_at !== null)).toMatchObject([{ external_id: first, text: null }]);
  });

  it("stays while its author is hidden, and a later deletion is seen", async () => {
    const id = await bench.writes({ text: `${name} hello` });
    network.hide(bench.sandbox, bench.ann, true);
    await bench.clock.advance(twoRoundsMs);
    expect(await messages()).toEqual([[`${name} hello`, false]]);
    network.hide(bench.sandbox, bench.ann, false);
    bench.ann.unsend(id);
    await bench.clock.advance(twoRoundsMs);
    expect(await messages()).toEqual([[null, true]]);
  });

  it("stays while the network responds with errors, and is read again later", async () => {
    const id = await bench.writes({ text: `${name} hello` });
    const there = bench.sandbox[network.network];
    there.faults.add({ kind: "refuse", operation: network.reread, answer: { status: 503, text: "busy" }, times: 9 });
    bench.ann.unsend(id);
    await bench.clock.advance(5 * minuteMs);
    expect(await messages()).toEqual([[`${name} hello`, false]]);
    await bench.clock.advance(12 * 60 * minuteMs);
    expect(await messages()).toEqual([[null, true]]);
  });

  it("is read again in rounds over all messages, one after another", async () => {
    const ids: string[] = [];
    for (let index = 0; index < 60; index++) {
      ids.push(network.write(bench.sandbox, bench.ann.id, { text: `${name} ${index}` }));
      await bench.clock.advance(1_000);
    }
    await bench.read();
    for (const id of [ids[0], ids[30], ids[59]]) bench.ann.unsend(id ?? "");
    await bench.clock.advance(twoRoundsMs);
    expect((await messages()).filter(([, isDeleted]) => isDeleted)).toHaveLength(3);
  });

  it.each([
    ["with an unreadable post", { posts: [{ uri: "at://did:plc:nobody/app.bsky.feed.post/1" }] }],
    ["with another shape of response", { statuses: [] }],
  ])("is not deleted because the network responds once %s", async (_, json) => {
    await bench.writes({ text: `${name} hello` });
    const there = bench.sandbox[network.network];
    there.faults.add({ kind: "refuse", operation: network.reread, answer: { status: 200, json }, times: 1 });
    await bench.clock.advance(twoRoundsMs);
    expect(await messages()).toEqual([[`${name} hello`, false]]);
  });

  it("stays while the network shows it in an unreadable form", async () => {
    const id = await bench.writes({ text: `${name} hello` });
    const shownAs = {
      bluesky: { getPosts: { posts: [{ uri: id }] } },
      mastodon: { "GET /api/v1/statuses": [], "GET /api/v1/statuses/:id": { id } },
    }[network.network];
    for (const [operation, json] of Object.entries(shownAs)) {
      const answer = { status: 200, json };
      bench.sandbox[network.network].faults.add({ kind: "refuse", operation, answer, times: 99 });
    }
    await bench.clock.advance(twoRoundsMs);
    expect(await messages()).toEqual([[`${name} hello`, false]]);
  });

  it("is no longer read after a week", async () => {
    const id = await bench.writes({ text: `${name} hello` });
    await bench.clock.run(() => bench.social.stop());
    await bench.clock.advance(8 * 24 * 60 * minuteMs);
    await bench.clock.run(() => bench.social.start());
    bench.ann.unsend(id);
    await bench.clock.advance(twoRoundsMs);
    expect(await messages()).toEqual([[`${name} hello`, false]]);
  });
});

it("the account's own reply on Bluesky stays while the view service does not show it yet", async () => {
  const [network] = listedNetworks;
  if (network?.network !== "bluesky") throw new Error("Bluesky is not there.");
  const bench = await inboxBench(network);
  await bench.writes({ text: `${network.name} hello` });
  await bench.clock.advance(twoRoundsMs);
  const [conversation] = (await bench.social.inbox.conversations.list()).data;
  const id = conversation?.id ?? "";
  bench.sandbox.bluesky.lagReads(75 * 60);
  await bench.clock.run(() => bench.social.inbox.conversations.reply(id, { text: "Hello Ann" }));
  await bench.clock.advance(twoRoundsMs);
  expect((await bench.social.inbox.conversations.messages(id)).data).toMatchObject([
    { text: "Hello Ann", deleted_at: null },
    { text: `${network.name} hello`, deleted_at: null },
  ]);
});

describe.each<[string, Partial<InstanceWays>]>([
  ["Mastodon", {}],
  ["a server that reads posts one by one", { lacksManyAtOnce: true }],
  ["a server where an edited post has another id", { editsChangeIds: true, lacksManyAtOnce: true }],
])("a post that is edited on %s", (_, ways) => {
  it("shows the new text here, and can be answered", async () => {
    const [, network] = listedNetworks;
    if (network === undefined) throw new Error("Mastodon is not there.");
    const bench = await inboxBench(network, { networks: [withShortRounds(network, {})] });
    const { mastodon: there } = bench.sandbox;
    there.changeInstance(ways);
    const id = await bench.writes({ text: "@alice untill when?" });
    // Two pages more: a list is read again down to a page whose posts are all ten minutes older
    // than its newest.
    for (let index = 0; index < 40; index++) {
      network.write(bench.sandbox, bench.ann.id, { text: `@alice ${index}` });
      if (index % 20 === 19) await bench.clock.advance(11 * minuteMs);
    }
    const changed = there.editPost(id, "@alice until when?");
    await bench.clock.advance(9 * minuteMs);
    const conversation = (await bench.social.inbox.conversations.list({ limit: 100 })).data.at(-1);
    expect(conversation).toMatchObject({ unread_count: 1, last_message: { text: "@alice until when?" } });
    const shown = await bench.social.inbox.conversations.messages(conversation?.id ?? "");
    expect(shown.data).toMatchObject([{ text: "@alice until when?", edited_at: expect.any(String) }]);
    await bench.clock.run(() => bench.social.inbox.conversations.reply(conversation?.id ?? "", { text: "Four" }));
    expect(there.posts().at(-1)).toMatchObject({ reply_to: changed });
  });
});
