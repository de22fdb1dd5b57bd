import { expect, it } from "vitest";
import type { ListedPost } from "../../src/networks/contract/look.ts";
import { readBackRules } from "../../src/networks/contract/publish.ts";
import { competingFor, readCompetingRequests } from "../../src/sending/competing-requests.ts";
import { type IntentRow, type IntentState, newIntent } from "../../src/sending/intent.ts";
import type { PartRun } from "../../src/sending/part-run.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { toRow } from "../../src/storage/typed.ts";

const now = Date.parse("2026-11-22T12:00:00.000Z");
const openedAt = now - 60_000;

function intentOf(id: string, change: Partial<IntentRow>): IntentRow {
  const made = newIntent({
    id,
    profileId: "prof_1",
    subjectId: "tgt_1",
    part: 0,
    number: 1,
    keys: ["key"],
    body: { json: {} },
    fileHashes: [],
    handles: null,
    now: openedAt,
    hardEndMs: 30_000,
  });
  return { ...made, state: "unknown", ...change };
}

/** The first part of target 1, among requests of its profile; target 2 has two parts. */
async function rivalsAmong(...intents: IntentRow[]) {
  const storage = memoryStorage();
  await storage.write(intents.map((intent) => ({ kind: "insert", collection: "intents", row: toRow(intent) })));
  const asked: (readonly string[])[] = [];
  const texts: Record<string, string[]> = {
    tgt_1: ["Hello out there", "The second"],
    tgt_2: ["Good morning", "Good night"],
  };
  const run = {
    ports: { storage, clock: { now: () => now }, outbound: { timeAt: () => now } },
    lease: { id: "prof_1", now: () => now },
    adapter: { spec: { hosts: ["social.example"] } },
    credentials: { profile: () => ({ private: { host: null } }) },
    publisher: { rules: readBackRules, media: [] },
    subjectId: "tgt_1",
    guard: () => [],
    index: 0,
    unresolvedIntents: [],
    lastIntentBeforeRetry: 0,
    textsInFlight: async (ids: readonly string[]) => {
      asked.push(ids);
      return (id: string, part: number) => texts[id]?.slice(part, part + 1).map((text) => [text])[0] ?? null;
    },
  } as unknown as PartRun;
  return { rivals: await readCompetingRequests(run), asked };
}

const seen = (text: string, at = openedAt): ListedPost => ({
  published: { id: "1", url: null, ref: null },
  created_at: at,
  texts: [text],
  isSameKind: true,
  origin: null,
});

it.each<[IntentState, number]>([
  ["open", 1],
  ["unknown", 1],
  ["undecided", 1],
  ["live", 0],
  ["absent", 0],
  ["refused", 0],
])("a request of another target that is %s competes: %i", async (state, count) => {
  const { rivals } = await rivalsAmong(intentOf("int_2", { subject_id: "tgt_2", state }));
  expect(rivals.map((rival) => rival.state)).toEqual(Array.from({ length: count }, () => state));
});

it("another part of the same target competes; the part itself and another profile's parts do not", async () => {
  const { rivals } = await rivalsAmong(
    intentOf("int_1", {}),
    intentOf("int_2", { part: 1 }),
    intentOf("int_3", { subject_id: "tgt_2", profile_id: "prof_2" }),
  );
  expect(competingFor(seen("The second"), rivals)).toHaveLength(1);
  expect(competingFor(seen("Hello out there"), rivals)).toEqual([]);
  expect(rivals).toHaveLength(1);
});

it("parts are read once for each target, and not at all where no request is under way", async () => {
  const both = [intentOf("int_2", { subject_id: "tgt_2" }), intentOf("int_3", { subject_id: "tgt_2", part: 1 })];
  expect((await rivalsAmong(...both)).asked).toEqual([["tgt_2"]]);
  expect((await rivalsAmong(intentOf("int_1", {}))).asked).toEqual([]);
});

it("a part beyond the target's current number of parts does not compete", async () => {
  expect((await rivalsAmong(intentOf("int_2", { subject_id: "tgt_2", part: 7 }))).rivals).toEqual([]);
});

it("a competing request may have made a post only with its text and in its time", async () => {
  const { rivals } = await rivalsAmong(intentOf("int_2", { subject_id: "tgt_2" }));
  const [rival] = rivals;
  if (rival === undefined) expect.unreachable();
  const { from, to } = rival.window;
  for (const [text, at, count] of [
    ["Good morning", from, 1],
    ["Good morning", to, 1],
    ["Good morning", from - 1, 0],
    ["Good morning", to + 1, 0],
    ["Good night", from, 0],
  ] as const)
    expect(competingFor(seen(text, at), rivals), `${text} at ${at}`).toHaveLength(count);
});
