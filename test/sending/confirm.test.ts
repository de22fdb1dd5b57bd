import { describe, expect, it } from "vitest";
import type { CommitInput } from "../../src/networks/contract/commit.ts";
import type { PublishedPart } from "../../src/networks/contract/plan.ts";
import type { Publisher } from "../../src/networks/contract/publish.ts";
import { NotReady } from "../../src/networks/contract/request.ts";
import { emptyTargetState, type TargetState } from "../../src/publishing/rows.ts";
import { confirm } from "../../src/sending/confirm.ts";
import { trustMs } from "../../src/sending/look.ts";
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
}

/** A target of which some parts have just gone out in one request. */
function runOf(
  publish: Partial<Publisher>,
  known: { seen?: Record<string, number>; state?: Partial<TargetState> } = {},
) {
  const told: Seen = { state: { ...emptyTargetState(), ...known.state }, saved: [] };
  const run = {
    adapter: { publish, spec: { name: "Network" } },
    credentials: {
      context: {},
      profile: () => ({ private: { seen: known.seen ?? {} } }),
      save: async (change: unknown) => void told.saved.push(change),
    },
    lease: { id: "prof_1", now: () => now },
    ports: { logger: silentLogger, maxRetryMs: 1_800_000 },
    id: "tgt_1",
    noun: "target",
    state: () => told.state,
    remember: (change: Partial<TargetState>) => Object.assign(told.state, change),
  } as unknown as SubjectRun;
  return { run, told };
}

function inputOf(index: number, more: Partial<CommitInput> = {}): CommitInput {
  return { index, first: null, previous: null, ...more } as unknown as CommitInput;
}

function confirmed(run: SubjectRun, input: CommitInput, following: PublishedPart[] = []) {
  const published = following.length === 0 ? part("1") : { ...part("1"), following };
  return confirm(run, { inputFor: () => input } as unknown as PartRun, { published, keys: ["key"] });
}

describe("what is left to do for parts that are live", () => {
  it("is done for each with what it was made from, behind those before it", async () => {
    const inputs: CommitInput[] = [];
    const { run } = runOf({
      confirm: async (_, published, input) => {
        inputs.push(input);
        return { ...published, ref: `confirmed ${published.id}` };
      },
    });
    const input = inputOf(0, { following: [inputOf(1), inputOf(2)] });
    const progress = await confirmed(run, input, [part("2"), part("3")]);
    const [one, two, three] = ["1", "2", "3"].map((id) => ({ ...part(id), ref: `confirmed ${id}` }));
    expect(progress).toEqual({ kind: "live", published: [one, two, three] });
    expect(inputs).toEqual([
      inputOf(0),
      inputOf(1, { first: one ?? null, previous: one ?? null }),
      inputOf(2, { first: one ?? null, previous: two ?? null }),
    ]);
  });

  it("is done for no more parts than the target has", async () => {
    const { run } = runOf({});
    const input = inputOf(0, { following: [inputOf(1)] });
    expect(await confirmed(run, input, [part("2"), part("3")])).toEqual({
      kind: "live",
      published: [part("1"), part("2")],
    });
  });

  it.each<[string, Error]>([
    ["is not ready", new NotReady("The video is being made ready.")],
    ["cannot be reached", new PublishingError("network_error", "The network is away.", { isPassing: true })],
  ])("waits while the network %s", async (_, error) => {
    const { run, told } = runOf({ confirm: () => Promise.reject(error) });
    expect(await confirmed(run, inputOf(0))).toMatchObject({
      kind: "wait",
      code: "network_error",
      message: `The post is live; what belongs to it is still to be done. ${error.message}`,
    });
    expect(told.state.patience).toMatchObject({ since: now, waits: 1 });
  });

  it.each<[string, Error, number]>([
    ["after two minutes", new PublishingError("network_error", "Away.", { isPassing: true }), 120_000],
    ["at a refusal that stays one", new PublishingError("invalid_request", "No."), 0],
  ])("is given up %s, and the post stays published", async (_, error, sinceMs) => {
    const patience = { since: now - sinceMs, waits: 3, number: 1, alike: null };
    const { run } = runOf({ confirm: () => Promise.reject(error) }, { state: { patience } });
    expect(await confirmed(run, inputOf(0))).toEqual({ kind: "live", published: [part("1")] });
  });

  it("is left to the process that has claimed the profile meanwhile", async () => {
    const { run } = runOf({ confirm: () => Promise.reject(new LeaseLost("Another process has claimed it.")) });
    await expect(confirmed(run, inputOf(0))).rejects.toThrow(LeaseLost);
  });
});

describe("which lists show a part that is live", () => {
  function listing(showing: string[] | Error) {
    let asked = 0;
    const lists: Publisher["lists"] = {
      names: () => ["account", "home"],
      showing: async () => {
        asked += 1;
        if (showing instanceof Error) throw showing;
        return showing;
      },
    };
    return { publish: { lists }, asked: () => asked };
  }

  it("is remembered with the time", async () => {
    const { publish } = listing(["home"]);
    const { run, told } = runOf(publish, { seen: { other: now - 1 } });
    await confirmed(run, inputOf(0));
    expect(told.saved).toEqual([{ seen: { other: now - 1, home: now } }]);
  });

  it("is not asked again while one of them is known", async () => {
    const { publish, asked } = listing(["home"]);
    const { run, told } = runOf(publish, { seen: { home: now - trustMs + 1 } });
    await confirmed(run, inputOf(0));
    expect([asked(), told.saved]).toEqual([0, []]);
  });

  it("is asked again after 30 days, and what is older is forgotten", async () => {
    const { publish } = listing(["account"]);
    const { run, told } = runOf(publish, { seen: { home: now - trustMs } });
    await confirmed(run, inputOf(0));
    expect(told.saved).toEqual([{ seen: { account: now } }]);
  });

  it("is nothing to write down where none does", async () => {
    const { publish, asked } = listing([]);
    const { run, told } = runOf(publish);
    await confirmed(run, inputOf(0));
    expect([asked(), told.saved]).toEqual([1, []]);
  });

  it("is remembered of a hundred lists at most, the latest", async () => {
    const { publish } = listing(["home"]);
    const many = Array.from({ length: 100 }, (_, index): [string, number] => [`list ${index}`, now - 100 + index]);
    const { run, told } = runOf(publish, { seen: Object.fromEntries(many) });
    await confirmed(run, inputOf(0));
    const expected = [...many.slice(1), ["home", now]];
    expect(told.saved).toEqual([{ seen: Object.fromEntries(expected) }]);
  });

  it("stays unknown while the network is away; a mistake of ours is told", async () => {
    const away = listing(new PublishingError("network_error", "Away.", { isPassing: true }));
    const { run, told } = runOf(away.publish);
    expect(await confirmed(run, inputOf(0))).toMatchObject({ kind: "live" });
    expect(told.saved).toEqual([]);
    const lease = runOf(listing(new LeaseLost("Another process has claimed it.")).publish);
    await expect(confirmed(lease.run, inputOf(0))).rejects.toThrow(LeaseLost);
  });
});
