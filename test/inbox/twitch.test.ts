import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createHandler } from "../../src/http/index.ts";
import { twitch } from "../../src/networks/twitch/index.ts";
import type { Profile } from "../../src/profiles/schema.ts";
import { sandboxApp } from "../../src/sandbox/twitch/logins.ts";
import { recordingLogger } from "../support/logger.ts";
import { createTestService, testBaseUrl } from "../support/service.ts";

const { client_id, client_secret } = sandboxApp;
const hookUrl = `${testBaseUrl}/hooks/twitch/${client_id}`;
const minuteMs = 60_000;
/** Until Twitch has confirmed the subscription, and the service has asked again. */
const settledMs = 3 * minuteMs;

/** A connected channel, and Ann, who watches it. */
async function openBench(scopes?: readonly string[]) {
  const app = { client_id, client_secret };
  const logger = recordingLogger();
  const service = createTestService({ networks: [twitch({ app: () => app })], logger });
  const { social, sandbox, clock } = service;
  const handler = createHandler(social);
  sandbox.twitch.sendHooksTo(handler);
  await clock.run(() => social.start());
  const { external_id: fox, ...tokens } = sandbox.twitch.addChannel("fox", {
    name: "The Fox",
    ...(scopes && { scopes }),
  });
  const profile = await clock.run(() => social.profiles.connect({ network: "twitch", credentials: tokens }));
  await clock.advance(settledMs);
  const ann = sandbox.twitch.addViewer("ann", "Ann");
  const conversations = async () => (await social.inbox.conversations.list()).data;
  const texts = async (id = "") =>
    (await social.inbox.conversations.messages(id)).data.map(({ direction, text }) => [direction, text]);
  const status = async () => (await social.inbox.status()).data[0]?.hooks;
  return {
    ...service,
    app,
    logger,
    handler,
    profile,
    fox,
    ann,
    tokens,
    conversations,
    texts,
    status,
    there: sandbox.twitch,
  };
}

type Bench = Awaited<ReturnType<typeof openBench>>;

async function onlyConversation(bench: Bench) {
  const [only, another] = await bench.conversations();
  if (only === undefined || another !== undefined) throw new Error("there is not one conversation");
  return only;
}

/** Ann names the channel's owner; the conversation that this begins. */
async function annWrites(bench: Bench, text = "@fox do you ship to Norway?") {
  const line = bench.there.lineAs(bench.ann, bench.fox, { text });
  await bench.clock.advance(1_000);
  return { line, conversation: await onlyConversation(bench) };
}

