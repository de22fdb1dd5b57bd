import { describe, expect, it } from "vitest";
import { type IntentRow, type IntentState, newIntent } from "../../src/sending/intent.ts";
import type { Failure, SubjectState } from "../../src/sending/state.ts";
import { afterFault } from "../../src/sending/subject.ts";
import type { SubjectChange, SubjectRun } from "../../src/sending/subject-run.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { toRow } from "../../src/storage/typed.ts";
import { recordingLogger } from "../support/logger.ts";

const now = Date.parse("2026-11-22T12:00:00.000Z");
const maxRetryMs = 1_800_000;

interface Given {
  /** The state on record of its first part. */
  states?: IntentState[];
  faultySince?: number | null;
  /** The number of its two parts that are live. */
  live?: number;
  error?: unknown;
}

/** The progress of a target that met a fault. */
async function fault({ states = [], faultySince = null, live = 0, error = new TypeError("a fault") }: Given) {
  const storage = memoryStorage();
  const intents = states.map((state, place): IntentRow => {
    const made = newIntent({
      id: `int_${place + 1}`,
      profileId: "prof_1",
      subjectId: "tgt_1",
      part: live,
      number: place + 1,
      keys: ["key"],
      body: { json: {} },
      fileHashes: [],
      handles: null,
      now,
      hardEndMs: 0,
    });
    return { ...made, state };
  });
  await storage.write(intents.map((intent) => ({ kind: "insert", collection: "intents", row: toRow(intent) })));
  const logger = recordingLogger();
  const saved: SubjectChange[] = [];
  const settled: (Failure | null)[] = [];
  const run = {
    id: "tgt_1",
    label: "target",
    ports: { storage, logger, maxRetryMs },
    lease: { now: () => now },
    count: () => 2,
    state: () => ({ live: Array.from({ length: live }, () => ({})), faulty_since: faultySince }) as SubjectState,
    save: async (change: SubjectChange) => void saved.push(change),
    settle: async (failure: Failure | null) => void settled.push(failure),
  } as unknown as SubjectRun;
  await afterFault(run, error);
  return { saved, settled, lines: logger.lines };
}

const tooLong = now - maxRetryMs;

describe("a target whose run threw an unexpected error", () => {
  it("is retried in a minute, and the error is logged", async () => {
    const { saved, settled, lines } = await fault({});
    expect(saved).toEqual([{ due_at: now + 60_000, state: { faulty_since: now } }]);
    expect(settled).toEqual([]);
    expect(lines).toEqual([expect.stringContaining("TypeError: a fault")]);
    expect((await fault({ error: "a bare text" })).lines).toEqual([expect.stringContaining("a bare text")]);
  });

  it("is retried for as long as any other, counted from its first fault", async () => {
    expect((await fault({ faultySince: tooLong + 1 })).saved).toEqual([
      { due_at: now + 60_000, state: { faulty_since: tooLong + 1 } },
    ]);
    expect((await fault({ faultySince: tooLong })).settled).toMatchObject([{ kind: "fail" }]);
  });

  it.each([
    [[], "internal_error", false],
    [["refused", "not_sent", "absent", "later"], "internal_error", false],
    [["open"], "timeout", true],
    // The state in an attempt before a retry with force.
    [["undecided", "refused"], "timeout", true],
    [["unknown"], "timeout", true],
  ] as const)("fails with %j on record as %s", async (states, code, mayBeLive) => {
    const { settled } = await fault({ states: [...states], faultySince: tooLong });
    const message = `An unexpected error occurred repeatedly; see the log.${mayBeLive ? " The post may be live." : ""}`;
    expect(settled).toEqual([{ kind: "fail", code, message, mayBeLive }]);
  });

  it.each<[string, Given]>([
    ["its request was accepted", { states: ["refused", "accepted"] }],
    ["a look has found it", { states: ["live"] }],
    ["all of its parts are live", { live: 2 }],
  ])("never fails once %s", async (_what, given) => {
    const { saved, settled } = await fault({ ...given, faultySince: tooLong - 1 });
    expect(settled).toEqual([]);
    expect(saved).toEqual([{ due_at: now + 60_000, state: { faulty_since: tooLong - 1 } }]);
  });

  it("may fail with some of its parts live", async () => {
    expect((await fault({ live: 1, faultySince: tooLong })).settled).toHaveLength(1);
  });
});
