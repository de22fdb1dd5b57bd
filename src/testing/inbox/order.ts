import { expect, it } from "vitest";
import type { NetworkAdapter } from "../../networks/contract/adapter.ts";
import type { Inbox, InboxUpdate } from "../../networks/contract/inbox.ts";
import { type InboxContractOptions, openInbox, type Shown } from "./bench.ts";
import { inboxKinds, writeIn } from "./reading.ts";

/** Orders in which the facts are replayed. */
const orders = 20;

/** Requirements of the facts that an adapter reads: they mean the same in any order, each as often as it comes. */
export function orderContract(options: InboxContractOptions): void {
  it("stores the same whatever the order of its facts", async () => {
    const facts: InboxUpdate[] = [];
    const test = await openInbox(options, { wrap: (adapter) => recorded(adapter, facts, () => test.clock.now()) });
    const [ann, bo] = [test.scene.person("Ann"), test.scene.person("Bo")];
    const ids = inboxKinds.flatMap((kind) => ann[kind]?.(`${kind} of Ann.`) ?? []);
    bo.follow?.("leaflet");
    await test.clock.advance(1_000);
    writeIn(bo)("first of Bo.");
    bo.dm?.("dm of Bo.");
    await test.settle();
    for (const id of ids) ann.edit?.(id, "changed by Ann.");
    ann.react?.(ids[0] ?? "", "🦊");
    await test.clock.advance(1_000);
    bo.unsend?.(writeIn(bo)("taken back by Bo."));
    test.scene.owner.dm?.(ann, "said by the owner.");
    test.scene.owner.reply?.(ids.at(-1) ?? "", "replied by the owner.");
    await test.settle();
    const expected = digestOf(await test.all());
    expect(Object.keys(expected).length).toBeGreaterThan(ids.length);

    for (let seed = 1; seed <= orders; seed++) {
      const shuffled = shuffle([...facts, ...facts.filter((_, index) => index % 3 === seed % 3)], seed);
      const replay: InboxUpdate[] = [];
      const again = await openInbox(options, { wrap: (adapter) => replaying(adapter, replay) });
      await again.clock.advance(Math.max(0, test.clock.now() - again.clock.now()));
      replay.push(...shuffled);
      await again.settle();
      expect(digestOf(await again.all()), `order ${seed}`).toEqual(expected);
    }
  });
}

/** The adapter, which keeps a copy of each fact that it reads, with the time at which the service would date it. */
function recorded(adapter: NetworkAdapter, facts: InboxUpdate[], now: () => number): NetworkAdapter {
  const { inbox } = adapter;
  if (inbox === undefined) return adapter;
  const keep = <Read extends readonly InboxUpdate[]>(read: Read): Read => {
    facts.push(...read.map((fact) => whole({ ...structuredClone(fact), at: fact.at ?? now() }, facts)));
    return read;
  };
  const changed: Inbox = {
    ...inbox,
    sources: inbox.sources.map((source) => ({
      ...source,
      async poll(...given) {
        const poll = await source.poll(...given);
        keep(poll.facts);
        return poll;
      },
    })),
  };
  const { hooks, reread } = inbox;
  if (hooks !== undefined)
    changed.hooks = {
      ...hooks,
      async read(...given) {
        const read = await hooks.read(...given);
        return read === "unsubscribed" ? read : keep(read);
      },
    };
  if (reread !== undefined)
    changed.reread = {
      ...reread,
      async read(...given) {
        const read = await reread.read(...given);
        keep(read.facts);
        keep(read.gone.map((key): InboxUpdate => ({ fact: "delete", at: now(), key })));
        return read;
      },
    };
  return { ...adapter, inbox: changed };
}

/** The fact with the thread of an earlier one: a stored message never moves, and of a stored thread only the key counts. */
function whole(fact: InboxUpdate, earlier: readonly InboxUpdate[]): InboxUpdate {
  if (fact.fact !== "message") return fact;
  for (const each of earlier) {
    if (each.fact !== "message") continue;
    const isNameless = fact.thread.participant.id === "" && each.thread.key === fact.thread.key;
    if (each.message.key === fact.message.key || isNameless) return { ...fact, thread: each.thread };
  }
  return fact;
}

/** Facts of one poll. */
const factsAtOnce = 5;

/** The adapter with one list, which brings these facts, a few at a time. */
function replaying(adapter: NetworkAdapter, facts: readonly InboxUpdate[]): NetworkAdapter {
  const { inbox } = adapter;
  if (inbox === undefined) return adapter;
  const { hooks: _, reread: __, ...rest } = inbox;
  const sources: Inbox["sources"] = [
    {
      name: "facts",
      every: { min: 1, max: 60 },
      async poll(_, cursor) {
        const from = typeof cursor === "number" ? cursor : 0;
        const some = facts.slice(from, from + factsAtOnce);
        return { facts: structuredClone(some), cursor: from + some.length, more: from + some.length < facts.length };
      },
    },
  ];
  return { ...adapter, inbox: { ...rest, sources } };
}

/** What a user sees, by the message's id at the network; without ids and times of the service. */
function digestOf(shown: readonly Shown[]): Record<string, object> {
  return Object.fromEntries(
    shown.map(({ conversation, message }) => {
      const { kind, external_id, participant, unread_count, referral } = conversation;
      const { direction, text, attachments, reactions, sent_at, deleted_at } = message;
      // Only some sources name the account itself.
      const author = direction === "outbound" ? message.author.id : message.author;
      const last = conversation.last_message.text === "" ? null : conversation.last_message;
      const ofConversation = { kind, external_id, participant, unread_count, referral, last };
      const isDeleted = deleted_at !== null;
      const seen = { ofConversation, direction, text, author, attachments, reactions, sent_at, isDeleted };
      return [message.external_id ?? message.id, seen];
    }),
  );
}

function shuffle<Item>(items: Item[], seed: number): Item[] {
  let state = seed * 2_654_435_761;
  for (let last = items.length - 1; last > 0; last--) {
    state = (state * 48_271) % 2_147_483_647;
    const other = state % (last + 1);
    [items[last], items[other]] = [items[other] as Item, items[last] as Item];
  }
  return items;
}