describe("a Twitch channel", () => {
  it("is connected only for the inbox, and subscribed to its events", async () => {
    const { profile, there, fox, status } = await openBench();
    expect(profile).toMatchObject({
      name: "The Fox",
      handle: "fox",
      url: "https://www.twitch.tv/fox",
      inbox: { dm: { may: "reply" }, comment: { may: "reply" }, mention: { may: "reply" } },
    });
    expect(there.sentOf(fox)).toEqual(["channel.chat.message", "channel.chat.message_delete", "user.whisper.message"]);
    expect(await status()).toMatchObject({ subscribed_at: expect.any(String), failure: null });
  });

  it("that does not allow whispers is subscribed to its chat alone, and its profile says so", async () => {
    const { profile, there, fox, status } = await openBench([
      "user:read:chat",
      "user:write:chat",
      "user:bot",
      "channel:bot",
    ]);
    expect(profile.inbox.dm).toEqual({
      may: "none",
      why: "The profile lacks user:manage:whispers: reconnect it and allow all permissions.",
    });
    expect(profile.inbox.comment).toEqual({ may: "reply", why: null });
    expect(there.sentOf(fox)).toEqual(["channel.chat.message", "channel.chat.message_delete"]);
    expect(await status()).toMatchObject({ subscribed_at: expect.any(String), failure: null });
  });

  it("accepts no posts, and says so", async () => {
    const { social, clock, profile } = await openBench();
    const posting = clock.run(() => social.posts.create({ profile_ids: [profile.id], text: "Hello" }));
    await expect(posting).rejects.toMatchObject({
      code: "invalid_request",
      details: [{ field: "profile_ids[0]", network: "twitch", code: "unsupported" }],
    });
  });

  it("keeps lines that name its owner or reply to them, and drops all others before anything is stored", async () => {
    const { there, ann, fox, clock, conversations, storage } = await openBench();
    const viewers = ["bo", "cy"].map((login) => there.addViewer(login));
    for (const viewer of viewers) there.lineAs(viewer, fox, { text: "LUL" });
    const bos = there.lineAs(viewers[0] ?? "", fox, { text: "@cy hi" });
    there.lineAs(viewers[1] ?? "", fox, { text: "hi", reply_to: bos });
    const own = there.lineAs(fox, fox, { text: "Welcome all" });
    there.lineAs(ann, fox, { text: "thanks", reply_to: own });
    there.lineAs(ann, fox, { text: "@Fox when do you start?" });
    await clock.advance(1_000);
    const shown = (await conversations()).map(({ kind, participant, last_message }) => [
      kind,
      participant.name,
      last_message.text,
    ]);
    expect(shown.sort()).toEqual([
      ["comment", "Ann", "@fox thanks"],
      ["mention", "Ann", "@Fox when do you start?"],
    ]);
    expect((await storage.find("hook_events", { where: {} })).rows).toHaveLength(2);
  });

  it("has a line of a shared chat once", async () => {
    const bench = await openBench();
    const { external_id: other } = bench.there.addChannel("other");
    bench.there.lineAs(bench.ann, bench.fox, { text: "@fox from elsewhere", source: other });
    await bench.clock.advance(1_000);
    expect(await bench.conversations()).toEqual([]);
  });

  it("has one conversation for the replies below one line, and one for each person who whispers", async () => {
    const bench = await openBench();
    const { there, ann, fox, clock, texts, social } = bench;
    const { line, conversation } = await annWrites(bench);
    await clock.run(() => social.inbox.conversations.reply(conversation.id, { text: "We do." }));
    await clock.advance(1_000);
    const answer = there.lines().at(-1)?.id ?? "";
    there.lineAs(ann, fox, { text: "How long?", reply_to: answer });
    await clock.advance(1_000);
    there.lineAs(there.addViewer("bo"), fox, { text: "@fox me too", reply_to: line });
    await clock.advance(1_000);
    expect(await texts((await onlyConversation(bench)).id)).toEqual([
      ["inbound", "@ann @fox me too"],
      ["inbound", "@fox How long?"],
      ["outbound", "We do."],
      ["inbound", "@fox do you ship to Norway?"],
    ]);
    for (const text of ["psst", "hello?"]) there.whisperAs(ann, fox, text);
    await clock.advance(1_000);
    const [dm] = await bench.conversations();
    expect(dm).toMatchObject({ kind: "dm", unread_count: 2, participant: { id: ann, name: "Ann", handle: "ann" } });
    expect(dm?.participant.avatar_url).toMatch(/^https:/);
  });

  it("shows a line that a moderator has removed as deleted, even if the removal comes first", async () => {
    const bench = await openBench();
    const { line, conversation } = await annWrites(bench);
    bench.there.removeLine(line);
    bench.there.changeHooks({ lateSeconds: 5 });
    const late = bench.there.lineAs(bench.ann, bench.fox, { text: "@fox rude" });
    bench.there.changeHooks({ lateSeconds: 0 });
    bench.there.removeLine(late);
    await bench.clock.advance(minuteMs);
    const all = await Promise.all(
      (await bench.conversations()).map(async ({ id }) => (await bench.social.inbox.conversations.messages(id)).data),
    );
    expect(all.flat().map(({ text, deleted_at }) => [text, deleted_at === null])).toEqual([
      [null, false],
      [null, false],
    ]);
    expect(conversation.unread_count).toBe(1);
  });

  it.each([
    ["three times", { times: 3 }],
    ["three times under other ids", { times: 3, repeatsUnderNewIds: true }],
  ])("has a line once that is sent %s", async (_, ways) => {
    const bench = await openBench();
    bench.there.changeHooks(ways);
    const { conversation } = await annWrites(bench);
    expect(conversation.unread_count).toBe(1);
    expect(await bench.texts(conversation.id)).toHaveLength(1);
  });

  it("ignores events that are signed with another secret, or a week old", async () => {
    const bench = await openBench();
    bench.there.changeHooks({ isForged: true });
    bench.there.lineAs(bench.ann, bench.fox, { text: "@fox forged" });
    await bench.clock.advance(10 * minuteMs);
    expect(await bench.conversations()).toEqual([]);
    expect(new Set(bench.there.hookAnswers())).toEqual(new Set([403]));
    const old = new Date(bench.clock.now() - 7 * 24 * 3_600_000).toISOString();
    expect((await bench.clock.run(() => bench.handler(sentByHand(bench, { at: old })))).status).toBe(403);
    expect((await bench.clock.run(() => bench.handler(sentByHand(bench)))).status).toBe(200);
  });

  it("sets aside events of an unknown type", async () => {
    const bench = await openBench();
    const condition = { broadcaster_user_id: bench.fox, user_id: bench.fox };
    const subscription = { type: "channel.chat.message.v2", status: "enabled", condition };
    const body = JSON.stringify({ subscription, event: { message_id: "x" } });
    await bench.clock.run(() => bench.handler(sentByHand(bench, { body })));
    for (const text of ["1", "2", "3", "4", "5"]) {
      bench.there.lineAs(bench.ann, bench.fox, { text: `@fox ${text}` });
      await bench.clock.advance(minuteMs);
    }
    expect((await bench.storage.find("hook_events", { where: { state: "aside" } })).rows).toHaveLength(1);
  });

  it("ignores events that it cannot parse, and continues with the rest", async () => {
    const bench = await openBench();
    for (const body of ['{"subscription":7}', `{"event":${"[".repeat(30_000)}${"]".repeat(30_000)}}`]) {
      const broken = await bench.clock.run(() => bench.handler(sentByHand(bench, { body })));
      expect(broken.status).toBe(400);
    }
    await bench.clock.run(() => bench.handler(sentByHand(bench, { event: { message_id: "x" } })));
    await annWrites(bench);
    expect(bench.logger.lines.some((line) => line.includes("could not be read"))).toBe(true);
  });
});

