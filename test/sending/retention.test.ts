import { expect, it } from "vitest";
import { type IntentRecord, type IntentRow, type IntentState, newIntent } from "../../src/sending/intent.ts";
import { pruneIntents } from "../../src/sending/retention.ts";
import type { SubjectKind } from "../../src/sending/subject-kind.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { toRow } from "../../src/storage/typed.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { dyingAt } from "../support/dying-writes.ts";

const dayMs = 86_400_000;

type Stage = ReturnType<SubjectKind["stageOf"]>;

/** A target's stage stands in the first word of its id. */
const kinds = [
  { collection: "targets" as const, stageOf: ({ id }: { id: string }) => id.split(" ")[0] as Stage },
  { collection: "messages" as const, stageOf: (): Stage => "open" },
];

interface Given {
  id: string;
  subject: string;
  state: IntentState;
  number?: number;
  /** How many days ago it settled. @default 31 */
  days?: number;
  record?: Partial<IntentRecord>;
}

async function storeOf(given: readonly Given[]) {
  const clock = manualClock();
  const storage = memoryStorage({ clock });
  const subjects = [...new Set(given.map(({ subject }) => subject))].filter((id) => !id.startsWith("deleted"));
  const rows = given.map(({ id, subject, state, number = 1, days = 31, record = {} }): IntentRow => {
    const now = clock.now() - days * dayMs;
    const about = { profileId: "prof_1", subjectId: subject, part: 0, handles: null, fileHashes: [], hardEndMs: 0 };
    const made = newIntent({ id, number, now, keys: ["key"], body: { json: {} }, ...about });
    return { ...made, state, due_at: now + 30 * dayMs, private: { ...made.private, ...record } };
  });
  await storage.write([
    ...subjects.map((id) => ({ kind: "insert", collection: "targets", row: { id, post_id: id } }) as const),
    ...rows.map((row) => ({ kind: "insert", collection: "intents", row: toRow(row) }) as const),
  ]);
  const prune = () => pruneIntents({ storage, kinds, pace: async () => {} });
  const left = async () => (await storage.find("intents", { where: {} })).rows.map(({ id }) => id).sort();
  return { clock, storage, prune, left };
}

const settled: readonly IntentState[] = ["not_sent", "refused", "later", "accepted", "live", "absent"];
const inconclusive: readonly IntentState[] = ["open", "unknown", "job", "undecided"];

it("deletes the intents of a published post 30 days after they settled, but none that may be live", async () => {
  const each = (state: IntentState, days: number) => ({
    id: `${state} ${days}`,
    subject: `ended ${state}`,
    state,
    days,
  });
  const all = [...settled, ...inconclusive];
  const { prune, left } = await storeOf(all.flatMap((state) => [{ ...each(state, 29), number: 2 }, each(state, 31)]));
  await prune();
  const kept = [...all.map((state) => `${state} 29`), ...inconclusive.map((state) => `${state} 31`)];
  expect(await left()).toEqual(kept.sort());
});

it("keeps every intent of a post that is being sent", async () => {
  const each = (state: IntentState) => ({ id: state, subject: `open ${state}`, state });
  const { prune, left } = await storeOf([...settled, ...inconclusive].map(each));
  await prune();
  expect(await left()).toEqual([...settled, ...inconclusive].sort());
});

it("keeps what a retry of a failed post needs: lost, accepted and last requests", async () => {
  const each = (id: string, state: IntentState, number: number, record = {}) =>
    ({ id, subject: "retryable", state, number, record }) as const;
  const { prune, left } = await storeOf([
    each("refused", "refused", 1),
    each("refused after it was lost", "refused", 2, { unknown_since: 1 }),
    each("refused by a job", "refused", 3, { job: { handle: "7", since: 1 } }),
    each("later", "later", 4),
    each("not sent", "not_sent", 5),
    each("absent", "absent", 6),
    each("accepted", "accepted", 7),
    each("live", "live", 8),
    each("undecided", "undecided", 9),
    each("last", "refused", 10),
  ]);
  await prune();
  expect(await left()).toEqual(
    ["absent", "accepted", "last", "live", "refused after it was lost", "refused by a job", "undecided"].sort(),
  );
});

it("deletes the intents of a post that no longer exists", async () => {
  const { prune, left } = await storeOf(
    inconclusive.map((state) => ({ id: state, subject: "deleted", state, number: inconclusive.indexOf(state) })),
  );
  await prune();
  expect(await left()).toEqual([]);
});

it("checks a kept intent again 30 days later, and reads it no sooner", async () => {
  const { clock, storage, prune } = await storeOf([{ id: "int_1", subject: "retryable", state: "absent" }]);
  await prune();
  expect(await storage.get("intents", "int_1")).toMatchObject({ due_at: clock.now() + 30 * dayMs });
});

const many = (count: number) =>
  Array.from({ length: count }, (_, number): Given => {
    const subject = number % 2 === 0 ? "ended" : "retryable";
    return { id: `int_${number}`, subject: `${subject} ${number}`, state: "accepted" };
  });

it("continues where a process died, at any write", async () => {
  for (let at = 0, isOver = false; !isOver; at += 1) {
    const { storage, prune, left } = await storeOf(many(450));
    isOver = await dyingAt(storage, at, prune);
    await prune();
    expect(await left()).toHaveLength(225);
    if (isOver) expect(at).toBe(5);
  }
});

it("is done by several processes at the same time", async () => {
  const { prune, left } = await storeOf(many(450));
  await Promise.all([prune(), prune(), prune()]);
  expect(await left()).toHaveLength(225);
});
