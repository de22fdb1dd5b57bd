import { describe, expect, it } from "vitest";
import { applyFacts, type Changes, type Stored } from "../../src/inbox/changes.ts";
import type { InboxRow } from "../../src/inbox/rows.ts";
import type { Conversation } from "../../src/inbox/schema.ts";
import type { TimedFact } from "../../src/inbox/timed-fact.ts";
import { type InboxKind, type InboxReports, type MessageFact, noReactions } from "../../src/networks/contract/inbox.ts";
import { seededIds, seededRandom } from "../prove/random.ts";

const connectedAt = 1_000_000;

const inbox: InboxRow = {
  id: "inb_1",
  account_id: "acct_1",
  profile_id: "prof_1",
  network: "toy",
  external_id: "me",
  app_id: null,
  seq: 7,
  changed_at: connectedAt,
  created_at: "2026-11-21T12:00:00.000Z",
  due_at: null,
  lease_until: 0,
  epoch: 1,
  private: { connected_at: connectedAt, sources: {}, pending_updates_until: connectedAt },
};

const thread = {
  kind: "dm" as const,
  key: "dm:ann",
  external_id: "ann",
  participant: { id: "ann", name: "Ann", handle: "ann", avatar_url: null },
  url: null,
  referral: null,
};

function written(key: string, at: number, change: { text?: string; own?: boolean; saidAt?: number } = {}): TimedFact {
  const { text = key, own = false, saidAt = at } = change;
  const author = own ? { id: "me", name: "Me" } : { id: "ann", name: "Ann" };
  const message = { key, external_id: key, own, text, attachments: [], author, sent_at: at, edited_at: null };
  return { fact: "message", at: saidAt, thread, message };
}

/** Applies updates batch by batch, as the store would keep them. */
function taken(batches: readonly (readonly TimedFact[])[], mode: InboxReports["reactions"][InboxKind] = "many") {
  const ids = seededIds(seededRandom(1));
  let stored: Stored = { inbox, conversations: new Map(), messages: new Map() };
  let last: Changes | null = null;
  let waiting: TimedFact[] = [];
  for (const batch of batches) {
    const facts = [...batch, ...waiting];
    last = applyFacts(stored, facts, { ids, now: 2_000_000, reports: { reactions: { ...noReactions, dm: mode } } });
    waiting = last.pendingUpdates;
    stored = {
      inbox,
      conversations: new Map([
        ...stored.conversations,
        ...last.conversations.map(({ row }) => [row.key, row] as const),
      ]),
      messages: new Map([...stored.messages, ...last.messages.map(({ row }) => [row.key, row] as const)]),
    };
  }
  return { ...stored, last, waiting, of: (key: string) => stored.messages.get(key) };
}

const conversation = (result: ReturnType<typeof taken>) => result.conversations.get("dm:ann");

