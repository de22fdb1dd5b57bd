import { describe, expect, it } from "vitest";
import { mastodon } from "../../src/networks/mastodon/index.ts";
import type { NewInstance } from "../../src/sandbox/mastodon/instances.ts";
import type { Json } from "../../src/wire/json.ts";
import { listedNetworks } from "../support/inbox-networks.ts";
import { createTestService } from "../support/service.ts";
import { inboxBench } from "./bench.ts";

it("private messages are grouped by their recipients", async () => {
  const [network] = listedNetworks.filter((each) => each.network === "mastodon");
  if (network === undefined) throw new Error("Mastodon is gone from the table.");
  const { sandbox, social, ann, read } = await inboxBench(network);
  const bob = sandbox.mastodon.addAccount({ username: "bob" }).external_id;
  const direct = async (by: string, text: string) => {
    sandbox.mastodon.postAs(by, { text, visibility: "direct" });
    await read();
  };
  await direct(ann.id, "@alice a secret");
  await direct(ann.id, "@alice another");
  await direct(ann.id, "@alice @bob for both");
  await direct(bob, `@alice ${ann.handle} I agree`);
  const { data } = await social.inbox.conversations.list();
  expect(data.map(({ kind, unread_count, participant: { name } }) => [kind, unread_count, name])).toEqual([
    ["dm", 2, expect.stringMatching(/^(ann_alice, bob|bob, ann_alice)$/)],
    ["dm", 2, "Ann"],
  ]);
});