/** A request as Twitch signs it. */
function sentByHand(
  { fox, clock }: Bench,
  { at = new Date(clock.now()).toISOString(), event = {}, body }: { at?: string; event?: object; body?: string } = {},
): Request {
  const condition = { broadcaster_user_id: fox, user_id: fox };
  const subscription = { type: "channel.chat.message", status: "enabled", condition };
  const sent = body ?? JSON.stringify({ subscription, event });
  const secret = createHmac("sha256", client_secret).update("eventsub").digest("hex");
  const id = `by-hand-${sent.length}`;
  const signature = createHmac("sha256", secret)
    .update(id + at + sent)
    .digest("hex");
  const headers = {
    "twitch-eventsub-message-id": id,
    "twitch-eventsub-message-timestamp": at,
    "twitch-eventsub-message-type": "notification",
    "twitch-eventsub-message-signature": `sha256=${signature}`,
  };
  return new Request(hookUrl, { method: "POST", headers, body: sent });
}

describe("a flood of lines in one chat", () => {
  it("is read to its end, in turns between which others are read, and each line once", async () => {
    const bench = await openBench();
    const { external_id: other, ...tokens } = bench.there.addChannel("quiet");
    const quiet = await bench.clock.run(() =>
      bench.social.profiles.connect({ network: "twitch", credentials: tokens }),
    );
    await bench.clock.advance(settledMs);
    await bench.clock.run(() => bench.social.stop());
    for (let line = 0; line < 600; line++) bench.there.lineAs(bench.ann, bench.fox, { text: `@fox spam ${line}` });
    bench.there.lineAs(bench.ann, other, { text: "@quiet hello" });
    await bench.clock.advance(1_000);
    const count = async (profileId: string) =>
      (await bench.storage.find("messages", { where: { profile_id: profileId } })).total;
    // One turn of each inbox.
    await bench.clock.run(() => bench.social.runDue({ atMost: 2 }));
    expect([await count(bench.profile.id), await count(quiet.id)]).toEqual([500, 1]);
    await bench.clock.run(() => bench.social.start());
    await bench.clock.advance(minuteMs);
    expect(await count(bench.profile.id)).toBe(600);
    expect((await bench.storage.find("hook_events", { where: { state: "new" } })).total).toBe(0);
  });
});

