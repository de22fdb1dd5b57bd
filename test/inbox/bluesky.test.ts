import { beforeEach, describe, expect, it } from "vitest";
import type { CreateReply } from "../../src/inbox/schema.ts";
import { chatOperation, errors } from "../../src/networks/bluesky/errors.ts";
import { facetsSchema, followedText } from "../../src/networks/bluesky/inbox-text.ts";
import { bluesky } from "../../src/networks/bluesky/index.ts";
import { createTestService, type TestService } from "../support/service.ts";

const minuteMs = 60_000;
const mayChat = "com.atproto.appPassPrivileged";

interface Bench extends TestService {
  /** The ids of the connected account, of Ann and of Bo. */
  me: string;
  ann: string;
  bo: string;
  connect(): Promise<{ id: string }>;
}

/** An account that is not connected yet, and two users who write to it. */
async function openBench(scope = mayChat): Promise<Bench> {
  const service = createTestService({ networks: [bluesky({ scopes: ["publish", "inbox"] })] });
  const { social, sandbox, clock } = service;
  await clock.run(() => social.start());
  const { did: me, handle, password } = sandbox.bluesky.addAccount({ handle: "fox.sandbox.example", scope });
  const ann = sandbox.bluesky.addAccount({ handle: "ann.sandbox.example", display_name: "Ann" }).did;
  const bo = sandbox.bluesky.addAccount({ handle: "bo.sandbox.example", display_name: "Bo" }).did;
  const credentials = { identifier: handle, app_password: password };
  const connect = () => clock.run(() => social.profiles.connect({ network: "bluesky", credentials }));
  return { ...service, me, ann, bo, connect };
}

const list = async ({ social }: Bench) => (await social.inbox.conversations.list({ kind: ["dm"] })).data;

/** Direction and text of each message, the newest first. */
async function texts({ social }: Bench, id = ""): Promise<(string | null)[][]> {
  const { data } = await social.inbox.conversations.messages(id);
  return data.map(({ direction, text }) => [direction, text]);
}

function reply({ social, clock }: Bench, id = "", body: CreateReply = { text: "We do." }) {
  return clock.run(() => social.inbox.conversations.reply(id, body));
}

describe("the attachments of a Bluesky post", () => {
  it("are shown beside its text: images, and the quoted post", async () => {
    const bench = await openBench();
    await bench.connect();
    await bench.clock.advance(minuteMs);
    const { bluesky: there } = bench.sandbox;
    const own = there.postAs(bench.me, { text: "Open on Sunday" });
    there.postAs(bench.ann, { text: "@fox.sandbox.example look", picture: "a fox", quotes: own });
    await bench.clock.advance(10 * minuteMs);
    const [mention] = (await bench.social.inbox.conversations.list({ kind: ["mention"] })).data;
    const [message] = (await bench.social.inbox.conversations.messages(mention?.id ?? "")).data;
    expect(message?.attachments).toEqual([
      { type: "image", url: expect.stringContaining("https://cdn.bsky.app/"), description: "a fox" },
      { type: "quote", url: `https://bsky.app/profile/${bench.me}/post/${own.split("/").at(-1)}`, uri: own },
    ]);
  });
});

describe("links on Bluesky", () => {
  const address = "https://example.com/a/very/long/way";
  const text = "Schön 🦊: example.com/a/very... and our shop";
  const links = { "example.com/a/very...": address, "our shop": "https://shop.example/" };
  const read = `Schön 🦊: ${address} and our shop (https://shop.example/)`;

  it("keep their URL in the texts of posts and messages", async () => {
    const bench = await openBench();
    await bench.connect();
    await bench.clock.advance(minuteMs);
    const { bluesky: there } = bench.sandbox;
    there.postAs(bench.ann, { text: `@fox.sandbox.example ${text}`, links });
    there.chat.write(bench.bo, [bench.me], { text, links });
    await bench.clock.advance(10 * minuteMs);
    const { data } = await bench.social.inbox.conversations.list();
    expect(data.map(({ last_message }) => last_message.text).sort()).toEqual([`@fox.sandbox.example ${read}`, read]);
  });

  it.each([
    ["outside the text", { byteStart: 3, byteEnd: 900 }],
    ["backwards", { byteStart: 3, byteEnd: 1 }],
    ["in fractions", { byteStart: 0.5, byteEnd: 2 }],
  ])("%s are ignored", (_, index) => {
    const feature = { $type: "app.bsky.richtext.facet#link", uri: address };
    const facets = facetsSchema.parse([{ index, features: [feature] }, "nothing", { index: { byteStart: 0 } }]);
    expect(followedText("Hello", facets)).toBe("Hello");
  });

  it("that overlap are read once", () => {
    const link = (byteStart: number, byteEnd: number, uri: string) => ({
      index: { byteStart, byteEnd },
      features: [{ $type: "app.bsky.richtext.facet#link", uri }],
    });
    const facets = facetsSchema.parse([link(2, 5, "https://two.example"), link(0, 3, "https://one.example")]);
    expect(followedText("Hello", facets)).toBe("Hel (https://one.example)lo");
  });
});

