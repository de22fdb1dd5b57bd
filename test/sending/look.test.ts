import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ListedPost, LookQuery, LookResult } from "../../src/networks/contract/look.ts";
import type { IdentifiedPart } from "../../src/networks/contract/plan.ts";
import { type CommitRules, readBackRules } from "../../src/networks/contract/publish.ts";
import { trustMs } from "../../src/profiles/visible-lists.ts";
import { type IntentRecord, type IntentRow, type IntentState, newIntent } from "../../src/sending/intent.ts";
import { lookForPart, startWait } from "../../src/sending/look.ts";
import type { PartRun } from "../../src/sending/part-run.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Operation } from "../../src/storage/storage.ts";
import { fromRow, toRow } from "../../src/storage/typed.ts";
import { PublishingError } from "../../src/wire/errors.ts";

const now = Date.parse("2026-11-22T12:00:00.000Z");
const minuteMs = 60_000;
const hourMs = 3_600_000;
const openedAt = now - 5 * minuteMs;

const live: IdentifiedPart = { id: "1", url: "https://social.example/1", ref: null };

interface Given {
  state?: IntentState;
  sighting: LookResult | Error;
  intent?: Partial<IntentRecord>;
  /** Other facts that the profile holds. */
  seen?: Record<string, number>;
  status?: { status: string; status_reason: string | null };
  rules?: Partial<CommitRules>;
  postType?: "post" | "story";
  /** The owners of posts, by id. */
  owned?: string[];
  /** Another target's request with the same text, whose outcome is unknown, too. */
  rival?: IntentState;
  /** How long posts are kept. @default for ever */
  postsKeptMs?: number;
  /** Fails the first write of the look with this error. */
  storeFault?: Error;
}

function intentOf(change: Partial<IntentRecord> = {}): IntentRow {
  const made = newIntent({
    id: "int_1",
    profileId: "prof_1",
    subjectId: "tgt_1",
    part: 0,
    number: 1,
    keys: ["key"],
    body: { json: { text: "Hello out there" } },
    fileHashes: [],
    handles: null,
    now: openedAt,
    hardEndMs: 30_000,
  });
  const lost = { unknown_since: openedAt + 35_000, message: "The answer was lost." };
  return { ...made, state: "unknown", private: { ...made.private, ...lost, ...change } };
}

/** Looks once, or does another act with the intent; returns the record afterwards. */
async function look(given: Given, work = lookForPart) {
  const storage = memoryStorage();
  const intent = { ...intentOf(given.intent), ...(given.state === undefined ? {} : { state: given.state }) };
  const publications = (given.owned ?? []).map((id) =>
    toRow({
      id: `pub_${id}`,
      network: "network",
      external_account_id: "account",
      network_post_id: id,
      subject_id: "tgt_9",
      created_at: "2026-11-01T00:00:00.000Z",
    }),
  );
  const rivals =
    given.rival === undefined ? [] : [{ ...intent, id: "int_2", subject_id: "tgt_2", state: given.rival }].map(toRow);
  await storage.write([
    { kind: "insert", collection: "profiles", row: { id: "prof_1", epoch: 1 } },
    { kind: "insert", collection: "intents", row: toRow(intent) },
    ...rivals.map((row) => ({ kind: "insert", collection: "intents", row }) as const),
    ...publications.map((row) => ({ kind: "insert", collection: "publications", row }) as const),
  ]);
  let asked = 0;
  const writes = given.storeFault === undefined ? [] : [() => Promise.reject(given.storeFault)];
  const broken: unknown[] = [];
  const jobs: unknown[] = [];
  const lookFor = async (_: unknown, query: LookQuery) => {
    jobs.push(query.job);
    asked += 1;
    if (given.sighting instanceof Error) throw given.sighting;
    return given.sighting;
  };
  const profile = {
    id: "prof_1",
    external_id: "account",
    ...(given.status ?? { status: "connected", status_reason: null }),
    private: { host: null, visible_lists: given.seen ?? {} },
  };
  const run = {
    ports: {
      storage: { ...storage, write: (operations: Operation[]) => writes.shift()?.() ?? storage.write(operations) },
      clock: { now: () => now },
      outbound: { timeAt: () => now },
      ids: { create: (kind: string) => `${kind}_1` },
      outbox: { write: async (operations: unknown) => void broken.push(operations) },
      postsKeptMs: given.postsKeptMs ?? null,
    },
    lease: {
      id: "prof_1",
      epoch: 1,
      now: () => now,
      check: () => ({ kind: "check", collection: "profiles", id: "prof_1", where: { epoch: 1 } }),
    },
    adapter: { spec: { network: "network", hosts: ["social.example"], name: "Network" } },
    credentials: { profile: () => profile, context: {} },
    publisher: {
      rules: { ...readBackRules, ...given.rules },
      media: [],
      isStory: given.postType === "story",
      textForms: () => ["Hello out there"],
      requestFor: () => ({ lookFor }),
    },
    index: 0,
    subjectId: "tgt_1",
    guard: () => [],
    unresolvedIntents: [intent],
    lastIntentBeforeRetry: 0,
    textsInFlight: async () => (id: string) => (id === "tgt_2" ? ["Hello out there"] : null),
  } as unknown as PartRun;
  await work(run, intent);
  const row = fromRow<IntentRow>((await storage.get("intents", "int_1")) ?? expect.unreachable());
  const owned = await storage.find("publications", { where: { network_post_id: "1" } });
  return {
    state: row.state,
    record: row.private,
    asked,
    jobs,
    broken,
    owners: owned.rows.map(({ subject_id }) => subject_id),
  };
}

