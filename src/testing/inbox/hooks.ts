import { expect, it } from "vitest";
import type { NetworkAdapter } from "../../networks/contract/adapter.ts";
import type { InboxScene } from "../../sandbox/inbox-scene.ts";
import { type InboxContractOptions, type InboxTest, openInbox } from "./bench.ts";
import { writeIn } from "./reading.ts";

/** Requirements of a network that sends webhooks. */
export function hooksContract(options: InboxContractOptions, probe: InboxScene): void {
  const writes = ({ scene }: InboxTest, text: string): string => writeIn(scene.person("Ann"))(text);
  const count = async (test: InboxTest, text: string): Promise<number> => (await test.shown(text)).length;
  const change = ({ scene }: InboxTest, ways: Parameters<NonNullable<InboxScene["hooks"]>["change"]>[0]): void =>
    scene.hooks?.change(ways);

  it("reads a webhook within a minute", async () => {
    const test = await openInbox(options);
    writes(test, "Hello?");
    await test.clock.advance(60_000);
    expect(await count(test, "Hello?")).toBe(1);
    expect(test.scene.hooks?.answers()).toEqual([200]);
  });

  it("shows a message once whose webhook is sent three times", async () => {
    const test = await openInbox(options);
    change(test, { times: 3 });
    writes(test, "Hello?");
    await test.settle();
    const shown = await test.shown("Hello?");
    expect(shown.map(({ conversation }) => conversation.unread_count)).toEqual([1]);
  });

  it("shows every message once whose webhooks arrive late and in any order", async () => {
    const test = await openInbox(options);
    change(test, { lateSeconds: 300, isShuffled: true });
    const texts = Array.from({ length: 12 }, (_, index) => `number ${index}.`);
    for (const text of texts) {
      writes(test, text);
      await test.clock.advance(5_000);
    }
    await test.settle();
    expect(await test.all()).toHaveLength(texts.length);
    for (const text of texts) expect(await count(test, text)).toBe(1);
  });

  it("reads the same event twice without a change", async () => {
    const test = await openInbox(options, { wrap: readTwice });
    writes(test, "Hello?");
    await test.settle();
    const shown = await test.shown("Hello?");
    expect(shown.map(({ conversation }) => conversation.unread_count)).toEqual([1]);
  });

  it("rejects a signature over other bytes, and stores nothing", async () => {
    const test = await openInbox(options);
    change(test, { isForged: true });
    writes(test, "Hello?");
    await test.clock.advance(60_000);
    const answers = test.scene.hooks?.answers() ?? [];
    expect(answers.length).toBeGreaterThan(0);
    expect(answers.filter((status) => status < 400)).toEqual([]);
    const { rows } = await test.storage.find("hook_events", { where: {}, isCounted: false });
    expect(rows).toEqual([]);
  });

  if (probe.lists.messages)
    it("shows a message once that its lists bring before its webhook", async () => {
      const test = await openInbox(options);
      change(test, { lateSeconds: 12 * 3_600 });
      writes(test, "Hello?");
      await test.settle();
      expect(await count(test, "Hello?")).toBe(1);
      await test.clock.advance(13 * 3_600_000);
      expect((await test.shown("Hello?")).map(({ conversation }) => conversation.unread_count)).toEqual([1]);
    });

  it("subscribes again after the network has ended the subscription", async () => {
    const test = await openInbox(options);
    test.scene.hooks?.end();
    await test.clock.advance(13 * 3_600_000);
    writes(test, "Hello again?");
    await test.clock.advance(60_000);
    expect(await count(test, "Hello again?")).toBe(1);
  });

  if (probe.person("Ann").follow !== undefined)
    it.each([
      ["before its message", false],
      ["after its message", true],
    ])("shows the link through which a person came, reported %s", async (_, isLater) => {
      const test = await openInbox(options);
      const person = test.scene.person("Ann");
      if (isLater) person.dm?.("Hello?");
      person.follow?.("leaflet");
      if (!isLater) {
        await test.clock.advance(1_000);
        person.dm?.("Hello?");
      }
      await test.settle();
      const shown = await test.shown("Hello?");
      expect(shown[0]?.conversation.referral).toMatchObject({ ref: "leaflet" });
    });
}

/** Reads each event twice, as if two workers had begun it. */
function readTwice(adapter: NetworkAdapter): NetworkAdapter {
  const { inbox } = adapter;
  if (inbox?.hooks === undefined) return adapter;
  const { hooks } = inbox;
  const read: typeof hooks.read = async (context, body) => {
    const first = await hooks.read(context, body);
    const second = await hooks.read(context, body);
    return first === "unsubscribed" || second === "unsubscribed" ? "unsubscribed" : [...first, ...second];
  };
  return { ...adapter, inbox: { ...inbox, hooks: { ...hooks, read } } };
}
