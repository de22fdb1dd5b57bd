import { describe, expect, it } from "vitest";
import { listedNetworks } from "../support/inbox-networks.ts";
import { inboxBench } from "./bench.ts";
import { openBench } from "./facebook-bench.ts";

/** A comment, and the messages below it, all received. */
async function thread(...texts: string[]) {
  const bench = await openBench();
  const { facebook: there, ann, post, clock, social } = bench;
  const root = there.commentAs(ann, post, "First");
  await clock.advance(1_000);
  const ids = [root];
  for (const text of texts) {
    ids.push(there.commentAs(ann, root, text));
    await clock.advance(1_000);
  }
  const [{ id = "" } = {}] = await bench.conversations();
  const unread = async () => (await social.inbox.conversations.get(id)).unread_count;
  const remove = async (place: number) => {
    there.removeComment(ids[place] ?? "");
    await clock.advance(1_000);
  };
  const read = async (place?: number) => {
    const { data } = await social.inbox.conversations.messages(id);
    const through = data.find(({ external_id }) => external_id === ids[place ?? -1])?.id;
    await clock.run(() => social.inbox.conversations.markRead(id, through === undefined ? {} : { through }));
  };
  const write = async (text: string) => {
    ids.push(there.commentAs(ann, root, text));
    await clock.advance(1_000);
  };
  return { ...bench, id, root, unread, remove, read, write };
}

describe("a message that is deleted", () => {
  it("no longer counts as unread, and those before and behind it still do", async () => {
    const { unread, remove } = await thread("Second", "Third");
    expect(await unread()).toBe(3);
    await remove(1);
    expect(await unread()).toBe(2);
    await remove(2);
    expect(await unread()).toBe(1);
  });

  it("after it was read changes no unread count", async () => {
    const { unread, remove, read, write } = await thread("Second");
    await read(1);
    await write("Third");
    await remove(1);
    expect(await unread()).toBe(1);
    await remove(2);
    expect(await unread()).toBe(0);
  });

  it("is not counted again when others before or behind it are read, or arrive", async () => {
    const { unread, remove, read, write } = await thread("Second", "Third", "Fourth");
    await remove(1);
    await read(0);
    expect(await unread()).toBe(2);
    await write("Fifth");
    expect(await unread()).toBe(3);
    await remove(2);
    await read(3);
    expect(await unread()).toBe(1);
    await read();
    expect(await unread()).toBe(0);
    await write("Sixth");
    expect(await unread()).toBe(1);
    await remove(5);
    expect(await unread()).toBe(0);
  });

  it("because its author is forgotten no longer counts as unread, and other users' messages still do", async () => {
    const { unread, social, clock, facebook: there, root, id } = await thread("Second");
    there.commentAs(there.addFan("Bo"), root, "Hi");
    await clock.advance(1_000);
    expect(await unread()).toBe(3);
    const { data } = await social.inbox.conversations.messages(id);
    const author = data.find(({ text }) => text === "Second")?.author.id ?? "";
    await clock.run(() => social.inbox.forget({ network: "facebook", person_id: author }));
    expect(await unread()).toBe(1);
  });
});

it.each(listedNetworks)(
  "a message no longer counts as unread on $network when a second read finds it deleted",
  async (network) => {
    const bench = await inboxBench(network);
    const ids = [];
    for (const text of ["one", "two"]) ids.push(await bench.writes({ text: `${network.name} ${text}` }));
    const unread = async () => {
      const { data } = await bench.social.inbox.conversations.list();
      return data.reduce((sum, { unread_count }) => sum + unread_count, 0);
    };
    expect(await unread()).toBe(2);
    bench.ann.unsend(ids[0] ?? "");
    for (let looks = 0; looks < 12; looks++) await bench.read();
    expect(await unread()).toBe(1);
  },
);
