import { describe, expect, it } from "vitest";
import type { PublishedPart } from "../../src/networks/contract/plan.ts";
import { NotReady } from "../../src/networks/contract/request.ts";
import { trustMs } from "../../src/profiles/visible-lists.ts";
import { emptyTargetState, type TargetState } from "../../src/publishing/rows.ts";
import type { BoundRequest } from "../../src/sending/bound-publisher.ts";
import { confirm } from "../../src/sending/confirm.ts";
import type { PartRun } from "../../src/sending/part-run.ts";
import type { SubjectRun } from "../../src/sending/subject-run.ts";
import { PublishingError } from "../../src/wire/errors.ts";
import { LeaseLost } from "../../src/work/lease.ts";
import { silentLogger } from "../support/logger.ts";

const now = 1_790_000_000_000;

function part(id: string): PublishedPart {
  return { id, url: `https://social.example/${id}`, ref: null };
}

interface Seen {
  state: Partial<TargetState>;
  saved: unknown[];
  /** The parts that were asked for, and the live parts before each. */
  acts: [number, readonly PublishedPart[]][];
}

/** No step is left, and every list shows the part. */
const plain: Partial<BoundRequest> = {
  confirm: async (_, published) => published,
  listNames: () => [],
  unconfirmed: null,
};

/** A target of which some parts have just gone out in one request. */
function runOf(
  attempt: Partial<BoundRequest>,
  known: { seen?: Record<string, number>; state?: Partial<TargetState>; count?: number } = {},
) {
  const record: Seen = { state: { ...emptyTargetState(), ...known.state }, saved: [], acts: [] };
  const run = {
    count: () => known.count ?? 3,
    publisherOf(...place: [number, readonly PublishedPart[]]) {
      record.acts.push(place);
      return { requestFor: () => ({ ...plain, ...attempt }) };
    },
    credentials: {
      context: {},
      profile: () => ({ private: { visible_lists: known.seen ?? {} } }),
      save: async (change: unknown) => void record.saved.push(change),
    },
    lease: { id: "prof_1", now: () => now },
    ports: { logger: silentLogger, maxRetryMs: 1_800_000 },
    id: "tgt_1",
    label: "target",
    state: () => record.state,
    remember: (change: Partial<TargetState>) => Object.assign(record.state, change),
  } as unknown as SubjectRun;
  return { run, record };
}

function confirmed(run: SubjectRun, following: PublishedPart[] = []) {
  const published = following.length === 0 ? part("1") : { ...part("1"), following };
  return confirm(run, { index: 0 } as PartRun, { published, keys: ["one", "two", "three"] });
}

