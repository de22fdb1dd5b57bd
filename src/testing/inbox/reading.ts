import { expect, it } from "vitest";
import type { InboxKind } from "../../networks/contract/inbox.ts";
import type { InboxScene, ScenePerson } from "../../sandbox/inbox-scene.ts";
import type { InboxContractOptions, InboxTest } from "./bench.ts";
import { openInbox } from "./bench.ts";

export const inboxKinds = ["dm", "comment", "mention"] as const satisfies readonly InboxKind[];

/** The first way in which people can write to the account. */
export function writeIn({ dm, comment, mention }: ScenePerson): (text: string) => string {
  const write = mention ?? comment ?? dm;
  if (write === undefined) throw new Error("Nobody can write to the account.");
  return write;
}

/** Requirements of what an inbox shows. `probe` is a scene of the same network, to see what it can do. */
export function readingContract(options: InboxContractOptions, probe: InboxScene): void {
  const ann = probe.person("Ann");
  const kinds = inboxKinds.filter((kind) => ann[kind] !== undefined);

  it.each(kinds)("shows a %s once, with its author, as unread", async (kind) => {
    const test = await openInbox(options);
    const person = test.scene.person("Ann");
    person[kind]?.("Do you ship to Norway?");
    await test.settle();
    const shown = await test.shown("Do you ship to Norway?");
    expect(shown).toHaveLength(1);
    expect(shown[0]).toMatchObject({
      conversation: { kind, status: "open", unread_count: 1, participant: { id: person.id } },
      message: { direction: "inbound", author: { id: person.id }, deleted_at: null },
    });
    await test.social.inbox.conversations.markRead(shown[0]?.conversation.id ?? "");
    await test.settle();
    expect((await test.shown("Do you ship to Norway?"))[0]?.conversation.unread_count).toBe(0);
  });

  it("shows all messages of a burst, each once", async () => {
    const test = await openInbox(options);
    const texts = Array.from({ length: 60 }, (_, index) => `number ${index}.`);
    const ids = texts.map((text) => writeIn(test.scene.person("Ann"))(text));
    await test.settle();
    const expected = texts.filter((_, index) => test.scene.isUnlisted?.(ids[index] ?? "") !== true);
    const all = await test.all();
    const found = texts.filter((text) => all.filter(({ message }) => message.text?.endsWith(text)).length === 1);
    expect(found).toEqual(expect.arrayContaining(expected));
    expect(all).toHaveLength(new Set(all.map(({ message }) => message.text)).size);
  });

  it("shows what the owner writes in the network's own app as sent, without counting it as unread", async () => {
    const test = await openInbox(options);
    const { scene } = test;
    const person = scene.person("Ann");
    if (scene.owner.dm !== undefined && person.dm !== undefined) person.dm("Hello?");
    const asked = scene.owner.reply === undefined ? null : writeIn(person)("Are you open?");
    await test.settle();
    if (scene.owner.dm !== undefined) scene.owner.dm(person, "We are open");
    if (asked !== null) scene.owner.reply?.(asked, "Until four");
    await test.settle();
    const own = [...(await test.shown("We are open")), ...(await test.shown("Until four"))];
    expect(own.length).toBe(Number(scene.owner.dm !== undefined) + Number(asked !== null));
    for (const { message, conversation } of own)
      expect([message.direction, conversation.unread_count]).toEqual(["outbound", 1]);
  });

  if (probe.disturb !== undefined)
    it("shows nothing of the events that are not for the account's inbox", async () => {
      const test = await openInbox(options);
      test.scene.disturb?.();
      writeIn(test.scene.person("Ann"))("Between them");
      test.scene.disturb?.();
      await test.settle();
      expect((await test.all()).map(({ message }) => message.text?.includes("Between them"))).toEqual([true]);
    });

  const { edit, unsend, attach, react } = ann;
  if (edit !== undefined)
    it("shows the text of the last edit", async () => {
      const { test, id } = await written(options);
      test.scene.person("Ann").edit?.(id, "Second version");
      await test.settle();
      expect(await test.shown("First version")).toEqual([]);
      expect((await test.shown("Second version")).map(({ message }) => message.deleted_at)).toEqual([null]);
    });

  if (unsend !== undefined)
    it("shows that a message was deleted, and no longer stores its text", async () => {
      const { test, id } = await written(options);
      expect(test.scene.person("Ann").unsend?.(id)).toBe(true);
      await test.settle();
      await test.settle();
      const all = await test.all();
      expect(all).toHaveLength(1);
      expect(all[0]?.message).toMatchObject({ text: null, deleted_at: expect.any(String) });
      expect(await everyRow(test)).not.toContain("First version");
    });

  if (attach !== undefined)
    it("shows an attachment that has no text", async () => {
      const test = await openInbox(options);
      test.scene.person("Ann").attach?.();
      await test.settle();
      const all = await test.all();
      expect(all).toHaveLength(1);
      expect(all[0]?.message.attachments.length).toBeGreaterThan(0);
      expect(all[0]?.conversation.unread_count).toBe(1);
    });

  if (react !== undefined && ann.dm !== undefined)
    it("shows a reaction to a message", async () => {
      const test = await openInbox(options);
      const person = test.scene.person("Ann");
      const id = person.dm?.("Hello?") ?? "";
      await test.settle();
      person.react?.(id, "🦊");
      await test.settle();
      expect((await test.shown("Hello?"))[0]?.message.reactions).toEqual([{ from: person.id, emoji: "🦊" }]);
    });
}

/** A message of Ann's that is read, of the first kind that can be changed. */
async function written(options: InboxContractOptions): Promise<{ test: InboxTest; id: string }> {
  const test = await openInbox(options);
  const { comment, mention, dm } = test.scene.person("Ann");
  const id = (comment ?? mention ?? dm)?.("First version") ?? "";
  await test.settle();
  return { test, id };
}

/** All that is stored about messages. */
async function everyRow({ storage }: InboxTest): Promise<string> {
  const collections = ["conversations", "messages", "pending_updates", "hook_events"] as const;
  const found = await Promise.all(collections.map((name) => storage.find(name, { where: {}, isCounted: false })));
  return JSON.stringify(found.map(({ rows }) => rows));
}