describe("a reply on Twitch", () => {
  it("is on the network once, and is shown once, whichever comes first", async () => {
    const bench = await openBench();
    const { line, conversation } = await annWrites(bench);
    const reply = { text: "We do:\nfour days.", idempotency_key: "ticket-1" };
    const given = await bench.clock.run(() => bench.social.inbox.conversations.reply(conversation.id, reply));
    await bench.clock.advance(minuteMs);
    const again = await bench.clock.run(() => bench.social.inbox.conversations.reply(conversation.id, reply));
    expect(again.id).toBe(given.id);
    expect(bench.there.lines().filter(({ reply_to }) => reply_to === line)).toMatchObject([
      { text: "@ann We do: four days." },
    ]);
    expect((await bench.texts(conversation.id)).filter(([direction]) => direction === "outbound")).toHaveLength(1);
  });

  it("is found by Twitch's event when its response is lost", async () => {
    const bench = await openBench();
    const { conversation } = await annWrites(bench);
    bench.there.faults.add({ kind: "drop_after", operation: "sendLine" });
    const reply = { text: "We do.", idempotency_key: "ticket-1" };
    const lost = bench.clock.run(() => bench.social.inbox.conversations.reply(conversation.id, reply));
    await expect(lost).rejects.toMatchObject({ code: "publish_failed", details: [{ code: "timeout" }] });
    await bench.clock.advance(5 * minuteMs);
    const found = await bench.clock.run(() => bench.social.inbox.conversations.reply(conversation.id, reply));
    expect(found).toMatchObject({ direction: "outbound", text: "@ann We do." });
    expect(bench.there.lines()).toHaveLength(2);
    expect(await bench.texts(conversation.id)).toHaveLength(2);
  });

  it("is never repeated where no event came back: its outcome is unknown", async () => {
    const bench = await openBench();
    const { conversation } = await annWrites(bench);
    bench.there.changeHooks({ isSilent: true });
    for (const kind of ["drop_after", "drop_before"] as const) {
      bench.there.faults.add({ kind, operation: "sendLine" });
      const reply = { text: `We do ${kind}.`, idempotency_key: kind };
      const lost = bench.clock.run(() => bench.social.inbox.conversations.reply(conversation.id, reply));
      await expect(lost).rejects.toMatchObject({ details: [{ code: "timeout" }] });
      await bench.clock.advance(10 * minuteMs);
      const again = bench.clock.run(() => bench.social.inbox.conversations.reply(conversation.id, reply));
      await expect(again).rejects.toMatchObject({ details: [{ code: "timeout" }] });
    }
    expect(bench.there.lines().map(({ text }) => text)).toEqual([
      "@fox do you ship to Norway?",
      "@ann We do drop_after.",
    ]);
  });

  it("is found by Twitch's event though an earlier one, with another text, stays unknown", async () => {
    const bench = await openBench();
    const { conversation } = await annWrites(bench);
    const reply = (text: string) =>
      bench.clock.run(() =>
        bench.social.inbox.conversations.reply(conversation.id, { text, idempotency_key: `key of ${text}` }),
      );
    const unknown = { details: [{ code: "timeout" }] };
    bench.there.changeHooks({ isSilent: true });
    bench.there.faults.add({ kind: "drop_after", operation: "sendLine" });
    await expect(reply("We do.")).rejects.toMatchObject(unknown);
    await bench.clock.advance(10 * minuteMs);
    bench.there.changeHooks({ isSilent: false });
    bench.there.faults.add({ kind: "drop_after", operation: "sendLine" });
    await expect(reply("Four days.")).rejects.toMatchObject(unknown);
    await bench.clock.advance(5 * minuteMs);
    expect(await reply("Four days.")).toMatchObject({ text: "@ann Four days." });
  });

  it("is not confused with an earlier line of the owner with the same text", async () => {
    const bench = await openBench();
    const { line, conversation } = await annWrites(bench);
    bench.there.lineAs(bench.fox, bench.fox, { text: "We do.", reply_to: line });
    await bench.clock.advance(10 * minuteMs);
    bench.there.faults.add({ kind: "drop_before", operation: "sendLine" });
    const reply = { text: "We do.", idempotency_key: "ticket-1" };
    const lost = bench.clock.run(() => bench.social.inbox.conversations.reply(conversation.id, reply));
    await expect(lost).rejects.toMatchObject({ details: [{ code: "timeout" }] });
    await bench.clock.advance(10 * minuteMs);
    const again = bench.clock.run(() => bench.social.inbox.conversations.reply(conversation.id, reply));
    await expect(again).rejects.toMatchObject({ details: [{ code: "timeout" }] });
  });

  it("is rejected with Twitch's own reason where it drops the line with a success status", async () => {
    const bench = await openBench();
    const { conversation } = await annWrites(bench);
    bench.there.change({ dropsLines: "This room is in followers-only mode." });
    const reply = bench.clock.run(() => bench.social.inbox.conversations.reply(conversation.id, { text: "We do." }));
    const message = expect.stringContaining("followers-only");
    await expect(reply).rejects.toMatchObject({
      code: "publish_failed",
      details: [{ code: "rejected_by_network", message }],
    });
    expect(bench.there.lines()).toHaveLength(1);
  });

  it("goes out as a whisper, of which Twitch gives no id, once", async () => {
    const bench = await openBench();
    bench.there.whisperAs(bench.ann, bench.fox, "psst");
    await bench.clock.advance(1_000);
    const { id } = await onlyConversation(bench);
    const reply = { text: "What is it?", idempotency_key: "ticket-1" };
    const given = await bench.clock.run(() => bench.social.inbox.conversations.reply(id, reply));
    expect(given).toMatchObject({ direction: "outbound", text: "What is it?" });
    expect(given).not.toHaveProperty("external_id");
    expect(await bench.clock.run(() => bench.social.inbox.conversations.reply(id, reply))).toEqual(given);
    expect(bench.there.whispers().map(({ text }) => text)).toEqual(["psst", "What is it?"]);
    expect(await bench.texts(id)).toHaveLength(2);
  });

  it("is not whispered again after a lost response", async () => {
    const bench = await openBench();
    bench.there.whisperAs(bench.ann, bench.fox, "psst");
    await bench.clock.advance(1_000);
    const { id } = await onlyConversation(bench);
    bench.there.faults.add({ kind: "drop_after", operation: "sendWhisper" });
    const reply = { text: "What is it?", idempotency_key: "ticket-1" };
    const answering = () => bench.clock.run(() => bench.social.inbox.conversations.reply(id, reply));
    await expect(answering()).rejects.toMatchObject({ details: [{ code: "timeout" }] });
    await bench.clock.advance(10 * minuteMs);
    await expect(answering()).rejects.toMatchObject({ details: [{ code: "timeout" }] });
    expect(bench.there.whispers()).toHaveLength(2);
  });

  it.each([
    ["a line", "@fox hi", 501],
    ["a whisper", "psst", 10_001],
  ])("is rejected as %s that is too long, before anything is sent", async (kind, text, length) => {
    const bench = await openBench();
    if (kind === "a line") bench.there.lineAs(bench.ann, bench.fox, { text });
    else bench.there.whisperAs(bench.ann, bench.fox, text);
    await bench.clock.advance(1_000);
    const { id } = await onlyConversation(bench);
    const reply = bench.clock.run(() => bench.social.inbox.conversations.reply(id, { text: "x".repeat(length) }));
    await expect(reply).rejects.toMatchObject({ details: [{ field: "text", code: "invalid_request" }] });
    expect([...bench.there.lines(), ...bench.there.whispers()]).toHaveLength(1);
  });
});

