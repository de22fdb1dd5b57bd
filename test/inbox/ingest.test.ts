import { beforeEach, describe, expect, it } from "vitest";
import { createFairTurns } from "../../src/async/shares.ts";
import { forgetPerson } from "../../src/inbox/forget.ts";
import { createIngest, type IngestPorts } from "../../src/inbox/ingest.ts";
import type { ConversationRow, InboxRow, MessageRow } from "../../src/inbox/rows.ts";
import { type InboxUpdate, noReactions } from "../../src/networks/contract/inbox.ts";
import type { ServiceEvent } from "../../src/ports/events.ts";
import { rowIdOf, type Storage } from "../../src/storage/storage.ts";
import { fromRow, toRow } from "../../src/storage/typed.ts";
import { type Lease, LeaseLost } from "../../src/work/lease.ts";
import { seededIds, seededRandom } from "../prove/random.ts";
import { createTestService } from "../support/service.ts";

const connectedAt = 1_000_000;
const now = 2_000_000;
const dayMs = 86_400_000;

const inbox: InboxRow = {
  id: "inb_1",
  account_id: "acct_1",
  profile_id: "prof_1",
  network: "facebook",
  external_id: "me",
  app_id: null,
  seq: 0,
  changed_at: connectedAt,
  created_at: "2026-11-21T12:00:00.000Z",
  due_at: null,
  lease_until: 0,
  epoch: 1,
  private: { connected_at: connectedAt, sources: {}, pending_updates_until: connectedAt },
};

const ann = { id: "ann", name: "Ann", handle: null, avatar_url: null };
const thread = { kind: "dm" as const, key: "dm:ann", external_id: "ann", participant: ann, url: null, referral: null };

function written(key: string, at: number): InboxUpdate {
  const message = { key, external_id: key, own: false, text: key, attachments: [], author: ann };
  return { fact: "message", at, thread, message: { ...message, sent_at: at, edited_at: null } };
}

function edited(key: string, text: string, at: number): InboxUpdate {
  return { fact: "edit", at, key, text };
}

const reports = { reactions: noReactions };
const state = (before: InboxRow["private"]) => before;

let storage: Storage;
let asked: string[];
let told: ServiceEvent[];

beforeEach(async () => {
  const { storage: kept } = createTestService();
  asked = [];
  told = [];
  storage = {
    ...kept,
    get(collection, id) {
      asked.push(collection);
      return kept.get(collection, id);
    },
    find(collection, query) {
      asked.push(collection);
      return kept.find(collection, query);
    },
  };
  const profile = { id: "prof_1", account_id: "acct_1", status: "connected", created_at: inbox.created_at };
  await kept.write([
    { kind: "insert", collection: "inboxes", row: toRow(inbox) },
    { kind: "insert", collection: "profiles", row: profile },
  ]);
});

/** One turn of an inbox's holder. @param heard the updates that a listener wants; null: none */
function turn(
  row: InboxRow = inbox,
  at = now,
  heard: string | null = "message.received",
  given: Partial<IngestPorts> = {},
) {
  const lease = { id: row.id, epoch: row.epoch, now: () => at, ensure: async () => {} } as unknown as Lease;
  const events = { emit: (event: ServiceEvent) => void told.push(event), isHeard: (name: string) => name === heard };
  const ids = seededIds(seededRandom(at));
  const ports = { storage, ids, events, ingestInTurn: createFairTurns(2), ...given };
  return createIngest(ports, { row, lease, reports });
}

async function stored(): Promise<InboxRow> {
  return fromRow((await storage.get("inboxes", inbox.id)) ?? toRow(inbox));
}

async function texts(): Promise<(string | null)[]> {
  const { rows } = await storage.find("messages", { where: {}, order: { column: "seq", direction: "asc" } });
  return rows.map((row) => fromRow<MessageRow>(row).text);
}

