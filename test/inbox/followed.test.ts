import { describe, expect, it } from "vitest";
import type { Conversation, InboxMessage } from "../../src/inbox/schema.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Operation, Storage } from "../../src/storage/storage.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { seededRandom } from "../prove/random.ts";
import { type ListedNetwork, listedNetworks } from "../support/inbox-networks.ts";
import { inboxBench } from "./bench.ts";

/** A store that checks each write: unread rises only by the messages in it. */
function counted(storage: Storage): { storage: Storage; wrong: string[] } {
  const wrong: string[] = [];
  const isNews = (operation: Operation, conversation: string): boolean =>
    operation.kind === "insert" &&
    operation.collection === "messages" &&
    operation.row.conversation_id === conversation &&
    operation.row.direction === "inbound";
  return {
    wrong,
    storage: {
      ...storage,
      async write(operations) {
        const before = new Map<string, number>();
        for (const operation of operations) {
          if (operation.collection !== "conversations" || operation.kind !== "update") continue;
          before.set(operation.id, Number((await storage.get("conversations", operation.id))?.unread_count ?? 0));
        }
        await storage.write(operations);
        for (const [id, unread] of before) {
          const after = Number((await storage.get("conversations", id))?.unread_count);
          const news = operations.filter((operation) => isNews(operation, id)).length;
          if (news > 0 && after !== unread + news) wrong.push(`${id}: ${unread} and ${news} made ${after}`);
          if (news === 0 && after > unread) wrong.push(`${id}: rose from ${unread} to ${after} by nothing`);
        }
      },
    },
  };
}

/** A follower that reads the changes from its place, and keeps them. */
function follower() {
  const conversations = new Map<string, Conversation>();
  const messages = new Map<string, InboxMessage>();
  let after = 0;
  return {
    conversations,
    messages,
    async read(
      changes: (
        after: number,
      ) => Promise<{ conversations: Conversation[]; messages: InboxMessage[]; next: number; has_more: boolean }>,
    ) {
      for (;;) {
        const found = await changes(after);
        for (const each of found.conversations) conversations.set(each.id, each);
        for (const each of found.messages) messages.set(each.id, each);
        after = found.next;
        if (!found.has_more) return;
      }
    },
  };
}

const seeds = [11, 12, 13, 14];

async function play(network: ListedNetwork, seed: number) {
  const { next: random } = seededRandom(seed);
  const clock = manualClock();
  const { storage, wrong } = counted(memoryStorage({ clock }));
  const bench = await inboxBench(network, { clock, storage });
  const { social, profile, sandbox, ann } = bench;
  const { conversations } = social.inbox;
  const followed = follower();
  const limit = 1 + Math.floor(random() * 5);
  const readOn = () => followed.read((after) => social.inbox.changes({ profile_id: profile.id, after, limit }));
  const written: string[] = [];
  const answered: string[] = [];
  for (let step = 0; step < 40; step++) {
    const any = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
    const chosen = any((await conversations.list({ limit: 100 })).data);
    const dice = random();
    if (dice < 0.4) {
      const text = `${network.name} ${step}`;
      const reply_to = random() < 0.5 ? any(written) : undefined;
      written.push(network.write(sandbox, ann.id, { text, ...(reply_to && { reply_to }) }));
    } else if (dice < 0.5 && chosen) {
      const text = `answer ${step}`;
      answered.push(text);
      await clock.run(() => conversations.reply(chosen.id, { text }));
    } else if (dice < 0.6 && chosen) {
      await Promise.all([conversations.markRead(chosen.id), clock.advance(90_000)]);
    } else if (dice < 0.7 && chosen) {
      await Promise.all([conversations.update(chosen.id, { status: "closed" }), clock.advance(90_000)]);
    } else {
      await clock.advance(Math.floor(random() * 600_000));
    }
    if (random() < 0.3) await readOn();
  }
  await bench.read();
  await readOn();
  return { ...bench, wrong, followed, written, answered };
}

describe.each(listedNetworks)("an inbox of $network with many concurrent workers", (network) => {
  it.each(seeds)("holds each message once, counts exactly, and can be followed (seed %i)", async (seed) => {
    const { social, wrong, followed, written, answered, sandbox } = await play(network, seed);
    expect(wrong).toEqual([]);
    const all = (await social.inbox.conversations.list({ limit: 100 })).data;
    const messages = await Promise.all(
      all.map(async ({ id }) => (await social.inbox.conversations.messages(id, { limit: 100 })).data),
    );
    const stored = messages.flat();
    expect(
      stored
        .filter(({ direction }) => direction === "inbound")
        .map(({ external_id }) => external_id)
        .sort(),
    ).toEqual([...written].sort());
    for (const text of answered) {
      expect(network.posts(sandbox).filter((each) => each.text.endsWith(text))).toHaveLength(1);
      expect(stored.filter((message) => message.text?.endsWith(text))).toHaveLength(1);
    }
    const byId = <Item extends { id: string }>(items: Iterable<Item>) =>
      [...items].sort((one, other) => (one.id < other.id ? -1 : 1));
    expect(byId(followed.conversations.values())).toEqual(byId(all));
    expect(byId(followed.messages.values())).toEqual(byId(stored));
  });
});