describe("messages on Bluesky", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench();
  });

  const chat = () => bench.sandbox.bluesky.chat;
  const write = (from: string, text: string) => chat().write(from, [bench.me], { text });
  const sent = (text: string) =>
    chat()
      .messages()
      .filter((each) => each.text === text).length;

  it("from before the connection are read, and count as read", async () => {
    write(bench.ann, "Hello?");
    await bench.clock.advance(minuteMs);
    write(bench.bo, "Anybody?");
    await bench.clock.advance(minuteMs);
    await bench.connect();
    await bench.clock.advance(2 * minuteMs);
    const found = await list(bench);
    expect(
      found.map(({ participant, unread_count, last_message }) => [participant.name, unread_count, last_message.text]),
    ).toEqual([
      ["Bo", 0, "Anybody?"],
      ["Ann", 0, "Hello?"],
    ]);
    expect(found[0]).toMatchObject({
      kind: "dm",
      external_id: chat().messages()[1]?.convo,
      participant: { id: bench.bo, handle: "bo.sandbox.example" },
    });
  });

  it("arrive once each within a minute, whatever else the log holds", async () => {
    await bench.connect();
    await bench.clock.advance(minuteMs);
    for (const [index, by] of [bench.ann, bench.bo, bench.ann].entries()) {
      write(by, `${index}`);
      await bench.clock.advance(1_000);
    }
    await bench.clock.advance(minuteMs);
    const found = await list(bench);
    expect(found.map(({ unread_count }) => unread_count)).toEqual([2, 1]);
    await bench.clock.advance(10 * minuteMs);
    expect(await texts(bench, found[0]?.id)).toEqual([
      ["inbound", "2"],
      ["inbound", "0"],
    ]);
    const [message] = (await bench.social.inbox.conversations.messages(found[0]?.id ?? "")).data;
    expect(message).toMatchObject({ author: { id: bench.ann, name: "Ann" }, reactions: [] });
  });

  it.each([
    ["in long pages", 100, false],
    ["in short pages", 1, false],
    ["in pages that begin with the last of the page before", 2, true],
  ])("of many users at the same time are all read, %s", async (_, entries, overlaps) => {
    await bench.connect();
    await bench.clock.advance(minuteMs);
    chat().turnLogBy(entries, overlaps);
    for (let index = 0; index < 30; index++) {
      const { did } = bench.sandbox.bluesky.addAccount({ handle: `person${index}.sandbox.example` });
      write(did, `one of ${index}`);
      write(did, `two of ${index}`);
    }
    await bench.clock.advance(10 * minuteMs);
    const { data, pagination } = await bench.social.inbox.conversations.list({ kind: ["dm"], limit: 100 });
    expect(pagination.total).toBe(30);
    expect(new Set(data.map(({ unread_count }) => unread_count))).toEqual(new Set([2]));
  });

  it("missing from the log are found by the lists, within hours", async () => {
    await bench.connect();
    write(bench.ann, "Hello?");
    await bench.clock.advance(2 * minuteMs);
    for (let index = 0; index < 130; index++) write(bench.ann, `${index}`);
    write(bench.bo, "Anybody?");
    chat().forgetLog();
    await bench.clock.advance(10 * minuteMs);
    expect((await list(bench)).map(({ unread_count }) => unread_count)).toEqual([1]);
    await bench.clock.advance(7 * 3_600_000);
    expect((await list(bench)).map(({ unread_count }) => unread_count).sort()).toEqual([1, 131]);
    expect((await bench.social.inbox.status()).data[0]?.gaps).toEqual([]);
  });

  it("leave a visible gap when more are missing than can be read", async () => {
    await bench.connect();
    await bench.clock.advance(2 * minuteMs);
    for (let index = 0; index < 210; index++) {
      write(bench.ann, `${index}`);
      await bench.clock.advance(10);
    }
    chat().forgetLog();
    await bench.clock.advance(7 * 3_600_000);
    expect((await list(bench)).map(({ unread_count }) => unread_count)).toEqual([200]);
    expect((await bench.social.inbox.status()).data[0]?.gaps).toHaveLength(1);
  });

  it("get replies in their conversation, which a reply accepts, with working links", async () => {
    await bench.connect();
    write(bench.ann, "Do you ship to Norway?");
    await bench.clock.advance(2 * minuteMs);
    const [conversation] = await list(bench);
    const convo = conversation?.external_id ?? "";
    expect(chat().hasAccepted(bench.me, convo)).toBe(false);
    const answer = await reply(bench, conversation?.id, { text: "We do: https://example.com/norway" });
    expect(answer).toMatchObject({ direction: "outbound", author: { id: bench.me } });
    expect(chat().hasAccepted(bench.me, convo)).toBe(true);
    expect(sent("We do: https://example.com/norway")).toBe(1);
    const [, body] = bench.sandbox.bluesky.chat.messages();
    expect(body).toMatchObject({ convo, did: bench.me });
    await bench.clock.advance(10 * minuteMs);
    expect(await texts(bench, conversation?.id)).toEqual([
      ["outbound", "We do: https://example.com/norway"],
      ["inbound", "Do you ship to Norway?"],
    ]);
  });

  it.each(["drop_after", "drop_before"] as const)("get one reply under one key, by %s", async (kind) => {
    await bench.connect();
    write(bench.ann, "Do you ship to Norway?");
    await bench.clock.advance(2 * minuteMs);
    const [conversation] = await list(bench);
    bench.sandbox.bluesky.faults.add({ kind, operation: "sendMessage" });
    const body = { text: "We do.", idempotency_key: "answer-0001" };
    await expect(reply(bench, conversation?.id, body)).rejects.toMatchObject({ details: [{ code: "timeout" }] });
    await bench.clock.advance(10 * minuteMs);
    await reply(bench, conversation?.id, body);
    await bench.clock.advance(10 * minuteMs);
    expect(sent("We do.")).toBe(1);
    expect(await texts(bench, conversation?.id)).toEqual([
      ["outbound", "We do."],
      ["inbound", "Do you ship to Norway?"],
    ]);
  });

  it("from the owner's own app stand with the others, and disappear when the owner deletes them locally", async () => {
    await bench.connect();
    write(bench.ann, "Do you ship to Norway?");
    await bench.clock.advance(minuteMs);
    const byHand = chat().write(bench.me, [bench.ann], { text: "By hand" });
    await bench.clock.advance(2 * minuteMs);
    const [conversation] = await list(bench);
    expect(await texts(bench, conversation?.id)).toEqual([
      ["outbound", "By hand"],
      ["inbound", "Do you ship to Norway?"],
    ]);
    chat().remove(bench.me, byHand);
    await bench.clock.advance(2 * minuteMs);
    expect(await texts(bench, conversation?.id)).toEqual([
      ["outbound", null],
      ["inbound", "Do you ship to Norway?"],
    ]);
    expect((await list(bench))[0]?.last_message.text).toBe("Do you ship to Norway?");
  });

  it("have the reactions that users gave them and did not remove", async () => {
    await bench.connect();
    const id = write(bench.ann, "Do you ship to Norway?");
    chat().react(bench.ann, id, { value: "🦊" });
    await bench.clock.advance(2 * minuteMs);
    const [conversation] = await list(bench);
    const reactions = async () =>
      (await bench.social.inbox.conversations.messages(conversation?.id ?? "")).data[0]?.reactions;
    expect(await reactions()).toEqual([{ from: bench.ann, emoji: "🦊" }]);
    chat().react(bench.ann, id, { value: "🦊", gone: true });
    chat().react(bench.ann, id, { value: "♥" });
    await bench.clock.advance(2 * minuteMs);
    expect(await reactions()).toEqual([{ from: bench.ann, emoji: "♥" }]);
    chat().react(bench.ann, id, { value: "🦊" });
    await bench.clock.advance(2 * minuteMs);
    expect(await reactions()).toEqual([
      { from: bench.ann, emoji: "♥" },
      { from: bench.ann, emoji: "🦊" },
    ]);
  });

  it("of a group stand together under its name", async () => {
    await bench.connect();
    chat().write(bench.ann, [bench.me, bench.bo], { text: "Welcome", group: "Fox friends" });
    await bench.clock.advance(2 * minuteMs);
    chat().write(bench.bo, [bench.ann, bench.me], { text: "Hello", group: "Fox friends" });
    write(bench.bo, "Between us");
    await bench.clock.advance(2 * minuteMs);
    const found = await list(bench);
    expect(found.map(({ participant }) => participant.name).sort()).toEqual(["Bo", "Fox friends"]);
    const group = found.find(({ participant }) => participant.name === "Fox friends");
    const { data } = await bench.social.inbox.conversations.messages(group?.id ?? "");
    expect(data.map(({ author, text }) => [author.name, text])).toEqual([
      ["Bo", "Hello"],
      ["Ann", "Welcome"],
    ]);
  });

  it("of a conversation that the account has left block no others", async () => {
    await bench.connect();
    await bench.clock.advance(minuteMs);
    write(bench.ann, "Hello?");
    chat().leave(bench.me, chat().messages()[0]?.convo ?? "");
    write(bench.bo, "Anybody?");
    await bench.clock.advance(2 * minuteMs);
    expect((await list(bench)).map(({ participant }) => participant.name)).toEqual(["Bo"]);
  });

  it("that no recipient accepts are rejected with the service's reason", async () => {
    await bench.connect();
    write(bench.ann, "Hello?");
    await bench.clock.advance(2 * minuteMs);
    const [conversation] = await list(bench);
    chat().refuseWith(bench.ann, "MessagesDisabled");
    const refused = reply(bench, conversation?.id);
    await expect(refused).rejects.toMatchObject({
      code: "publish_failed",
      details: [{ code: "rejected_by_network" }],
      message: expect.stringContaining("accepts no messages"),
    });
    expect((await bench.social.profiles.list()).data[0]?.status).toBe("connected");
  });

  it.each(errors.rows.filter(({ operation }) => operation === chatOperation))(
    "that the service refuses say so, and the profile stays connected: $code",
    async ({ code = "", status = 400, startsWith = "", as, message }) => {
      await bench.connect();
      write(bench.ann, "Hello?");
      await bench.clock.advance(2 * minuteMs);
      const [conversation] = await list(bench);
      const answer = { status, json: { error: code, message: `${startsWith} (words)` } };
      bench.sandbox.bluesky.faults.add({ kind: "refuse", operation: "sendMessage", answer });
      const refused = reply(bench, conversation?.id);
      await expect(refused).rejects.toMatchObject({
        details: [{ code: as }],
        message: expect.stringContaining(message),
      });
      expect((await bench.social.profiles.list()).data[0]?.status).toBe("connected");
      expect(sent("We do.")).toBe(0);
    },
  );

  it("that are too long are rejected before anything is stored, in characters and in bytes", async () => {
    await bench.connect();
    write(bench.ann, "Hello?");
    await bench.clock.advance(2 * minuteMs);
    const [conversation] = await list(bench);
    for (const text of ["x".repeat(1_001), "👨‍👩‍👧‍👦".repeat(500)]) {
      const refused = reply(bench, conversation?.id, { text });
      await expect(refused).rejects.toMatchObject({ details: [{ field: "text", code: "invalid_request" }] });
    }
    await reply(bench, conversation?.id, { text: "x".repeat(1_000) });
    expect(chat().messages()).toHaveLength(2);
  });

  it("are not requested with credentials that lack the right, and the inbox says so", async () => {
    bench = await openBench("com.atproto.appPass");
    await bench.connect();
    write(bench.ann, "Hello?");
    bench.sandbox.bluesky.postAs(bench.ann, { text: "@fox.sandbox.example hello?" });
    await bench.clock.advance(10 * minuteMs);
    const { data } = await bench.social.inbox.conversations.list();
    expect(data.map(({ kind }) => kind)).toEqual(["mention"]);
    const [status] = (await bench.social.inbox.status()).data;
    const failures = status?.sources.map(({ name, failure }) => [name, failure]);
    expect(failures).toContainEqual(["chat", expect.stringContaining("allows access to direct messages")]);
    expect(failures).toContainEqual(["notifications", null]);
    expect((await bench.social.profiles.list()).data[0]?.status).toBe("connected");
  });
});