describe("one turn of an inbox", () => {
  it("never reads the inbox's own row, and reads waiting updates only where there may be some", async () => {
    const ingest = turn();
    await ingest({ facts: [written("one", now)], readAt: now, state });
    await ingest({ facts: [written("two", now + 1)], readAt: now, state });
    expect(asked.filter((name) => ["inboxes", "pending_updates"].includes(name))).toEqual([]);
    expect(await texts()).toEqual(["one", "two"]);
    expect((await stored()).seq).toBe(4);
  });

  it("reads the row anew when another process has changed it, and keeps that change", async () => {
    const ingest = turn();
    await ingest({ facts: [written("one", now)], readAt: now, state });
    const [conversation] = (await storage.find("conversations", { where: {} })).rows;
    await storage.write([
      { kind: "update", collection: "inboxes", id: inbox.id, change: { seq: 3 }, where: { seq: 2 } },
      {
        kind: "update",
        collection: "conversations",
        id: conversation?.id ?? "",
        change: { unread_count: 0, seq: 3, status: "closed" },
        where: { seq: 1 },
      },
    ]);
    await ingest({ facts: [written("two", now + 1)], readAt: now, state });
    const [after] = (await storage.find("conversations", { where: {} })).rows;
    expect(fromRow<ConversationRow>(after ?? { id: "" })).toMatchObject({ unread_count: 1, status: "open", seq: 4 });
    expect((await stored()).seq).toBe(5);
    expect(told.filter(({ name }) => name === "message.received")).toHaveLength(2);
  });

  it("asks once for forgotten persons, and again when one was forgotten meanwhile", async () => {
    const ingest = turn();
    for (const key of ["one", "two", "three"]) await ingest({ facts: [written(key, now)], readAt: now, state });
    expect(asked.filter((name) => name === "forgotten")).toHaveLength(1);
    const whom = { network: "facebook" as const, person_id: ann.id };
    await forgetPerson({ storage, events: { emit() {}, isHeard: () => false } }, "acct_1", whom);
    const later = (await storage.now()) + 1;
    await ingest({ facts: [written("said before", now), written("said since", later)], readAt: now, state });
    expect((await texts()).filter((text) => text?.startsWith("said"))).toEqual(["said since"]);
  });

  it("emits each update that has a listener, and none where there is no listener", async () => {
    for (const heard of ["message.received", "message.changed", "conversation.changed", null]) {
      told = [];
      const ingest = turn(await stored(), now, heard);
      await ingest({ facts: [written(`to ${heard}`, now)], readAt: now, state });
      expect(told.length > 0, `${heard}`).toBe(heard !== null);
    }
  });

  it("writes nothing more once another process holds the inbox", async () => {
    const ingest = turn();
    await ingest({ facts: [written("one", now)], readAt: now, state });
    await storage.write([{ kind: "update", collection: "inboxes", id: inbox.id, change: { epoch: 2 }, where: {} }]);
    await expect(ingest({ facts: [written("two", now)], readAt: now, state })).rejects.toThrow(LeaseLost);
    expect(await texts()).toEqual(["one"]);
  });
});

describe("a flood in the inboxes of one account", () => {
  const long = "A long story. ".repeat(700);
  const story = (key: string): InboxUpdate => {
    const fact = written(key, now);
    return fact.fact === "message" ? { ...fact, message: { ...fact.message, text: `${key} ${long}` } } : fact;
  };

  it("is written in small batches, the cursor with the last of them", async () => {
    const sizes: number[] = [];
    const write: Storage["write"] = async (operations) => {
      sizes.push(JSON.stringify(operations).length);
      await storage.write(operations);
    };
    const facts = Array.from({ length: 20 }, (_, number) => story(String(number)));
    const moved: number[] = [];
    const ingest = turn(inbox, now, null, { storage: { ...storage, write } });
    const rows = await ingest({
      facts,
      readAt: now,
      state(before) {
        moved.push(sizes.length);
        return { ...before, rests_until: now };
      },
    });
    expect(Math.max(...sizes)).toBeLessThan(80_000);
    expect(moved).toEqual([sizes.length - 1]);
    // A conversation changes with each batch that contains it.
    expect(rows).toBe(20 + sizes.length);
    expect(await texts()).toHaveLength(20);
  });

  it("waits while a neighbour's few messages are written, of which none waits for more than four batches", async () => {
    const order: string[] = [];
    let writing = 0;
    let most = 0;
    let seed = 0;
    const write: Storage["write"] = async (operations) => {
      writing += 1;
      most = Math.max(most, writing);
      await new Promise((resolve) => setImmediate(resolve));
      await storage.write(operations);
      order.push(operations[0] === undefined ? "" : rowIdOf(operations[0]));
      writing -= 1;
    };
    const given = { storage: { ...storage, write }, ingestInTurn: createFairTurns(8) };
    const open = async (name: string, account_id: string) => {
      const row: InboxRow = { ...inbox, id: `inb_${name}`, profile_id: `prof_${name}`, account_id };
      const profile = { id: row.profile_id, account_id, status: "connected", created_at: inbox.created_at };
      await storage.write([
        { kind: "insert", collection: "inboxes", row: toRow(row) },
        { kind: "insert", collection: "profiles", row: profile },
      ]);
      return turn(row, now + seed++, null, given);
    };
    const flooded = await Promise.all(Array.from({ length: 20 }, (_, number) => open(`flooded_${number}`, "flooder")));
    const neighbour = await open("neighbour", "neighbour");
    const facts = Array.from({ length: 20 }, (_, number) => story(String(number)));
    const flood = flooded.map((ingest) => ingest({ facts, readAt: now, state }));
    await neighbour({ facts: [written("Hello", now)], readAt: now, state });
    const ahead = order.indexOf("inb_neighbour");
    await Promise.all(flood);
    expect(most).toBe(5);
    expect(ahead).toBeLessThanOrEqual(4);
    expect(order.length).toBeGreaterThan(60);
  });
});