describe("a Twitch channel that is connected", () => {
  async function connecting() {
    const service = createTestService({ networks: [twitch({ app: () => ({ client_id, client_secret }) })] });
    const { social, sandbox, clock } = service;
    sandbox.twitch.sendHooksTo(createHandler(social));
    await clock.run(() => social.start());
    const { external_id: fox, ...credentials } = sandbox.twitch.addChannel("fox");
    const connect = (login = credentials) =>
      clock.run(() => social.profiles.connect({ network: "twitch", credentials: login }));
    const status = async () => (await social.inbox.status()).data[0];
    return { ...service, there: sandbox.twitch, fox, connect, status };
  }

  it("is subscribed to within two seconds, and earlier messages are a gap", async () => {
    const { there, fox, clock, connect, status, social } = await connecting();
    const from = clock.now();
    await connect();
    await clock.advance(2_000);
    expect(there.sentOf(fox)).toHaveLength(3);
    there.lineAs(there.addViewer("ann", "Ann"), fox, { text: "@fox hello" });
    await clock.advance(2_000);
    expect((await social.inbox.conversations.list()).data).toHaveLength(1);
    const { hooks, gaps } = (await status()) ?? {};
    expect(Date.parse(hooks?.subscribed_at ?? "") - from).toBeLessThanOrEqual(3_000);
    expect(gaps).toEqual([{ from: new Date(from).toISOString(), until: hooks?.subscribed_at }]);
  });

  it("is subscribed to within two seconds when it is reconnected", async () => {
    const { there, fox, clock, connect, social, status } = await connecting();
    const { id } = await connect();
    await clock.advance(minuteMs);
    await clock.run(() => social.profiles.disconnect(id));
    await clock.advance(60 * minuteMs);
    expect(there.sentOf(fox)).toEqual([]);
    await connect(there.logIn(fox));
    await clock.advance(2_000);
    expect(there.sentOf(fox)).toHaveLength(3);
    await clock.advance(2_000);
    expect((await status())?.gaps).toHaveLength(2);
    there.revoke(fox);
    await clock.advance(60 * minuteMs);
    expect(await social.profiles.get(id)).toMatchObject({ status: "needs_attention" });
    await connect(there.logIn(fox));
    await clock.advance(2_000);
    expect(there.sentOf(fox)).toHaveLength(3);
  });

  it("has a gap until Twitch confirms, however long that takes", async () => {
    const { there, clock, connect, status } = await connecting();
    there.faults.add({
      kind: "refuse",
      answer: { status: 503, text: "Down" },
      operation: "createSubscription",
      times: 3,
    });
    const from = clock.now();
    await connect();
    await clock.advance(20 * minuteMs);
    const { hooks, gaps } = (await status()) ?? {};
    expect(Date.parse(hooks?.subscribed_at ?? "") - from).toBeGreaterThan(30_000);
    expect(gaps).toEqual([{ from: new Date(from).toISOString(), until: hooks?.subscribed_at }]);
  });
});