function seenPost(change: Partial<ListedPost> = {}): ListedPost {
  return {
    published: live,
    created_at: openedAt + 1_000,
    texts: ["Hello out there"],
    isSameKind: true,
    origin: null,
    ...change,
  };
}

function listed(posts: ListedPost[], { isWhole = true, showsSuch = true } = {}): LookResult {
  return { parent: null, lists: [{ posts, isWhole, showsSuch, name: "account" }] };
}

const other = (texts: string[]): ListedPost => seenPost({ published: { ...live, id: "2" }, texts });

describe("a look at a network that is still working", () => {
  it("is repeated after half a minute", async () => {
    const { state, record } = await look({ sighting: { pending: "The video is being made ready." } });
    expect(state).toBe("unknown");
    expect(record).toMatchObject({ look_at: now + 30_000, message: "The video is being made ready." });
  });

  it("ends undecided an hour after the request was over", async () => {
    const hard_end = now - hourMs;
    const last = await look({ sighting: { pending: "Still." }, intent: { hard_end: hard_end + 1 } });
    expect([last.state, last.record.look_at]).toEqual(["unknown", now + 1]);
    const { state, record } = await look({ sighting: { pending: "Still." }, intent: { hard_end } });
    expect([state, record.message]).toEqual(["undecided", "Still."]);
  });

  it("counts from the last look that was refused", async () => {
    const intent = { hard_end: now - 2 * hourMs, refused_at: now - minuteMs };
    expect((await look({ sighting: { pending: "Still." }, intent })).state).toBe("unknown");
  });
});

describe("a look at a job", () => {
  const job = { handle: "job-7", since: now - 10 * minuteMs };
  const pending = { pending: "The network is converting the video." };

  it("asks with the reference that the network gave for it", async () => {
    expect((await look({ sighting: pending, state: "job", intent: { job } })).jobs).toEqual(["job-7"]);
    expect((await look({ sighting: pending })).jobs).toEqual([undefined]);
  });

  it("is repeated when the network says", async () => {
    const { state, record } = await look({
      sighting: { ...pending, again_seconds: 300 },
      state: "job",
      intent: { job },
    });
    expect([state, record.look_at, record.message]).toEqual(["job", now + 5 * minuteMs, pending.pending]);
  });

  it("finds the post, or that it failed", async () => {
    expect(await look({ sighting: { live }, state: "job", intent: { job } })).toMatchObject({
      state: "live",
      owners: ["tgt_1"],
    });
    const failed = { code: "media_error", message: "Too dark." } as const;
    const { state, record } = await look({ sighting: { failed }, state: "job", intent: { job } });
    expect([state, record.message, record.answer]).toEqual(["refused", "Too dark.", { code: "media_error" }]);
  });

  it("that runs past its limit ends as the network specified, or else undecided", async () => {
    const old = { job: { ...job, since: now - hourMs } };
    const failed = { code: "timeout", message: "Not within an hour." } as const;
    const at = (at_cap?: object) => look({ sighting: { ...pending, ...at_cap }, state: "job", intent: old });
    expect((await at()).state).toBe("undecided");
    expect(await at({ at_cap: { live } })).toMatchObject({ state: "live", owners: ["tgt_1"] });
    expect((await at({ at_cap: { failed } })).state).toBe("refused");
    const young = { job: { ...job, since: now - hourMs + 1 } };
    expect((await look({ sighting: pending, state: "job", intent: young })).record.look_at).toBe(now + 1);
  });

  it("counts from the clock's jump, as a wait does", async () => {
    const intent = { job, look_at: now + hourMs };
    const { state, record } = await look({ sighting: pending, state: "job", intent }, startWait);
    expect([state, record.job, record.look_at]).toEqual(["job", { handle: "job-7", since: now }, null]);
  });
});