describe("an inbox after a series of updates", () => {
  it("counts messages since the connection as unread, once", () => {
    const result = taken([
      [written("old", connectedAt - 1), written("a", connectedAt), written("mine", connectedAt + 5, { own: true })],
      [written("a", connectedAt), written("b", connectedAt + 9)],
    ]);
    expect(conversation(result)).toMatchObject({ unread_count: 2, last_message: { text: "b" } });
    expect(result.messages.size).toBe(4);
  });

  it("counts a visible change as an edit, but not a file's new URL", () => {
    const showing = (at: number, file: { url: string; description: string }): TimedFact => {
      const fact = written("a", at);
      const attachments = [{ type: "image", ...file }];
      return fact.fact === "message" ? { ...fact, message: { ...fact.message, attachments } } : fact;
    };
    const moved = [
      [showing(1, { url: "https://a.example/1", description: "a fox" })],
      [showing(2, { url: "https://b.example/2", description: "a fox" })],
    ];
    expect(taken(moved).of("a")).toMatchObject({ edited_at: null, attachments: [{ url: "https://b.example/2" }] });
    const edited = taken([...moved, [showing(3, { url: "https://b.example/2", description: "a red fox" })]]);
    expect(edited.of("a")?.edited_at).toBe(new Date(3).toISOString());
  });

  it("keeps a user's name where the network no longer gives it", () => {
    const nameless = (key: string, at: number, id = "ann"): TimedFact => {
      const fact = written(key, at);
      if (fact.fact !== "message") return fact;
      return { ...fact, message: { ...fact.message, author: { id, name: null } } };
    };
    const result = taken([
      [written("a", 1), nameless("b", 2)],
      [nameless("c", 3), nameless("d", 4, "bo")],
    ]);
    expect(["a", "b", "c", "d"].map((key) => result.of(key)?.author.name)).toEqual(["Ann", "Ann", "Ann", null]);
  });

  it("gives a conversation's URL once the network does, and keeps it", () => {
    const at = (key: string, url: string | null): TimedFact => {
      const fact = written(key, 1);
      return fact.fact === "message" ? { ...fact, thread: { ...thread, url } } : fact;
    };
    const result = taken([[at("a", null)], [at("b", "https://example.com/b")], [at("c", "https://example.com/c")]]);
    expect(conversation(result)?.url).toBe("https://example.com/b");
  });

  it("shows the message that a reply answers, whichever of the two comes first", () => {
    const answering = (key: string, reply_to: string): TimedFact => {
      const fact = written(key, 5);
      return fact.fact === "message" ? { ...fact, message: { ...fact.message, reply_to } } : fact;
    };
    const facts = [written("a", 4), answering("b", "a")];
    for (const batches of [
      [facts],
      [facts.toReversed()],
      facts.map((fact) => [fact]),
      facts.toReversed().map((fact) => [fact]),
    ]) {
      const result = taken(batches);
      expect(result.of("b")?.reply_to).toBe(result.of("a")?.id);
      expect(result.of("a")?.reply_to).toBe(null);
      expect(result.waiting).toEqual([]);
    }
    expect(taken([[answering("b", "elsewhere")]]).of("b")?.reply_to).toBe(null);
  });

  it("shows the person once the network names them", () => {
    const { participant } = thread;
    const from = (key: string, change: Partial<Conversation["participant"]>): TimedFact => {
      const fact = written(key, connectedAt) as MessageFact & TimedFact;
      return { ...fact, thread: { ...thread, participant: { ...participant, ...change } } };
    };
    const nameOf = (facts: TimedFact[]) => conversation(taken(facts.map((fact) => [fact])))?.participant.name;
    expect(nameOf([from("a", { name: null })])).toBeNull();
    expect(nameOf([from("a", { name: null }), from("a", { name: "Ann" })])).toBe("Ann");
    expect(nameOf([from("a", { name: null }), from("b", { name: "Ann" })])).toBe("Ann");
    // A renamed person is shown as at first; another id is another person.
    expect(nameOf([from("a", { name: "Ann" }), from("b", { name: "Anna" })])).toBe("Ann");
    expect(nameOf([from("a", { name: null }), from("b", { id: "bo", name: "Bo" })])).toBeNull();
  });

  it("shows the message that was sent last as the last one, in whichever order they come", () => {
    const result = taken([
      [written("c", connectedAt + 3)],
      [written("a", connectedAt + 1), written("b", connectedAt + 2)],
    ]);
    expect(conversation(result)).toMatchObject({ last_message: { text: "c" }, unread_count: 3 });
  });

  it("takes the newer of two texts, and no older one after it", () => {
    const edit = (text: string, at: number): TimedFact => ({ fact: "edit", at, key: "a", text });
    const result = taken([
      [written("a", connectedAt)],
      [edit("second", connectedAt + 20)],
      [edit("first", connectedAt + 10), written("a", connectedAt, { text: "stale", saidAt: connectedAt + 15 })],
    ]);
    expect(result.of("a")).toMatchObject({ text: "second", edited_at: new Date(connectedAt + 20).toISOString() });
    expect(conversation(result)?.last_message.text).toBe("second");
  });

  it("keeps updates that come before their message, and a deletion stays", () => {
    const result = taken([
      [{ fact: "delete", at: connectedAt + 2, key: "a" }],
      [written("a", connectedAt)],
      [written("a", connectedAt, { text: "again", saidAt: connectedAt + 9 })],
    ]);
    expect(result.of("a")).toMatchObject({ text: null, attachments: [], deleted_at: expect.any(String) });
    expect(result.waiting).toEqual([]);
    expect(conversation(result)).toMatchObject({ unread_count: 0, last_message: { text: "" } });
  });

  it("says when the newest message of a conversation was deleted", () => {
    const result = taken([
      [written("a", connectedAt), written("b", connectedAt + 1)],
      [{ fact: "delete", at: connectedAt + 2, key: "b" }],
    ]);
    expect(result.last?.withoutLast).toEqual([conversation(result)?.id]);
  });

  it.each([
    { mode: "many" as const, left: ["ann ♥", "bob ♥"] },
    { mode: "one" as const, left: ["ann ♥", "bob ♥"] },
  ])("keeps $mode reactions of each, late ones too", ({ mode, left }) => {
    const reaction = (from: string, emoji: string, at: number, gone = false): TimedFact => ({
      fact: "reaction",
      at,
      key: "a",
      from,
      emoji,
      gone,
    });
    const result = taken(
      [
        [written("a", connectedAt), reaction("ann", "♥", 5), reaction("bob", "♥", 5)],
        [reaction("ann", "👍", 7, true), reaction("ann", "👍", 6)],
        mode === "one" ? [reaction("ann", "♥", 8)] : [],
      ],
      mode,
    );
    expect(
      result
        .of("a")
        ?.reactions?.map(({ from, emoji }) => `${from} ${emoji}`)
        .sort(),
    ).toEqual(left);
  });

  it("reopens a closed conversation only for new messages", () => {
    const first = taken([[written("a", connectedAt)]]);
    const row = conversation(first);
    if (row === undefined) throw new Error("There is no conversation.");
    const closed = { ...first, conversations: new Map([[row.key, { ...row, status: "closed" as const }]]) };
    const apply = (fact: TimedFact) =>
      applyFacts(closed, [fact], {
        ids: seededIds(seededRandom(2)),
        now: 2_000_000,
        reports: { reactions: noReactions },
      });
    expect(apply(written("old", connectedAt - 1)).conversations[0]?.row.status).toBe("closed");
    expect(apply(written("b", connectedAt + 1)).conversations[0]?.row.status).toBe("open");
  });
});