describe("the subscription at Twitch", () => {
  it("is renewed when Twitch ends it", async () => {
    const { there, fox, clock, status, social } = await openBench();
    // Without the one before Twitch confirmed for the first time.
    const gaps = async () => (await social.inbox.status()).data[0]?.gaps.slice(1);
    const from = new Date(clock.now()).toISOString();
    there.endSubscriptions(fox, "notification_failures_exceeded");
    await clock.advance(1_000);
    expect(await gaps()).toEqual([]);
    expect(there.sentOf(fox)).toEqual([]);
    expect((await status())?.failure).toMatch(/ended/);
    await clock.advance(5 * minuteMs);
    expect(there.sentOf(fox)).toHaveLength(3);
    expect((await status())?.failure).toBeNull();
    // Twitch does not show the lines written meanwhile.
    const [gap] = (await gaps()) ?? [];
    expect(gap?.from).toBe(from);
    expect(Date.parse(gap?.until ?? "") - Date.parse(from)).toBeGreaterThanOrEqual(minuteMs);
  });

  it("is renewed when the app has another secret", async () => {
    const bench = await openBench();
    bench.there.changeSecret(client_id, "another-secret-of-the-app");
    bench.app.client_secret = "another-secret-of-the-app";
    bench.there.lineAs(bench.ann, bench.fox, { text: "@fox too early" });
    await bench.clock.advance(7 * 60 * minuteMs);
    expect(bench.there.sentOf(bench.fox)).toHaveLength(3);
    expect((await annWrites(bench)).conversation.unread_count).toBe(1);
  });

  it("ends with the profile, when its owner disconnects the app at Twitch", async () => {
    const { there, fox, clock, social, profile } = await openBench();
    there.revoke(fox);
    await clock.advance(minuteMs);
    expect(await social.profiles.get(profile.id)).toMatchObject({ status: "needs_attention" });
  });

  it("ends when the profile is disconnected here", async () => {
    const { there, fox, clock, social, profile } = await openBench();
    await clock.run(() => social.profiles.disconnect(profile.id));
    await clock.advance(minuteMs);
    expect(there.sentOf(fox)).toEqual([]);
  });

  it("reveals within the hour that the connection is over, though no event arrives", async () => {
    const bench = await openBench();
    bench.there.changeHooks({ isSilent: true });
    bench.there.revoke(bench.fox);
    await bench.clock.advance(61 * minuteMs);
    const { status }: Profile = await bench.social.profiles.get(bench.profile.id);
    expect(status).toBe("needs_attention");
  });

  it("continues when the credentials are renewed", async () => {
    const bench = await openBench();
    bench.there.expireTokens();
    await bench.clock.advance(61 * minuteMs);
    await annWrites(bench);
    expect(await bench.social.profiles.get(bench.profile.id)).toMatchObject({ status: "connected" });
  });
});

