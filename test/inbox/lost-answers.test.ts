import { describe, expect, it } from "vitest";
import { createHandler } from "../../src/http/index.ts";
import type { NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import type { Publisher } from "../../src/networks/contract/publish.ts";
import { twitch } from "../../src/networks/twitch/index.ts";
import { sandboxApp } from "../../src/sandbox/twitch/logins.ts";
import { createTestService } from "../support/service.ts";
import { openBench } from "./facebook-bench.ts";

const secondMs = 1_000;
const minuteMs = 60 * secondMs;

/** A conversation in which the response to the first reply is lost, and Facebook's copy of it. */
async function afterLoss(fault: "drop_after" | "drop_before" = "drop_after") {
  const bench = await openBench();
  const { facebook: there, ann, page, clock, social } = bench;
  there.messageAs(ann, page, "Hello?");
  await clock.advance(secondMs);
  const [conversation] = await bench.conversations();
  const id = conversation?.id ?? "";
  const reply = (text: string, idempotency_key = `key of ${text}`) =>
    clock.run(() => social.inbox.conversations.reply(id, { text, idempotency_key }));
  const sent = () => there.messages().flatMap(({ text }) => (text === "Hello?" ? [] : [text]));
  // Facebook sends no event about it: only a look can find it.
  there.changeHooks({ isSilent: true });
  there.faults.add({ kind: fault, operation: "commit" });
  const lost = reply("We do.");
  await expect(lost).rejects.toMatchObject({ code: "publish_failed", details: [{ code: "timeout" }] });
  return { ...bench, id, reply, sent };
}

describe("a reply after one whose response was lost", () => {
  it("goes out once the earlier request is certainly over, long before its outcome is known", async () => {
    const { reply, sent } = await afterLoss();
    // The request of the lost one has waited for its end by now.
    expect(await reply("And to Sweden.")).toMatchObject({ text: "And to Sweden." });
    expect(sent()).toEqual(["We do.", "And to Sweden."]);
  });

  it("created while the earlier request may be under way waits for its end, and then goes out", async () => {
    const bench = await openBench();
    const { facebook: there, ann, page, clock, social } = bench;
    there.messageAs(ann, page, "Hello?");
    await clock.advance(secondMs);
    const [conversation] = await bench.conversations();
    const reply = (text: string) => social.inbox.conversations.reply(conversation?.id ?? "", { text });
    there.faults.add({ kind: "drop_after", operation: "commit" });
    await clock.run(async () => {
      const lost = reply("We do.").catch(() => null);
      await clock.sleep(10 * secondMs);
      const before = clock.now();
      expect(await reply("And to Sweden.")).toMatchObject({ text: "And to Sweden." });
      expect(clock.now() - before).toBeGreaterThan(10 * secondMs);
      expect(clock.now() - before).toBeLessThanOrEqual(20 * secondMs);
      await lost;
    });
  });

  it.each(["We do.", "  we DO.  "])(
    "with the same text (%j) is not sent while the earlier one is looked for, and says why",
    async (text) => {
      const { reply, sent } = await afterLoss();
      const refused = reply(text, "another-key");
      await expect(refused).rejects.toMatchObject({
        code: "publish_failed",
        details: [{ code: "network_error", message: expect.stringMatching(/not sent.*same text may be live/i) }],
      });
      expect(sent()).toEqual(["We do."]);
    },
  );

  it("with the same text goes out once the earlier one is known not to have been sent", async () => {
    const { reply, sent, clock } = await afterLoss("drop_before");
    await clock.advance(20 * minuteMs);
    await reply("We do.", "another-key");
    expect(sent()).toEqual(["We do."]);
  });

  it("with the same text goes out in another conversation", async () => {
    const { sent, facebook: there, page, clock, social, conversations } = await afterLoss();
    there.changeHooks({ isSilent: false });
    there.messageAs(there.addFan("Bo"), page, "Hello?");
    await clock.advance(secondMs);
    const other = (await conversations()).find(({ participant }) => participant.name === "Bo");
    await clock.run(() => social.inbox.conversations.reply(other?.id ?? "", { text: "We do." }));
    expect(sent()).toEqual(["We do.", "We do."]);
  });
});

/** A network that counts the looks for a lost reply. */
function countingLooks(adapter: NetworkAdapter) {
  const { inbox } = adapter;
  if (inbox?.reply === undefined) throw new Error("Nothing is answered there.");
  let looks = 0;
  const counting = (publisher: Publisher): Publisher => ({
    ...publisher,
    lookFor(context, input) {
      looks += 1;
      return publisher.lookFor(context, input);
    },
  });
  const publishers = Object.fromEntries(
    Object.entries(inbox.reply.publishers ?? {}).map(([kind, publisher]) => [kind, counting(publisher)]),
  );
  return { adapter: { ...adapter, inbox: { ...inbox, reply: { ...inbox.reply, publishers } } }, looks: () => looks };
}

/** Ann names the owner of a channel, where replies get no response and no event. */
async function openChannel() {
  const { client_id, client_secret } = sandboxApp;
  const { adapter, looks } = countingLooks(twitch({ app: () => ({ client_id, client_secret }) }));
  const service = createTestService({ networks: [adapter] });
  const { social, sandbox, clock } = service;
  const { twitch: there } = sandbox;
  there.sendHooksTo(createHandler(social));
  await clock.run(() => social.start());
  const { external_id: fox, ...tokens } = there.addChannel("fox");
  await clock.run(() => social.profiles.connect({ network: "twitch", credentials: tokens }));
  await clock.advance(5 * minuteMs);
  const ann = there.addViewer("ann", "Ann");
  there.lineAs(ann, fox, { text: "@fox hello?" });
  there.whisperAs(ann, fox, "psst");
  await clock.advance(secondMs);
  const { data } = await social.inbox.conversations.list();
  const idOf = (kind: string) => data.find((each) => each.kind === kind)?.id ?? "";
  const replyTo = (kind: "dm" | "mention") => (text: string, idempotency_key: string) =>
    clock.run(() => social.inbox.conversations.reply(idOf(kind), { text, idempotency_key }));
  const outbound = async () => {
    const { data: messages } = await social.inbox.conversations.messages(idOf("mention"));
    return messages.flatMap(({ direction, text }) => (direction === "outbound" ? [text] : []));
  };
  const lose = (operation: string) => there.faults.add({ kind: "drop_after", operation });
  return { ...service, there, fox, looks, lose, outbound, whisper: replyTo("dm"), line: replyTo("mention") };
}

describe("a reply whose outcome cannot be verified", () => {
  const isSought = {
    code: "publish_failed",
    details: [{ code: "timeout", message: expect.stringMatching(/^It may have been sent.*still/) }],
  };
  const isUndecided = {
    code: "conflict",
    status: 409,
    details: [
      {
        network: "twitch",
        code: "timeout",
        message: expect.stringMatching(/^The outcome cannot be determined: .*new key/),
      },
    ],
  };

  it("says so after failed looks, and that it is looked for until then", async () => {
    const { whisper, lose, clock } = await openChannel();
    lose("sendWhisper");
    await expect(whisper("Hi", "ticket-1")).rejects.toMatchObject(isSought);
    await clock.advance(5 * minuteMs);
    await expect(whisper("Hi", "ticket-1")).rejects.toMatchObject(isUndecided);
  });

  it("is looked for once more when its key is repeated, at most once a minute", async () => {
    const { whisper, lose, looks, clock, there } = await openChannel();
    lose("sendWhisper");
    await whisper("Hi", "ticket-1").catch(() => null);
    await clock.advance(5 * minuteMs);
    const before = looks();
    for (const wanted of [1, 2, 3]) {
      for (let repeats = 0; repeats < 5; repeats++)
        await expect(whisper("Hi", "ticket-1")).rejects.toMatchObject(isUndecided);
      expect(looks() - before).toBe(wanted);
      await clock.advance(minuteMs);
    }
    expect(there.whispers()).toHaveLength(2);
  });

  it("blocks no later reply with the same text", async () => {
    const { whisper, lose, clock, there } = await openChannel();
    lose("sendWhisper");
    await whisper("Thanks!", "ticket-1").catch(() => null);
    await expect(whisper("Thanks!", "ticket-2")).rejects.toMatchObject({ details: [{ code: "network_error" }] });
    await clock.advance(5 * minuteMs);
    expect(await whisper("Thanks!", "ticket-3")).toMatchObject({ text: "Thanks!" });
    expect(there.whispers().map(({ text }) => text)).toEqual(["psst", "Thanks!", "Thanks!"]);
  });

  it("is not looked for on a disconnected profile", async () => {
    const { whisper, lose, looks, clock, social } = await openChannel();
    lose("sendWhisper");
    await whisper("Hi", "ticket-1").catch(() => null);
    await clock.advance(5 * minuteMs);
    const [profile] = (await social.profiles.list()).data;
    await clock.run(() => social.profiles.disconnect(profile?.id ?? ""));
    const before = looks();
    await expect(whisper("Hi", "ticket-1")).rejects.toMatchObject(isUndecided);
    expect(looks()).toBe(before);
  });

  it("is matched with a message of its text that the network sends later, and its key returns that", async () => {
    const { line, lose, clock, there, outbound, storage } = await openChannel();
    there.changeHooks({ lateSeconds: 20 * 60 });
    lose("sendLine");
    await line("We do.", "ticket-1").catch(() => null);
    await clock.advance(10 * minuteMs);
    expect((await storage.find("messages", { where: { state: "undecided" } })).total).toBe(1);
    await clock.advance(12 * minuteMs);
    expect((await storage.find("messages", { where: { state: "merged" } })).total).toBe(1);
    expect(await line("We do.", "ticket-1")).toMatchObject({ text: "@ann We do." });
    expect(await outbound()).toEqual(["@ann We do."]);
  });

  it("is not matched with a message of its text that the owner wrote later by hand", async () => {
    const { line, lose, clock, there, fox, outbound } = await openChannel();
    there.changeHooks({ isSilent: true });
    lose("sendLine");
    await line("We do.", "ticket-1").catch(() => null);
    await clock.advance(60 * minuteMs);
    there.changeHooks({ isSilent: false });
    const asked = there.lines().find(({ text }) => text === "@fox hello?");
    there.lineAs(fox, fox, { text: "We do.", reply_to: asked?.id ?? "" });
    await clock.advance(minuteMs);
    await expect(line("We do.", "ticket-1")).rejects.toMatchObject(isUndecided);
    expect(await outbound()).toHaveLength(1);
  });

  it("is not matched when two had the same text and one of them is sent back", async () => {
    const { line, lose, clock, there } = await openChannel();
    there.changeHooks({ isSilent: true });
    lose("sendLine");
    await line("We do.", "ticket-1").catch(() => null);
    await clock.advance(100 * secondMs);
    there.changeHooks({ isSilent: false, lateSeconds: 10 * 60 });
    lose("sendLine");
    await line("We do.", "ticket-2").catch(() => null);
    await clock.advance(30 * minuteMs);
    const outcomes = await Promise.all(
      ["ticket-1", "ticket-2"].map((key) => line("We do.", key).catch(({ code }: { code: string }) => code)),
    );
    expect(outcomes).toEqual(["conflict", "conflict"]);
  });
});
