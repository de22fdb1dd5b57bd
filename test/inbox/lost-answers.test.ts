import { describe, expect, it } from "vitest";
import { openBench } from "./facebook-bench.ts";

const secondMs = 1_000;
const minuteMs = 60 * secondMs;

/** A conversation in which the answer to the first reply is lost, and what Facebook has of it. */
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
  // Nothing is sent of it by itself: only a look can find it.
  there.changeHooks({ isSilent: true });
  there.faults.add({ kind: fault, operation: "commit" });
  const lost = reply("We do.");
  await expect(lost).rejects.toMatchObject({ code: "publish_failed", details: [{ code: "timeout" }] });
  return { ...bench, id, reply, sent };
}

describe("a reply after one whose answer was lost", () => {
  it("goes out once the earlier request is certainly over, long before it is known what became of it", async () => {
    const { reply, sent } = await afterLoss();
    // The request of the lost one has waited for its end by now.
    expect(await reply("And to Sweden.")).toMatchObject({ text: "And to Sweden." });
    expect(sent()).toEqual(["We do.", "And to Sweden."]);
  });

  it("that is given while the earlier request may be under way waits for its end, and then goes out", async () => {
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
    "that says the same (%j) is not sent while the earlier one is looked for, and says why",
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

  it("that says the same goes out once the earlier one is known not to have been sent", async () => {
    const { reply, sent, clock } = await afterLoss("drop_before");
    await clock.advance(20 * minuteMs);
    await reply("We do.", "another-key");
    expect(sent()).toEqual(["We do."]);
  });

  it("that says the same goes out in another conversation", async () => {
    const { sent, facebook: there, page, clock, social, conversations } = await afterLoss();
    there.changeHooks({ isSilent: false });
    there.messageAs(there.addFan("Bo"), page, "Hello?");
    await clock.advance(secondMs);
    const other = (await conversations()).find(({ participant }) => participant.name === "Bo");
    await clock.run(() => social.inbox.conversations.reply(other?.id ?? "", { text: "We do." }));
    expect(sent()).toEqual(["We do.", "We do."]);
  });
});