describe("a follower of an inbox", () => {
  /** The texts that were received, until the signal ends it. */
  async function tell({ social }: Bench, query: { profile_id: string; after?: number }, signal: AbortSignal) {
    const told: (string | null)[] = [];
    let last = 0;
    for await (const { messages, next } of social.inbox.follow(query, { signal })) {
      told.push(...messages.map(({ text }) => text));
      last = next;
    }
    return { told, last };
  }

  it("gets each message within seconds, and continues after a restart at its place", async () => {
    const bench = await openBench();
    const ending = new AbortController();
    const telling = tell(bench, { profile_id: bench.profile.id }, ending.signal);
    for (const text of ["@fox one", "@fox two"]) {
      bench.there.lineAs(bench.ann, bench.fox, { text });
      await bench.clock.advance(5_000);
    }
    ending.abort();
    await bench.clock.advance(5_000);
    const { told, last } = await telling;
    expect(told).toEqual(["@fox one", "@fox two"]);
    bench.there.lineAs(bench.ann, bench.fox, { text: "@fox three" });
    await bench.clock.advance(1_000);
    const again = new AbortController();
    const rest = tell(bench, { profile_id: bench.profile.id, after: last }, again.signal);
    await bench.clock.advance(5_000);
    again.abort();
    await bench.clock.advance(5_000);
    expect((await rest).told).toEqual(["@fox three"]);
  });

  it("continues from the end where the store is older than its cursor, as after a restored backup", async () => {
    const bench = await openBench();
    const ending = new AbortController();
    const telling = tell(bench, { profile_id: bench.profile.id, after: 1_000 }, ending.signal);
    await bench.clock.advance(5_000);
    bench.there.lineAs(bench.ann, bench.fox, { text: "@fox hello" });
    await bench.clock.advance(5_000);
    ending.abort();
    await bench.clock.advance(5_000);
    expect((await telling).told).toEqual(["@fox hello"]);
  });

  it("gets an error for a profile of another account", async () => {
    const bench = await openBench();
    const following = bench.social.forAccount("acct_other").inbox.follow({ profile_id: bench.profile.id });
    await expect(following.next()).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("the extra content of a chat", () => {
  it("includes, for a line, the line to which it replies", async () => {
    const bench = await openBench();
    const first = bench.there.lineAs(bench.ann, bench.fox, { text: "@fox Kappa do you ship?" });
    bench.there.lineAs(bench.ann, bench.fox, { text: "@fox or not?", reply_to: first });
    await bench.clock.advance(1_000);
    const { id, url } = await onlyConversation(bench);
    expect(url).toBe("https://www.twitch.tv/fox");
    const { data } = await bench.social.inbox.conversations.messages(id);
    const asked = data.find(({ external_id }) => external_id === first);
    expect(asked).toMatchObject({
      reply_to: null,
      attachments: [
        { type: "emote", name: "Kappa", url: "https://static-cdn.jtvnw.net/emoticons/v2/25/default/dark/3.0" },
      ],
    });
    expect(data.filter(({ reply_to }) => reply_to === asked?.id)).toHaveLength(1);
  });

  it("includes, for a whisper, the page of its author", async () => {
    const bench = await openBench();
    bench.there.whisperAs(bench.ann, bench.fox, "Psst");
    await bench.clock.advance(1_000);
    expect((await onlyConversation(bench)).url).toBe("https://www.twitch.tv/ann");
  });
});