describe("an update that comes before its message", () => {
  it("waits for it, in this turn and in later ones", async () => {
    const ingest = turn();
    await ingest({ facts: [edited("one", "said better", now + 1)], readAt: now, state });
    expect((await stored()).private.pending_updates_until).toBe(now + 7 * dayMs);
    await ingest({ facts: [written("one", now), edited("two", "better, too", now + 3)], readAt: now, state });
    await turn(await stored(), now + dayMs)({ facts: [written("two", now + 2)], readAt: now, state });
    expect(await texts()).toEqual(["said better", "better, too"]);
    expect((await storage.find("pending_updates", { where: {} })).total).toBe(0);
  });

  it("is no longer looked for after its week", async () => {
    await turn()({ facts: [edited("one", "said better", now + 1)], readAt: now, state });
    const row = await stored();
    asked = [];
    await turn(row, now + 7 * dayMs - 1)({ facts: [written("two", now)], readAt: now, state });
    expect(asked).toContain("pending_updates");
    const later = await stored();
    asked = [];
    await turn(later, now + 7 * dayMs)({ facts: [written("one", now)], readAt: now, state });
    expect(asked).not.toContain("pending_updates");
  });
});

describe("an update that comes before its thread", () => {
  const hourMs = 3_600_000;
  const about = { thread: thread.key, person: ann.id };
  const referred = (ref: string, at: number): InboxUpdate => ({ fact: "referral", at, ...about, referral: { ref } });
  const opened = (at: number, hours = 24): InboxUpdate => ({ fact: "opens", at, ...about, hours });
  const read = (until: number, at = until): InboxUpdate => ({ fact: "receipt", at, ...about, what: "read", until });
  const take = async (...facts: InboxUpdate[]) => turn(await stored(), now)({ facts, readAt: now, state });
  const own = (key: string, at: number): InboxUpdate => {
    const fact = written(key, at);
    if (fact.fact !== "message") throw new Error("It is no message.");
    return { ...fact, message: { ...fact.message, own: true, author: { id: "me", name: "Me" } } };
  };
  const waiting = async () => (await storage.find("pending_updates", { where: {} })).rows;

  async function begun(): Promise<ConversationRow> {
    const [row] = (await storage.find("conversations", { where: {} })).rows;
    return fromRow(row ?? { id: "" });
  }

  it("waits for it, and applies once it has begun", async () => {
    await take(referred("sale", now - 9), opened(now - 8), read(now - 7));
    expect(await waiting()).toHaveLength(3);
    await take(written("one", now - 20), own("two", now - 10), own("three", now - 5));
    expect(await begun()).toMatchObject({
      referral: { ref: "sale" },
      reply_until: new Date(now - 8 + 24 * hourMs).toISOString(),
    });
    const found = (await storage.find("messages", { where: { direction: "outbound" } })).rows;
    expect(found.map(({ key, read_at }) => [key, read_at]).sort()).toEqual([
      ["three", null],
      ["two", new Date(now - 7).toISOString()],
    ]);
    expect(await waiting()).toEqual([]);
  });

  it.each<[string, InboxUpdate[], (row: InboxUpdate) => unknown]>([
    ["the later referral", [referred("new", now - 1), referred("old", now - 9)], (fact) => fact.at],
    ["the receipt that reaches further", [read(now - 1, now - 9), read(now - 5, now - 2)], (fact) => fact.at],
    ["the longer reply window", [opened(now - 9, 168), opened(now - 1)], (fact) => fact.at],
  ])("waits once for each kind: %s", async (_, [kept, passed], timeOf) => {
    if (kept === undefined || passed === undefined) throw new Error("There are two.");
    for (const order of [
      [kept, passed],
      [passed, kept],
    ]) {
      for (const fact of order) await take(fact);
      await take(...order);
      const rows = await waiting();
      expect(rows.map(({ private: kept }) => timeOf((kept as { fact: InboxUpdate }).fact))).toEqual([timeOf(kept)]);
      for (const { id } of rows) await storage.write([{ kind: "delete", collection: "pending_updates", id }]);
    }
  });

  it("does not wait where it has expired before the thread begins", async () => {
    await take(opened(now - 25 * hourMs));
    expect(await waiting()).toEqual([]);
  });

  it("is deleted with a forgotten person, and does not come again", async () => {
    await take(referred("sale", now - 9), opened(now - 8), read(now - 7));
    const whom = { network: "facebook" as const, person_id: ann.id };
    await forgetPerson({ storage, events: { emit() {}, isHeard: () => false } }, "acct_1", whom);
    expect(await waiting()).toEqual([]);
    await take(referred("sale", now - 9), opened(now - 8), read(now - 7));
    expect(await waiting()).toEqual([]);
  });
});

