import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Acceptance } from "../../src/networks/contract/acceptance.ts";
import type { ErrorTable } from "../../src/networks/contract/errors.ts";
import type { PublishedPart } from "../../src/networks/contract/plan.ts";
import { type CommitRules, readBackRules } from "../../src/networks/contract/publish.ts";
import type { NetworkResponse } from "../../src/networks/contract/request.ts";
import { createAppLimits } from "../../src/networks/runtime/app-limits.ts";
import { type IntentRecord, type IntentRow, type IntentState, newIntent } from "../../src/sending/intent.ts";
import type { PartRun } from "../../src/sending/part-run.ts";
import { recordResponse } from "../../src/sending/record.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Operation } from "../../src/storage/storage.ts";
import { fromRow, toRow } from "../../src/storage/typed.ts";

const now = Date.parse("2026-11-22T12:00:00.000Z");
const live: PublishedPart = { id: "1", url: "https://social.example/1", ref: null };

const errors = {
  body: z
    .object({ code: z.string(), message: z.string().default("") })
    .transform(({ code, message }) => ({ codes: [code], message })),
  rows: [
    { code: "duplicate", as: "rejected_by_network", effect: "duplicate", message: "A duplicate." },
    { code: "expired", as: "network_error", effect: "later", remedy: "refresh", message: "The login is over." },
    { code: "early", as: "network_error", effect: "later", remedy: "not_ready", message: "Not ready." },
    { code: "gone", as: "network_error", effect: "later", remedy: "stage_again", message: "The file is gone." },
    { code: "limit", as: "network_error", effect: "later", remedy: "rate_limit", message: "Too many." },
  ],
  rateLimitEnd: () => now + 90_000,
} as unknown as ErrorTable;

/** The event that shortens the lease of a profile. */
const shortening: Operation = {
  kind: "update",
  collection: "profiles",
  id: "prof_1",
  change: { lease_until: now + 25_000 },
  where: { epoch: 1 },
};

interface Given {
  response: { status: number; body: unknown };
  state?: IntentState;
  intent?: Partial<IntentRecord>;
  /** True: another request for the part lost its response. */
  hasLost?: boolean;
  rules?: Partial<CommitRules>;
  /** The post that the network's duplicate error names. */
  duplicate?: PublishedPart | null;
  accepted?: Acceptance | null;
  /** The owner of the post on record. */
  owner?: string;
  /** The row's current state. */
  stands?: IntentState;
  /** True: another process has claimed the profile. */
  isLost?: boolean;
}

async function answer(given: Given) {
  const storage = memoryStorage();
  const made = newIntent({
    id: "int_1",
    profileId: "prof_1",
    subjectId: "tgt_1",
    part: 0,
    number: 2,
    keys: ["key"],
    body: { json: {} },
    fileHashes: [],
    handles: null,
    now: now - 1_000,
    hardEndMs: 30_000,
  });
  const intent: IntentRow = {
    ...made,
    state: given.state ?? "open",
    private: { ...made.private, ...given.intent },
  };
  const profile = { id: "prof_1", epoch: given.isLost === true ? 2 : 1, lease_until: now + 39_000 };
  await storage.write([
    { kind: "insert", collection: "profiles", row: profile },
    { kind: "insert", collection: "intents", row: toRow({ ...intent, state: given.stands ?? intent.state }) },
  ]);
  if (given.owner !== undefined) {
    const row = {
      id: "pub_0",
      network: "network",
      external_account_id: "account",
      network_post_id: "1",
      subject_id: given.owner,
      created_at: "2026-11-01T00:00:00.000Z",
    };
    await storage.write([{ kind: "insert", collection: "publications", row }]);
  }
  const attempt = {
    accepted: () => (given.accepted === undefined ? { live } : given.accepted),
    duplicateOf: () => given.duplicate ?? null,
  };
  const run = {
    ports: {
      storage,
      session: { appLimits: createAppLimits() },
      ids: { create: () => "pub_1" },
      clock: { now: () => now, monotonic: () => 0 },
    },
    lease: {
      now: () => now,
      endRequest: <Value>(id: string, write: (shortening: Operation[]) => Promise<Value>) =>
        write(id === "int_1" ? [shortening] : []),
    },
    adapter: { spec: { network: "network", name: "Network" }, errors },
    credentials: { profile: () => ({ external_id: "account", private: {} }) },
    publisher: { rules: { ...readBackRules, ...given.rules }, requestFor: () => attempt },
    subjectId: "tgt_1",
    guard: () => [],
    unresolvedIntents: given.hasLost ? [{ number: 1 }] : [],
  } as unknown as PartRun;
  const response = { headers: new Headers(), ...given.response } as unknown as NetworkResponse;
  const recorded = await recordResponse(run, intent, { response, operation: "publish" });
  const row = fromRow<IntentRow>((await storage.get("intents", "int_1")) ?? expect.unreachable());
  const found = await storage.find("publications", { where: { network_post_id: "1" } });
  if (recorded !== null) expect(recorded).toMatchObject({ state: row.state, private: row.private });
  const owners = found.rows.map(({ subject_id }) => subject_id);
  const leftMs = Number((await storage.get("profiles", "prof_1"))?.lease_until) - now;
  return { recorded, state: row.state, record: row.private, owners, leftMs };
}