it("messages older than the connection do not count as unread", async () => {
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

it("messages since the connection count as unread on a server whose clock is an hour behind", async () => {
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

it("a page is cut to the requested size, and an endless cursor is not kept", async () => {
  const [network] = listedNetworks.filter((each) => each.network === "mastodon");
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

/** An account on a small server, with Ann and Bo there. */
async function smallMailbox(ways: Omit<Partial<NewInstance>, "host">) {
  const service = createTestService({ networks: [mastodon({ scopes: ["publish", "inbox"] })] });
  const { social, clock, sandbox } = service;
  const { mastodon: server } = sandbox;
  const instance = "small.example";
  server.addInstance({ host: instance, software: "look_alike", ...ways });
  const [ann = "", bo = ""] = ["ann", "bo"].map((username) => server.addAccount({ username, instance }).external_id);
  const { external_id: alice, ...credentials } = server.addAccount({ username: "alice", instance });
  await clock.run(() => social.start());
  const { id } = await clock.run(() => social.profiles.connect({ network: "mastodon", credentials }));
  await clock.advance(longestWaitMs);
  const shown = async () => {
    const { data } = await social.inbox.conversations.list();
    const all = data.map(async ({ id: conversation, kind, participant: { handle } }) => {
      const messages = (await social.inbox.conversations.messages(conversation)).data;
      return { kind, handle, texts: messages.map(({ text }) => text).reverse() };
    });
    return Promise.all(all);
  };
  const write = async (by: string, post: Parameters<typeof server.postAs>[1]) => {
    const written = server.postAs(by, post);
    await clock.advance(longestWaitMs);
    return written;
  };
  return { ...service, server, alice, ann, bo, profileId: id, shown, write };
}

const longAddress = "https://example.com/a/very/long/way?to=the&best=café";
const longestWaitMs = 20 * 60_000;

describe("on a small server", () => {
  it.each([
    ["private", { visibilityBecomes: { direct: "private" } }],
    ["private, without the recipient's id", { visibilityBecomes: { direct: "private" }, omitsMentionIds: true }],
    ["direct, without the recipient's id", { omitsMentionIds: true }],
  ] as const)(
    "a message for one person is a dm with them where it is called %s, even the owner's own",
    async (_, ways) => {
      const { alice, ann, bo, write, shown } = await smallMailbox(ways);
      const visibility = "direct";
      const first = await write(ann, { text: "@alice a secret", visibility });
      const answer = await write(alice, { text: "@ann tell me", visibility, reply_to: first });
      await write(ann, { text: "@alice no", visibility, reply_to: answer });
      await write(alice, { text: "@ann please", visibility });
      await write(alice, { text: "@bo hello", visibility });
      await write(bo, { text: "@alice hello yourself", visibility });
      expect(await shown()).toEqual([
        { kind: "dm", handle: "bo", texts: ["@bo hello", "@alice hello yourself"] },
        { kind: "dm", handle: "ann", texts: ["@alice a secret", "@ann tell me", "@alice no", "@ann please"] },
      ]);
    },
  );

  it("a message for followers is no dm where it stands under a public post, or names several users", async () => {
    const { alice, ann, write, shown } = await smallMailbox({});
    const post = await write(alice, { text: "Open on Sunday" });
    await write(ann, { text: "@alice until when?", visibility: "private", reply_to: post });
    await write(ann, { text: "@alice @bo come", visibility: "private" });
    expect((await shown()).map(({ kind }) => kind)).toEqual(["mention", "comment"]);
  });

  it.each<[string, Partial<NewInstance>, string, string]>([
    ["shortens them", { shortensLinks: true }, `See ${longAddress}`, `See ${longAddress}`],
    ["shows them in full", {}, `See ${longAddress}`, `See ${longAddress}`],
    [
      "replaces them by words",
      { rendersMarkdown: true },
      `See [our shop & more](${longAddress}), @alice #fox`,
      `See our shop & more (${longAddress}), @alice #fox`,
    ],
    ["names characters", { namesCharacters: true }, "Éclair — “café”… &eacute;", "Éclair — “café”… &eacute;"],
  ])("the URLs of links and all characters are in the text of a server that %s", async (_, ways, text, read) => {
    const { ann, write, shown } = await smallMailbox(ways);
    await write(ann, { text: `@alice ${text}` });
    expect(await shown()).toMatchObject([{ texts: [`@alice ${read}`] }]);
  });

  it("a comment that awaits the owner's approval is shown as such until it is approved", async () => {
    const { server, social, clock, alice, ann, write, shown } = await smallMailbox({ asksApproval: true });
    const post = await write(alice, { text: "Open on Sunday" });
    const comment = await write(ann, { text: "@alice until when?", reply_to: post });
    await clock.advance(longestWaitMs);
    const awaits = async () => {
      const [conversation] = (await social.inbox.conversations.list()).data;
      const { data } = await social.inbox.conversations.messages(conversation?.id ?? "");
      return data.map(({ awaits_approval }) => awaits_approval);
    };
    expect(await shown()).toMatchObject([{ kind: "comment", texts: ["@alice until when?"] }]);
    expect(await awaits()).toEqual([true]);
    server.approvePost(comment);
    await clock.advance(2 * longestWaitMs);
    expect(await awaits()).toEqual([false]);
  });

  it("a server without approvals still works when asked for them", async () => {
    const { social, ann, write, shown } = await smallMailbox({ refusesTypes: true });
    await write(ann, { text: "@alice hello" });
    expect(await shown()).toMatchObject([{ texts: ["@alice hello"] }]);
    const { sources } = (await social.inbox.status()).data[0] ?? {};
    expect(sources?.map(({ failure }) => failure).filter((failure) => failure !== null)).toEqual([]);
  });

  it("an edited message is shown as edited though the server does not say when", async () => {
    const { server, ann, clock, social, write, shown } = await smallMailbox({ omitsEditTimes: true });
    const post = await write(ann, { text: "@alice hello" });
    server.editPost(post, "@alice good morning");
    await clock.advance(2 * longestWaitMs);
    expect(await shown()).toMatchObject([{ texts: ["@alice good morning"] }]);
    const [conversation] = (await social.inbox.conversations.list()).data;
    const [message] = (await social.inbox.conversations.messages(conversation?.id ?? "")).data;
    expect(message?.edited_at).not.toBeNull();
    const { seq } = (await social.inbox.status()).data[0] ?? {};
    await clock.advance(4 * longestWaitMs);
    expect((await social.inbox.status()).data[0]?.seq).toBe(seq);
  });

  it.each([
    ["Good morning", "@ann@small.example Good morning"],
    ["@ann good morning", "@ann@small.example @ann good morning"],
    ["@ann@small.examples good morning", "@ann@small.example @ann@small.examples good morning"],
    ["Good morning @Ann@small.example!", "Good morning @Ann@small.example!"],
  ])('a reply names its recipient so that it reaches them: "%s"', async (text, sent) => {
    const { server, ann, bo, clock, social, write } = await smallMailbox({ ignoresBareNames: true });
    await write(bo, { text: "@alice@small.example never mind" });
    await write(ann, { text: "@alice@small.example hello" });
    const [conversation] = (await social.inbox.conversations.list()).data;
    await clock.run(() => social.inbox.conversations.reply(conversation?.id ?? "", { text }));
    expect(server.posts().at(-1)?.text).toBe(sent);
  });
});

it("a reply adds every recipient's name, even when a longer name begins with it", async () => {
  const [network] = listedNetworks.filter((each) => each.network === "mastodon");
  if (network === undefined) throw new Error("Mastodon is gone from the table.");
  const { sandbox, social, clock, writes, ann } = await inboxBench(network);
  await writes({ text: "@alice hello" });
  const [conversation] = (await social.inbox.conversations.list()).data;
  const reply = (text: string) => clock.run(() => social.inbox.conversations.reply(conversation?.id ?? "", { text }));
  await reply(`${ann.handle}bel is not here`);
  await reply(`Hello ${ann.handle}.`);
  expect(sandbox.mastodon.posts().map(({ text }) => text)).toEqual([
    "alice is open",
    "@alice hello",
    `${ann.handle} ${ann.handle}bel is not here`,
    `Hello ${ann.handle}.`,
  ]);
});

it("erases a person on one server, and not the person with the same number on another", async () => {
  const { social, clock, sandbox } = createTestService({ networks: [mastodon({ scopes: ["publish", "inbox"] })] });
  const hosts = ["one.example", "two.example"];
  await clock.run(() => social.start());
  const writers: string[] = [];
  for (const host of hosts) {
    sandbox.mastodon.addInstance({ host, software: "mastodon" });
    const { instance, access_token } = sandbox.mastodon.addAccount({ username: "alice", instance: host });
    await clock.run(() => social.profiles.connect({ network: "mastodon", credentials: { instance, access_token } }));
    writers.push(sandbox.mastodon.addAccount({ username: "ann", instance: host, id: "7" }).external_id);
  }
  const write = async (text: string): Promise<string[]> => {
    for (const writer of writers) sandbox.mastodon.postAs(writer, { text: `@alice ${text}` });
    await clock.advance(900_000);
    const { data } = await social.inbox.conversations.list();
    return data.map(({ participant, last_message: { text: shown } }) => `${participant.id} ${shown}`).sort();
  };
  expect(await write("Hello")).toEqual(["one.example:7 @alice Hello", "two.example:7 @alice Hello"]);
  await clock.run(() => social.inbox.forget({ network: "mastodon", person_id: "one.example:7" }));
  const { data } = await social.inbox.conversations.list();
  const shown = data.map(({ participant, last_message: { text } }) => [participant.id, text]).sort();
  expect(shown).toEqual([
    ["", ""],
    ["two.example:7", "@alice Hello"],
  ]);
});