describe("the referral of a thread", () => {
  const referred = (ref: string, at: number): InboxUpdate => ({
    fact: "referral",
    at,
    thread: thread.key,
    person: ann.id,
    referral: { ref },
  });
  const inOrder = (facts: InboxUpdate[]): InboxUpdate[][] =>
    facts.length < 2
      ? [facts]
      : facts.flatMap((fact, place) => inOrder(facts.toSpliced(place, 1)).map((others) => [fact, ...others]));

  it("is the latest one, in whatever order the updates come, and however long after they are read", async () => {
    const byAd = (key: string, at: number, ad_id: string): InboxUpdate => {
      const fact = written(key, at);
      return fact.fact === "message" ? { ...fact, thread: { ...thread, referral: { ad_id } } } : fact;
    };
    for (const order of inOrder([referred("link", now - 9), byAd("one", now - 5, "7"), referred("latest", now - 2)])) {
      for (const fact of order) await turn(await stored(), now)({ facts: [fact], readAt: now, state });
      const [row] = (await storage.find("conversations", { where: {} })).rows;
      expect(row?.referral).toEqual({ ref: "latest" });
      for (const collection of ["conversations", "messages", "pending_updates"] as const)
        for (const { id } of (await storage.find(collection, { where: {} })).rows)
          await storage.write([{ kind: "delete", collection, id }]);
    }
  });
});

describe("the message that a reply answers", () => {
  it("may come long after the reply, which is read again meanwhile", async () => {
    const answer = (key: string, at: number): InboxUpdate => {
      const fact = written(key, at);
      return fact.fact === "message" ? { ...fact, message: { ...fact.message, reply_to: "one" } } : fact;
    };
    const take = async (...facts: InboxUpdate[]) => turn(await stored(), now)({ facts, readAt: now, state });
    await take(answer("two", now - 3));
    await take(answer("two", now - 3), answer("three", now - 2));
    expect((await storage.find("pending_updates", { where: {} })).total).toBe(2);
    await take(written("one", now - 4));
    const { rows } = await storage.find("messages", { where: {} });
    const one = rows.find(({ key }) => key === "one");
    expect(rows.map(({ key, reply_to }) => [key, reply_to]).sort()).toEqual([
      ["one", null],
      ["three", one?.id],
      ["two", one?.id],
    ]);
    expect((await storage.find("pending_updates", { where: {} })).total).toBe(0);
  });
});
