import { expect, it } from "vitest";
import { mastodon } from "../../src/networks/mastodon/index.ts";
import type { Json } from "../../src/wire/json.ts";
import { createTestService } from "../support/service.ts";
import { inboxBench } from "./bench.ts";
import { inboxNetworks } from "./networks.ts";

it("keeps what is private by the people that it is for", async () => {
  const [network] = inboxNetworks.filter((each) => each.network === "mastodon");
  if (network === undefined) throw new Error("Mastodon is gone from the table.");
  const { sandbox, social, ann, read } = await inboxBench(network);
  const bob = sandbox.mastodon.addAccount({ username: "bob" }).external_id;
  const direct = async (by: string, text: string) => {
    sandbox.mastodon.postAs(by, { text, visibility: "direct" });
    await read();
  };
  await direct(ann, "@alice a secret");
  await direct(ann, "@alice another");
  await direct(ann, "@alice @bob for both");
  await direct(bob, "@alice @ann I agree");
  const { data } = await social.inbox.conversations.list();
  expect(data.map(({ kind, unread_count, participant: { name } }) => [kind, unread_count, name])).toEqual([
    ["dm", 2, expect.stringMatching(/^(ann, bob|bob, ann)$/)],
    ["dm", 2, "Ann"],
  ]);
});

it("counts nothing as unread that is older than the connection", async () => {
  const { social, clock, sandbox } = createTestService({ networks: [mastodon({ scopes: ["publish", "inbox"] })] });
  const { external_id } = sandbox.mastodon.addAccount({ username: "ann" });
  const { instance, access_token } = sandbox.mastodon.addAccount({ username: "alice" });
  sandbox.mastodon.postAs(external_id, { text: "@alice are you there?" });
  await clock.advance(60_000);
  await clock.run(() => social.start());
  await clock.run(() => social.profiles.connect({ network: "mastodon", credentials: { instance, access_token } }));
  await clock.advance(60_000);
  const { data } = await social.inbox.conversations.list();
  expect(data.map(({ unread_count, last_message: { text } }) => [unread_count, text])).toEqual([
    [0, "@alice are you there?"],
  ]);
});

it("counts as unread what came since the connection on a server whose clock is an hour behind", async () => {
  const { social, clock, sandbox } = createTestService({ networks: [mastodon({ scopes: ["publish", "inbox"] })] });
  sandbox.mastodon.addInstance({ host: "small.example", software: "look_alike", secondsBehind: 3_600 });
  const { external_id } = sandbox.mastodon.addAccount({ username: "ann", instance: "small.example" });
  const { instance, access_token } = sandbox.mastodon.addAccount({ username: "alice", instance: "small.example" });
  sandbox.mastodon.postAs(external_id, { text: "@alice are you there?" });
  await clock.advance(60_000);
  await clock.run(() => social.start());
  await clock.run(() => social.profiles.connect({ network: "mastodon", credentials: { instance, access_token } }));
  await clock.advance(1_000);
  for (let index = 0; index < 60; index++) sandbox.mastodon.postAs(external_id, { text: `@alice hello ${index}` });
  await clock.advance(600_000);
  const { data } = await social.inbox.conversations.list({ limit: 100 });
  const unread = data.filter(({ unread_count }) => unread_count === 1);
  expect([data.length, unread.length]).toEqual([61, 60]);
});

it("takes no more of a page than it asked for, and keeps no endless place to read on from", async () => {
  const [network] = inboxNetworks.filter((each) => each.network === "mastodon");
  if (network === undefined) throw new Error("Mastodon is gone from the table.");
  const { sandbox, social, storage, clock } = await inboxBench(network);
  const notification = (id: string, index: number) => ({
    id,
    type: "mention",
    created_at: new Date(clock.now()).toISOString(),
    status: {
      id: String(index),
      uri: `https://mastodon.sandbox.example/${index}`,
      created_at: new Date(clock.now()).toISOString(),
      account: { id: "7", acct: "ann" },
      content: `<p>${index}</p>`,
    },
  });
  const answer = (json: Json) =>
    sandbox.mastodon.faults.add({
      kind: "refuse",
      operation: "GET /api/v1/notifications",
      answer: { status: 200, json },
    });
  answer(Array.from({ length: 500 }, (_, index) => notification(String(9_000_000 - index), index)));
  await clock.advance(400_000);
  expect((await social.inbox.conversations.list()).pagination.total).toBe(20);
  answer([notification("x".repeat(100_000), 9_999)]);
  await clock.advance(400_000);
  const [stored] = (await storage.find("inboxes", { where: {} })).rows;
  expect(JSON.stringify(stored).length).toBeLessThan(10_000);
});
