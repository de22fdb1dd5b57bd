import { describe, expect, it } from "vitest";
import { replyHindrance } from "../../src/inbox/reply-order.ts";
import type { MessageRow } from "../../src/inbox/rows.ts";
import { type IntentRow, type IntentState, newIntent } from "../../src/sending/intent.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { toRow } from "../../src/storage/typed.ts";

const now = Date.parse("2026-11-22T12:00:00.000Z");
const secondMs = 1_000;

function messageOf(id: string, state: MessageRow["state"]): MessageRow {
  const sent_at = new Date(now - 60 * secondMs).toISOString();
  const row = { id, profile_id: "prof_1", conversation_id: "cnv_1", key: `out:${id}`, direction: "outbound", state };
  return { ...row, sent_at, private: {} } as unknown as MessageRow;
}

function intentOf(subjectId: string, state: IntentState, agoMs: number): IntentRow {
  const made = newIntent({
    id: `int_${subjectId}`,
    profileId: "prof_1",
    subjectId,
    part: 0,
    number: 1,
    keys: ["key"],
    body: { json: {} },
    fileHashes: [],
    handles: null,
    now: now - agoMs,
    hardEndMs: 0,
  });
  return { ...made, state };
}

/** The obstacle of a reply on a network with keys, after another one of its conversation. */
async function hindrance(
  other: { message: MessageRow["state"]; request: IntentState; agoMs: number },
  lostAgoMs?: number,
) {
  const storage = memoryStorage();
  const message = messageOf("msg_1", "open");
  const lost = lostAgoMs === undefined ? [] : [intentOf("msg_1", "absent", lostAgoMs)];
  const intents = [...lost, intentOf("msg_2", other.request, other.agoMs)];
  await storage.write([
    { kind: "insert", collection: "messages", row: toRow(message) },
    { kind: "insert", collection: "messages", row: toRow(messageOf("msg_2", other.message)) },
    ...intents.map((intent) => ({ kind: "insert" as const, collection: "intents" as const, row: toRow(intent) })),
  ]);
  const sending = { lease: { now: () => now } } as unknown as Parameters<typeof replyHindrance>[1]["sending"];
  return replyHindrance(storage, { message, sending, says: ["We do."], isKeyed: true }, lost);
}

describe("a reply that was known not to be sent at first", () => {
  it.each([
    ["live", "live"],
    ["live", "accepted"],
    ["merged", "live"],
    ["undecided", "undecided"],
  ] as const)(
    "is not sent again where a later one is %s (its request: %s): their order would be reversed",
    async (message, request) => {
      const found = await hindrance({ message, request, agoMs: 8 * secondMs }, 10 * secondMs);
      expect(found).toMatchObject({ isFinal: true, reason: expect.stringContaining("later reply") });
    },
  );

  it.each([
    ["went out before it", { message: "live", request: "live", agoMs: 12 * secondMs }],
    ["was refused", { message: "failed", request: "refused", agoMs: 8 * secondMs }],
    ["was not sent either", { message: "open", request: "absent", agoMs: 8 * secondMs }],
  ] as const)("is sent again where the other one %s", async (_, other) => {
    expect(await hindrance(other, 10 * secondMs)).toBeNull();
  });
});

it("a reply that was not sent yet goes out after others", async () => {
  expect(await hindrance({ message: "live", request: "live", agoMs: 8 * secondMs })).toBeNull();
});