describe("a look that finds the part", () => {
  it("adopts it, and records whose it is", async () => {
    const { state, record, owners } = await look({ sighting: { live } });
    expect([state, record.message, owners]).toEqual(["live", null, ["tgt_1"]]);
    expect(record.answer).toEqual({ published: live });
  });

  it("adopts the post with exactly its text", async () => {
    const sighting = listed([seenPost(), other(["Completely different words about the weather of today"])]);
    expect(await look({ sighting })).toMatchObject({ state: "live", owners: ["tgt_1"] });
  });

  it("does not adopt a post that is on record as another target's", async () => {
    const { state, record, owners } = await look({ sighting: { live }, owned: ["1"] });
    expect([state, owners]).toEqual(["unknown", ["tgt_9"]]);
    expect(record).toMatchObject({ look_at: now + 30_000, message: expect.stringContaining("matched with another") });
    expect((await look({ sighting: listed([seenPost()]), owned: ["1"] })).record.empty_looks).toEqual([now]);
  });

  it("adopts neither of two posts that look the same", async () => {
    const { state, record } = await look({ sighting: listed([seenPost(), other(["Hello out there"])]) });
    expect([state, record.message]).toEqual(["undecided", expect.stringContaining("cannot be told apart")]);
  });
});

describe("a look at a live part whose post the network does not name", () => {
  const among = (posts: ListedPost[]) => ({
    parent: null,
    lists: [{ posts, isWhole: true, showsSuch: true, name: "account" }],
  });
  const unnamed = { live: { id: null, url: null, ref: null } };
  const at = (posts: ListedPost[], { hard_end, ...more }: Partial<IntentRecord> & { hard_end: number }) =>
    look({ sighting: { pending: "It is live.", among: among(posts), at_cap: unnamed }, intent: { ...more, hard_end } });
  /** Written by a clock that has been set back since. */
  const ofTheFuture = { opened_at: now + hourMs };
  const over = { hard_end: now - hourMs };

  it("adopts the one post with its text immediately, where the time of the request is known", async () => {
    expect((await at([seenPost()], { hard_end: now })).record.answer).toEqual({ published: live });
    expect((await at([seenPost()], { ...ofTheFuture, hard_end: now })).state).toBe("unknown");
  });

  it("adopts it after the longest wait whenever the request was sent", async () => {
    const { state, record, owners } = await at([seenPost()], { ...ofTheFuture, ...over });
    expect([state, record.answer, owners]).toEqual(["live", { published: live }, ["tgt_1"]]);
  });

  it("ends without an id after the longest wait where no post, or two posts, have its text", async () => {
    for (const posts of [[other(["Something else, of the weather"])], [seenPost(), other(["Hello out there"])]]) {
      const { state, record } = await at(posts, { ...ofTheFuture, ...over });
      expect([state, record.answer]).toEqual(["live", { published: unnamed.live }]);
    }
  });
});