const yes = { status: 200, body: {} };
const refused = (code: string) => ({ status: 400, body: { code, message: "Sorry" } });

describe("a response", () => {
  it.each([
    ["an acceptance", yes],
    ["a refusal", refused("limit")],
    ["an inconclusive response", { status: 502, body: "<html>" }],
  ])("shortens the lease in the write that records it: %s", async (_, response) => {
    expect((await answer({ response })).leftMs).toBe(25_000);
  });

  it("is on record though another process holds the profile, whose lease stays unchanged", async () => {
    const { state, owners, leftMs } = await answer({ response: yes, isLost: true });
    expect([state, owners, leftMs]).toEqual(["accepted", ["tgt_1"], 39_000]);
  });

  it("to a row that already knows better leaves the lease unchanged", async () => {
    expect(await answer({ response: yes, stands: "live" })).toMatchObject({ recorded: null, leftMs: 39_000 });
  });
});

describe("an acceptance", () => {
  it("is on record with the post's owner", async () => {
    const { state, record, owners } = await answer({ response: yes, intent: { message: "before" } });
    expect([state, record.message, record.answer, owners]).toEqual(["accepted", null, { published: live }, ["tgt_1"]]);
  });

  it("that cannot be read leaves the outcome unknown", async () => {
    const { state, record, owners } = await answer({ response: yes, accepted: null });
    expect([state, record.unknown_since, owners]).toEqual(["unknown", now, []]);
    expect(record.message).toContain("could not be read");
  });

  it("of a job is on record with the job's reference and its start", async () => {
    const { state, record, owners } = await answer({ response: yes, accepted: { job: { id: "7" } } });
    expect([state, record.job, owners]).toEqual(["job", { handle: { id: "7" }, since: now }, []]);
  });

  it.each<IntentState>(["unknown", "undecided"])("of a job changes %s, however late it comes", async (stands) => {
    expect((await answer({ response: yes, accepted: { job: "7" }, stands })).state).toBe("job");
  });

  it("that shows a refusal only by its status is a refusal", async () => {
    const refusal = { code: "media_error", message: "The video is too dark." } as const;
    const { state, record } = await answer({ response: yes, accepted: { refused: refusal } });
    expect([state, record.message, record.answer]).toEqual(["refused", refusal.message, { code: "media_error" }]);
  });

  it("stands although the post is on record as another target's", async () => {
    const { state, owners } = await answer({ response: yes, owner: "tgt_9" });
    expect([state, owners]).toEqual(["accepted", ["tgt_9"]]);
  });

  it.each<IntentState>(["unknown", "undecided"])("that comes late changes %s", async (stands) => {
    expect((await answer({ response: yes, stands })).state).toBe("accepted");
  });

  it.each<IntentState>(["live", "absent"])("that comes late does not change %s", async (stands) => {
    expect(await answer({ response: yes, stands })).toMatchObject({ recorded: null, state: stands, owners: [] });
  });
});

