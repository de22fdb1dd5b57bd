import { beforeEach, describe, expect, it } from "vitest";
import { listedNetworks } from "../support/inbox-networks.ts";
import { type InboxBench, inboxBench } from "./bench.ts";

describe.each(listedNetworks)("a reply on $network", (network) => {
  const { name } = network;
  let bench: InboxBench;
  let id: string;

  beforeEach(async () => {
    bench = await inboxBench(network);
    await bench.writes({ text: `${name} do you ship to Norway?` });
    const [conversation] = (await bench.social.inbox.conversations.list()).data;
    id = conversation?.id ?? "";
  });

  const conversations = () => bench.social.inbox.conversations;
  const reply = (text: string, idempotency_key?: string) =>
    bench.clock.run(() => conversations().reply(id, { text, ...(idempotency_key && { idempotency_key }) }));
  const texts = async () => (await conversations().messages(id)).data.map(({ text }) => text);
  /** How often it exists on the network. */
  const times = (text: string) => network.posts(bench.sandbox).filter((each) => each.text.includes(text)).length;
  const faults = () => bench.sandbox[network.network].faults;

  it("stands in the thread, there and here", async () => {
    const message = await reply("We do.");
    expect(message).toMatchObject({ direction: "outbound", text: "We do.", conversation_id: id });
    expect(times("We do.")).toBe(1);
    expect(await texts()).toEqual(["We do.", `${name} do you ship to Norway?`]);
    const conversation = await conversations().get(id);
    expect(conversation).toMatchObject({ unread_count: 1, last_message: { text: "We do." } });
    await bench.read();
    // Read from the network it is the same message.
    expect(await texts()).toHaveLength(2);
    expect((await conversations().list()).pagination.total).toBe(1);
  });

  it("may get an answer in the same conversation", async () => {
    const { external_id } = await reply("We do.");
    await bench.writes({ text: `${name} lovely`, reply_to: external_id });
    expect(await texts()).toEqual([`${name} lovely`, "We do.", `${name} do you ship to Norway?`]);
  });

  it("goes to the newest message of another user, or to the named one", async () => {
    const answeredBy = (text: string) =>
      network.posts(bench.sandbox).find((each) => each.text.includes(text))?.reply_to ?? null;
    const [first] = (await conversations().messages(id)).data;
    const second = await bench.writes({ text: `${name} and when?`, reply_to: first?.external_id ?? "" });
    await reply("Tomorrow.");
    await bench.clock.run(() => conversations().reply(id, { text: "We do ship.", reply_to: first?.id ?? "" }));
    expect(answeredBy("Tomorrow.")).toBe(second);
    expect(answeredBy("We do ship.")).toBe(first?.external_id);
  });

  it("to the account's own message is rejected, and the error names the field", async () => {
    const own = await reply("We do.");
    for (const reply_to of [own.id, "msg_none", id]) {
      const refused = bench.clock.run(() => conversations().reply(id, { text: "Hm.", reply_to }));
      await expect(refused).rejects.toMatchObject({ code: "invalid_request", details: [{ field: "reply_to" }] });
    }
    expect(times("Hm.")).toBe(0);
  });

  it("goes out once under one key", async () => {
    const first = await reply("We do.", "answer-0001");
    const again = await bench.clock.run(() =>
      conversations().replyOrReplay(id, { text: "We do.", idempotency_key: "answer-0001" }),
    );
    expect(again).toEqual({ message: first, replayed: true });
    expect(times("We do.")).toBe(1);
  });

  it("goes out once under one key of two concurrent requests", async () => {
    const both = await bench.clock.run(() =>
      Promise.all(["1", "2"].map(() => conversations().reply(id, { text: "We do.", idempotency_key: "answer-0001" }))),
    );
    expect(both[0]).toEqual(both[1]);
    expect(times("We do.")).toBe(1);
  });

  it("is found when the response was lost", async () => {
    faults().add({ kind: "drop_after", operation: "commit" });
    const failure = await reply("We do.", "answer-0001").catch((error: unknown) => error);
    const isFound = network.network === "bluesky";
    if (!isFound)
      expect(failure).toMatchObject({ code: "publish_failed", status: 422, details: [{ code: "timeout" }] });
    await bench.read();
    const again = await reply("We do.", "answer-0001");
    expect(again).toMatchObject({ direction: "outbound", text: expect.stringContaining("We do.") });
    await bench.read();
    expect(times("We do.")).toBe(1);
    expect(await texts()).toHaveLength(2);
  });

  it("is known not to be sent when its request never arrived, unless that is known in time", async () => {
    faults().add({ kind: "drop_before", operation: "commit" });
    const isKnownAtOnce = network.network === "bluesky";
    const sent = reply("We do.", "answer-0001");
    if (!isKnownAtOnce) await expect(sent).rejects.toMatchObject({ details: [{ code: "timeout" }] });
    else await sent;
    for (let looks = 0; looks < 3; looks++) await bench.read();
    expect(times("We do.")).toBe(isKnownAtOnce ? 1 : 0);
    await reply("We do.", "answer-0001");
    expect(times("We do.")).toBe(1);
    expect(await texts()).toHaveLength(2);
  });

  it("is not sent by a process that finds it too late", async () => {
    bench.sandbox[network.network].rateLimit(120);
    await reply("We do.", "answer-0001").catch(() => null);
    await bench.clock.advance(300_000);
    const { storage, clock, profile } = bench;
    const [message] = (await storage.find("messages", { where: { state: "failed" } })).rows;
    // The state that a process leaves when it dies before its first request.
    const due_at = clock.now();
    const intents = (await storage.find("intents", { where: { subject_id: message?.id ?? "" } })).rows;
    await storage.write([
      ...intents.map(({ id }) => ({ kind: "delete" as const, collection: "intents" as const, id })),
      { kind: "update", collection: "messages", id: message?.id ?? "", change: { state: "open", due_at }, where: {} },
      { kind: "update", collection: "profiles", id: profile.id, change: { due_at }, where: {} },
    ]);
    await bench.read();
    expect(times("We do.")).toBe(0);
    expect(await storage.get("messages", message?.id ?? "")).toMatchObject({ state: "failed", due_at: null });
  });

  it("is the message that was read from the network before its own response was found", async () => {
    faults().add({ kind: "drop_after", operation: "commit" });
    const first = await reply("We do.", "answer-0001").catch(() => null);
    const { storage, clock } = bench;
    const [inbox] = (await storage.find("inboxes", { where: {} })).rows;
    const state = inbox?.private as { sources: Record<string, object> };
    const sources = { ...state.sources, own: { ...state.sources.own, due_at: 0 } };
    const change = { due_at: clock.now(), private: { ...state, sources } };
    await storage.write([{ kind: "update", collection: "inboxes", id: inbox?.id ?? "", change, where: {} }]);
    await clock.advance(2_000);
    await bench.read();
    expect(await texts()).toHaveLength(2);
    const again = await reply("We do.", "answer-0001");
    expect(again.text).toContain("We do.");
    if (first !== null) expect(again.id).toBe(first.id);
    expect(await texts()).toHaveLength(2);
    expect(times("We do.")).toBe(1);
  });

  it("is known not to be sent when the network asks for a longer wait than the caller allows", async () => {
    bench.sandbox[network.network].rateLimit(120);
    await expect(reply("We do.", "answer-0001")).rejects.toMatchObject({
      code: "publish_failed",
      details: [{ code: "network_error", message: expect.stringContaining("was not sent") }],
    });
    await bench.clock.advance(300_000);
    expect(times("We do.")).toBe(0);
    expect(await texts()).toHaveLength(1);
    await reply("We do, every day.", "answer-0001");
    expect(times("We do")).toBe(1);
    expect(await texts()).toEqual(["We do, every day.", `${name} do you ship to Norway?`]);
  });

  it("is rejected before anything is stored when it is too long, and the error names the limit", async () => {
    await expect(reply("x".repeat(501))).rejects.toMatchObject({
      code: "publish_failed",
      status: 422,
      details: [
        { field: "text", code: "invalid_request", message: expect.stringMatching(/of at most \d+ characters/) },
      ],
    });
    const stored = await bench.storage.find("messages", { where: { direction: "outbound" } });
    expect(stored.total).toBe(0);
  });

  it("is rejected with the network's reason", async () => {
    faults().add({
      kind: "refuse",
      answer: { status: 403, json: { error: "This action is not allowed" } },
      operation: "commit",
    });
    await expect(reply("We do.")).rejects.toMatchObject({ code: "publish_failed", status: 422 });
    expect(times("We do.")).toBe(0);
  });

  it("is rejected when the profile is disconnected", async () => {
    await bench.clock.run(() => bench.social.profiles.disconnect(bench.profile.id));
    await expect(reply("We do.")).rejects.toMatchObject({ details: [{ code: "profile_unavailable" }] });
  });
});