describe("a look that finds a post which another request may have made, too", () => {
  const found = listed([seenPost()]);

  it.each(["open", "unknown"] as const)("waits while that request is %s", async (rival) => {
    const { state, record } = await look({ sighting: found, rival });
    expect(state).toBe("unknown");
    expect(record).toMatchObject({
      look_at: now + minuteMs / 2,
      message: "The post that was found may belong to another post, whose outcome is also still unknown.",
    });
  });

  it("ends undecided when that request is undecided", async () => {
    const { state, record } = await look({ sighting: found, rival: "undecided" });
    expect([state, record.message]).toEqual([
      "undecided",
      "The post that was found may belong to another post, whose outcome is also unknown.",
    ]);
  });

  it("gives up when the other request may have been deleted, as posts of that age are", async () => {
    const young = { postsKeptMs: hourMs };
    expect((await look({ sighting: found, ...young })).state).toBe("live");
    const old = { postsKeptMs: minuteMs };
    const { state, record } = await look({ sighting: found, ...old });
    expect([state, record.message]).toEqual([
      "undecided",
      "The post that was found may belong to another post, which has been deleted since.",
    ]);
    expect((await look({ sighting: listed([seenPost({ origin: "ours" })]), ...old })).state).toBe("live");
  });

  it("adopts the post when it carries our own handle, or the other request is decided", async () => {
    expect((await look({ sighting: listed([seenPost({ origin: "ours" })]), rival: "unknown" })).state).toBe("live");
    expect((await look({ sighting: found, rival: "live" })).state).toBe("live");
  });
});

describe("a look whose result cannot be stored", () => {
  it("throws the store's error", async () => {
    const storeFault = new Error("the store is away");
    await expect(look({ sighting: { live }, storeFault })).rejects.toThrow("the store is away");
  });
});

describe("a look that finds nothing", () => {
  it("proves the post absent the second time", async () => {
    const first = await look({ sighting: { absent: true } });
    expect([first.state, first.record.empty_looks]).toEqual(["unknown", [now]]);
    const intent = { empty_looks: [now - minuteMs] };
    expect((await look({ sighting: { absent: true }, intent })).state).toBe("absent");
    expect((await look({ sighting: listed([]), intent })).state).toBe("absent");
    expect((await look({ sighting: { absent: true }, rules: { emptyReads: 1 } })).state).toBe("absent");
  });

  it.each<[string, Partial<Given>]>([
    ["a list that was not read back far enough", { sighting: listed([], { isWhole: false }) }],
    ["a list that is not known to show such posts", { sighting: listed([], { showsSuch: false }) }],
    [
      "a list that has shown one too long ago",
      { sighting: listed([], { showsSuch: false }), seen: { account: now - trustMs - 1 } },
    ],
    ["a post with another text", { sighting: listed([other(["Hello there"])]) }],
    [
      "a story of more than a day, since when the store's clock was set back",
      {
        postType: "story",
        intent: {
          opened_at: now - 23 * hourMs,
          other_clocks: { machine: now - 24 * hourMs - 1, network: now - 23 * hourMs },
        },
      },
    ],
    ["a story of more than a day", { postType: "story", intent: { opened_at: now - 24 * hourMs - 1 } }],
  ])("proves nothing with %s, and ends undecided the second time", async (_, given) => {
    const sighting = given.sighting ?? listed([]);
    const first = await look({ ...given, sighting });
    expect([first.state, first.record.inconclusive_looks, first.record.empty_looks]).toEqual(["unknown", [now], []]);
    const intent = { ...given.intent, inconclusive_looks: [now - minuteMs] };
    const second = await look({ ...given, sighting, intent });
    expect([second.state, second.record.message]).toEqual(["undecided", expect.any(String)]);
  });

  it.each<[string, Partial<Given>]>([
    [
      "a list that has shown one lately",
      { sighting: listed([], { showsSuch: false }), seen: { account: now - trustMs } },
    ],
    ["a story of less than a day", { postType: "story", intent: { opened_at: now - 24 * hourMs } }],
  ])("counts as evidence with %s", async (_, given) => {
    const { record } = await look({ sighting: listed([]), ...given });
    expect([record.inconclusive_looks, record.empty_looks]).toEqual([[], [now]]);
  });

  it("does not prove absence after the network has reported a duplicate", async () => {
    const intent = { is_duplicate: true, empty_looks: [now - minuteMs] };
    const { state, record } = await look({ sighting: { absent: true }, intent });
    expect([state, record.message]).toEqual(["undecided", expect.stringContaining("duplicate")]);
  });

  it("leaves an intent that a retry checks once more unchanged", async () => {
    const doubtful = await look({
      sighting: listed([], { isWhole: false }),
      intent: { outcome_before_retry: "absent" },
    });
    expect(doubtful.state).toBe("absent");
    const refused = await look({
      sighting: { cannot_tell: "No list." },
      intent: { outcome_before_retry: "undecided" },
    });
    expect([refused.state, refused.record.message]).toEqual(["undecided", "No list."]);
  });

  it("says so where a restored store assumes the request", async () => {
    const { record } = await look({ sighting: { cannot_tell: "No list." }, intent: { is_restored: true } });
    expect(record.message).toMatch(/^The store was restored from a backup.* No list\.$/);
  });
});