describe("a refusal of the first request", () => {
  it.each<[string, { status: number; body: unknown }, IntentState, object]>([
    ["refused", { status: 422, body: { code: "x" } }, "refused", { answer: { code: "rejected_by_network" } }],
    [
      "a duplicate of a post that a user wrote",
      refused("duplicate"),
      "refused",
      { answer: { code: "rejected_by_network" } },
    ],
    ["unknown", { status: 502, body: "" }, "unknown", { unknown_since: now, answer: null }],
    [
      "later",
      refused("limit"),
      "later",
      { answer: { remedy: "rate_limit", retry_at: now + 90_000, code: "network_error" } },
    ],
  ])("is on record: %s", async (_, response, state, record) => {
    const recorded = await answer({ response, duplicate: live });
    expect([recorded.state, recorded.owners]).toEqual([state, []]);
    expect(recorded.record).toMatchObject(record);
  });

  it("does not change the result of another look meanwhile", async () => {
    expect(await answer({ response: { status: 422, body: { code: "x" } }, stands: "live" })).toMatchObject({
      recorded: null,
      state: "live",
    });
  });
});

describe("a refusal after a request whose response was lost", () => {
  it("that names the duplicate has found the part", async () => {
    const found = await answer({ response: refused("duplicate"), hasLost: true, duplicate: live });
    expect([found.state, found.record.answer, found.owners]).toEqual(["accepted", { published: live }, ["tgt_1"]]);
    const ours = await answer({ response: refused("duplicate"), hasLost: true, duplicate: live, owner: "tgt_1" });
    expect(ours.state).toBe("accepted");
  });

  it("that names another's post as the duplicate is only a hint", async () => {
    const { state, record } = await answer({
      response: refused("duplicate"),
      hasLost: true,
      duplicate: live,
      owner: "tgt_9",
    });
    expect([state, record.is_duplicate]).toEqual(["unknown", true]);
  });

  it.each<[string, boolean]>([
    ["duplicate", true],
    ["gone", true],
    ["early", false],
  ])("says that the post may be there: %s", async (code, isDuplicate) => {
    const { state, record } = await answer({ response: refused(code), hasLost: true });
    expect([state, record.is_duplicate, record.unknown_since]).toEqual(["unknown", isDuplicate, now]);
  });

  it.each<[string, string, Partial<CommitRules>, IntentState]>([
    ["a rate limit", "limit", {}, "later"],
    ["credentials that have ended", "expired", {}, "later"],
    ["a refusal", "x", {}, "refused"],
    ["a file that is gone, where a key protects the post", "gone", { isKeyed: true }, "later"],
    ["a file that is not ready, where a key protects the post", "early", { isKeyed: true }, "later"],
  ])("says nothing about the lost request: %s", async (_, code, rules, state) => {
    const recorded = await answer({ response: refused(code), hasLost: true, rules, duplicate: live });
    expect([recorded.state, recorded.owners]).toEqual([state, []]);
  });
});

describe("a refusal of a repetition", () => {
  const intent = { unknown_since: now - 9_000, replay_at: now - 1 };
  const repeated = { state: "unknown", intent } as const;

  it.each<[string, { status: number; body: unknown }, number | null]>([
    ["after five seconds", { status: 502, body: "" }, now + 5_000],
    ["after the rate limit", refused("limit"), now + 90_000],
    ["never after a refusal", { status: 422, body: { code: "x" } }, null],
    ["never with credentials that have ended", refused("expired"), null],
  ])("leaves the outcome unknown, and is repeated: %s", async (_, response, replayAt) => {
    const { state, record } = await answer({ response, ...repeated });
    expect([state, record.unknown_since, record.replay_at]).toEqual(["unknown", now - 9_000, replayAt]);
  });

  it("that cannot be read is repeated after five seconds", async () => {
    expect((await answer({ response: yes, accepted: null, ...repeated })).record.replay_at).toBe(now + 5_000);
    const never = { state: "unknown", intent: { ...intent, replay_at: null } } as const;
    expect((await answer({ response: yes, accepted: null, ...never })).record.replay_at).toBeNull();
  });
});