describe("the last step for live parts", () => {
  it("runs for each part behind those before it", async () => {
    const { run, record } = runOf({
      confirm: async (_, published) => ({ ...published, ref: `confirmed ${published.id}` }),
    });
    const progress = await confirmed(run, [part("2"), part("3")]);
    const [one, two, three] = ["1", "2", "3"].map((id) => ({ ...part(id), ref: `confirmed ${id}` }));
    expect(progress).toEqual({ kind: "live", published: [one, two, three] });
    expect(record.acts).toEqual([
      [0, []],
      [1, [one]],
      [2, [one, two]],
    ]);
  });

  it("runs for no more parts than the target has", async () => {
    const { run } = runOf({}, { count: 2 });
    expect(await confirmed(run, [part("2"), part("3")])).toEqual({
      kind: "live",
      published: [part("1"), part("2")],
    });
  });

  it.each<[string, Error]>([
    ["is not ready", new NotReady("The video is being made ready.")],
    ["cannot be reached", new PublishingError("network_error", "The network is away.", { isPassing: true })],
  ])("waits while the network %s", async (_, error) => {
    const { run, record } = runOf({ confirm: () => Promise.reject(error) });
    expect(await confirmed(run)).toMatchObject({
      kind: "wait",
      code: "network_error",
      message: `The post is live; its additions are still pending. ${error.message}`,
    });
    expect(record.state.patience).toMatchObject({ since: now, waits: 1 });
  });

  it.each<[string, Error, number]>([
    ["after two minutes", new PublishingError("network_error", "Away.", { isPassing: true }), 120_000],
    ["at a permanent refusal", new PublishingError("invalid_request", "No."), 0],
  ])("is abandoned %s, and the post stays published", async (_, error, sinceMs) => {
    const patience = { since: now - sinceMs, waits: 3, number: 1, alike: null };
    const { run } = runOf({ confirm: () => Promise.reject(error) }, { state: { patience } });
    expect(await confirmed(run)).toEqual({ kind: "live", published: [part("1")] });
  });

  it("adds a warning where the requested setting is missing then", async () => {
    const { run } = runOf({
      confirm: () => Promise.reject(new PublishingError("unsupported", "The channel may have none.")),
      unconfirmed: "The network did not set the cover",
    });
    const before = { ...part("1"), warnings: ["It is private."] };
    expect(await confirm(run, { index: 0 } as PartRun, { published: before, keys: ["one"] })).toEqual({
      kind: "live",
      published: [
        { ...before, warnings: ["It is private.", "The network did not set the cover: The channel may have none."] },
      ],
    });
  });

  it("is left to the process that has claimed the profile meanwhile", async () => {
    const { run } = runOf({ confirm: () => Promise.reject(new LeaseLost("Another process has claimed it.")) });
    await expect(confirmed(run)).rejects.toThrow(LeaseLost);
  });
});

describe("the lists that show a live part", () => {
  function listing(showing: string[] | Error) {
    let asked = 0;
    const attempt: Partial<BoundRequest> = {
      listNames: () => ["account", "home"],
      listsShowing: async () => {
        asked += 1;
        if (showing instanceof Error) throw showing;
        return showing;
      },
    };
    return { attempt, asked: () => asked };
  }

  it("are remembered with the time", async () => {
    const { attempt } = listing(["home"]);
    const { run, record } = runOf(attempt, { seen: { other: now - 1 } });
    await confirmed(run);
    expect(record.saved).toEqual([{ visible_lists: { other: now - 1, home: now } }]);
  });

  it("are not read again while one of them is known", async () => {
    const { attempt, asked } = listing(["home"]);
    const { run, record } = runOf(attempt, { seen: { home: now - trustMs + 1 } });
    await confirmed(run);
    expect([asked(), record.saved]).toEqual([0, []]);
  });

  it("are read again after 30 days, and older ones are forgotten", async () => {
    const { attempt } = listing(["account"]);
    const { run, record } = runOf(attempt, { seen: { home: now - trustMs } });
    await confirmed(run);
    expect(record.saved).toEqual([{ visible_lists: { account: now } }]);
  });

  it("are not written down where no list shows it", async () => {
    const { attempt, asked } = listing([]);
    const { run, record } = runOf(attempt);
    await confirmed(run);
    expect([asked(), record.saved]).toEqual([1, []]);
  });

  it("are remembered up to a hundred, the latest ones", async () => {
    const { attempt } = listing(["home"]);
    const many = Array.from({ length: 100 }, (_, index): [string, number] => [`list ${index}`, now - 100 + index]);
    const { run, record } = runOf(attempt, { seen: Object.fromEntries(many) });
    await confirmed(run);
    const expected = [...many.slice(1), ["home", now]];
    expect(record.saved).toEqual([{ visible_lists: Object.fromEntries(expected) }]);
  });

  it("stay unknown while the network is away; an error of ours is thrown", async () => {
    const away = listing(new PublishingError("network_error", "Away.", { isPassing: true }));
    const { run, record } = runOf(away.attempt);
    expect(await confirmed(run)).toMatchObject({ kind: "live" });
    expect(record.saved).toEqual([]);
    const lease = runOf(listing(new LeaseLost("Another process has claimed it.")).attempt);
    await expect(confirmed(lease.run)).rejects.toThrow(LeaseLost);
  });
});