describe("a look that the network refuses", () => {
  const refusal = new PublishingError("reauthentication_required", "The token is gone.");

  it.each([
    ["five minutes at first", 5 * minuteMs, 5 * minuteMs],
    ["a quarter of its age", 2 * hourMs, hourMs / 2],
    ["an hour at most", 70 * hourMs, hourMs],
  ])("is repeated: %s", async (_, ageMs, laterMs) => {
    const intent = { opened_at: now - ageMs };
    const { state, record } = await look({ sighting: refusal, intent });
    expect(state).toBe("unknown");
    expect(record).toMatchObject({
      refused_at: now,
      look_at: now + laterMs,
      message: "The account cannot be read. The token is gone.",
    });
  });

  it("is repeated at a whole millisecond, whatever the time", async () => {
    const ageMs = fc.integer({ min: 1, max: 72 * hourMs - 1 });
    const sightings = fc.oneof(
      fc.constant(refusal),
      fc.record({ pending: fc.string(), again_seconds: fc.double({ min: 0, max: 9_999, noNaN: true }) }),
    );
    await fc.assert(
      fc.asyncProperty(ageMs, sightings, async (ageMs, sighting) => {
        const { record } = await look({ sighting, intent: { opened_at: now - ageMs, hard_end: now } });
        expect(record.look_at).toSatisfy(Number.isSafeInteger);
      }),
      { numRuns: 200 },
    );
  });

  it("ends after 72 hours", async () => {
    expect((await look({ sighting: refusal, intent: { opened_at: now - 72 * hourMs + 1 } })).record.look_at).toBe(
      now + 1,
    );
    expect((await look({ sighting: refusal, intent: { opened_at: now - 72 * hourMs } })).state).toBe("undecided");
  });

  it("makes no request for a profile that must be reconnected", async () => {
    const status = { status: "needs_attention", status_reason: "Connect it again." };
    const { asked, record, broken } = await look({ sighting: { live }, status });
    expect([asked, broken]).toEqual([0, []]);
    expect(record).toMatchObject({ refused_at: now, message: "The account cannot be read. Connect it again." });
    const silent = await look({ sighting: { live }, status: { ...status, status_reason: null } });
    expect(silent.record.message).toBe("The account cannot be read. The profile must be reconnected.");
  });
});

describe("the start of a wait for a lost response", () => {
  const sighting: LookResult = { absent: true };
  const looks = { empty_looks: [now - 1], inconclusive_looks: [now - 1], look_at: now + hourMs };

  it("forgets the looks before it, and makes no request", async () => {
    const { state, record, asked } = await look({ sighting, intent: { ...looks, message: null } }, startWait);
    expect([state, asked]).toEqual(["unknown", 0]);
    expect(record).toMatchObject({ unknown_since: now, empty_looks: [], inconclusive_looks: [], look_at: null });
    expect(record.message).toBe("The process that sent it ended before the response arrived.");
  });

  it("keeps the known reason", async () => {
    expect((await look({ sighting }, startWait)).record.message).toBe("The answer was lost.");
  });

  it("keeps the request's end, but never later than a request started now could take", async () => {
    const latest = now + 5_000 + 30_000;
    expect((await look({ sighting, intent: { hard_end: latest - 1 } }, startWait)).record.hard_end).toBe(latest - 1);
    expect((await look({ sighting, intent: { hard_end: latest + 1 } }, startWait)).record.hard_end).toBe(latest);
  });
});
