import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import type { CommitInput, KeySubject } from "../../src/networks/contract/commit.ts";
import type { LookInput } from "../../src/networks/contract/look.ts";
import type { Part, PublishedPart } from "../../src/networks/contract/plan.ts";
import type { Publisher } from "../../src/networks/contract/publish.ts";
import { partsOf } from "../../src/publishing/files.ts";
import type { TargetRow } from "../../src/publishing/rows.ts";
import { createPostPublisher, publisherOf } from "../../src/sending/post-publisher.ts";
import type { SubjectRun } from "../../src/sending/subject-run.ts";

const startedAt = "2026-11-22T12:00:00.000Z";

function part(text: string, change: Partial<Part> = {}): Part {
  return { text, media: [], link: null, title: null, post_type: "post", options: {}, ...change };
}

function livePart(id: string): PublishedPart {
  return { id, url: null, ref: null };
}

const texts = (input: CommitInput) => [input, ...(input.following ?? [])].map((each) => each.part.text);

/** The bound publisher of one part, over a publisher that records its input. */
function actOf(
  publish: Partial<Publisher>,
  {
    parts = [part("one"), part("two"), part("three")],
    index = 0,
    live = [] as PublishedPart[],
    keyed_at = null as string | null,
  } = {},
) {
  const run = {
    id: "tgt_1",
    createdAt: "2026-11-01T00:00:00.000Z",
    adapter: { spec: { name: "Network" }, publish: { rules: () => ({}), says: () => [], ...publish } },
    credentials: { context: { profile: { id: "prof_1" } }, secret: () => ({ token: "secret" }) },
    state: () => ({ started_at: startedAt, keyed_at, kept: { 1: { file: { value: "now", expires_at: 0 } } } }),
  } as unknown as SubjectRun;
  return createPostPublisher(run, { parts, index, live });
}

/** The input from which the request of an attempt is made. */
function inputOf(act: ReturnType<typeof actOf>, inputs: CommitInput[], ...given: Parameters<typeof act.requestFor>) {
  act.requestFor(...given).request();
  return inputs.at(-1) ?? expect.unreachable();
}

const recording = (inputs: CommitInput[]): Partial<Publisher> => ({
  commit: (input) => {
    inputs.push(input);
    return { method: "POST", url: "https://social.example", body: { json: {} } };
  },
});

describe("stored parts", () => {
  const options = z.strictObject({ audience: z.enum(["everybody", "friends"]).default("everybody") });
  const stored = (given: Part["options"]) =>
    partsOf({ private: { parts: [part("one", { options: given })] } } as TargetRow, { options });

  it("get the options of their network's current schema", () => {
    expect(stored({})).toEqual([part("one", { options: { audience: "everybody" } })]);
    expect(stored({ audience: "friends" })).toEqual([part("one", { options: { audience: "friends" } })]);
  });

  it("go out as they were accepted where the schema has come to reject them", () => {
    expect(stored({ audience: "nobody" })).toEqual([part("one", { options: { audience: "nobody" } })]);
  });
});

it("a network that cannot publish says so", () => {
  const inboxOnly = { spec: { name: "Twitch" } } as unknown as NetworkAdapter;
  expect(() => publisherOf(inboxOnly)).toThrow("Twitch does not support publishing.");
});

describe("a part's request", () => {
  it("is made from the part, its place in the thread and its staged values", () => {
    const inputs: CommitInput[] = [];
    const act = actOf(recording(inputs), { index: 1, live: [livePart("1")] });
    expect(inputOf(act, inputs, ["key"])).toEqual({
      profile: { id: "prof_1" },
      secret: { token: "secret" },
      part: part("two"),
      index: 1,
      staged: { file: "now" },
      key: "key",
      created_at: startedAt,
      first: livePart("1"),
      previous: livePart("1"),
    });
  });

  it("includes the parts that go out with it, each with its own key and staged values", () => {
    const inputs: CommitInput[] = [];
    const act = actOf(recording(inputs));
    const input = inputOf(act, inputs, ["a", "b"]);
    expect([input.key, input.staged, texts(input)]).toEqual(["a", {}, ["one", "two"]]);
    expect(input.following).toMatchObject([{ key: "b", index: 1, staged: { file: "now" } }]);
    expect(act.requestFor(["a", "b"]).staged).toEqual([{}, { file: "now" }]);
  });

  it("is made from the staged values of an intent, where those are given", () => {
    const inputs: CommitInput[] = [];
    const act = actOf(recording(inputs));
    const input = inputOf(act, inputs, ["a", "b"], [{ file: "then" }]);
    expect([input.staged, input.following?.[0]?.staged]).toEqual([{ file: "then" }, {}]);
  });

  it("for a comment replies to the first part, however long the thread is", () => {
    const inputs: CommitInput[] = [];
    const parts = [part("one"), part("two"), part("comment", { role: "comment" })];
    const act = actOf(recording(inputs), { parts, index: 2, live: [livePart("1"), livePart("2")] });
    const { first, previous } = inputOf(act, inputs, ["key"]);
    expect([first?.id, previous?.id]).toEqual(["1", "1"]);
  });
});

describe("keys", () => {
  const key = ({ subjectId, createdAt, part: index, bodyHash }: KeySubject) =>
    [subjectId, createdAt, index, bodyHash].join(" ");

  it("are made from the target, its time and each part's place", () => {
    const began = Date.parse(startedAt);
    expect(actOf({ key }, { index: 1 }).keys(2, "hash")).toEqual([`tgt_1 ${began} 1 hash`, `tgt_1 ${began} 2 hash`]);
  });

  it("follow the target's due time, where that is on record", () => {
    const keyed_at = "2026-11-02T00:00:00.000Z";
    expect(actOf({ key }, { keyed_at }).keys(1, "")).toEqual([`tgt_1 ${Date.parse(keyed_at)} 0 `]);
  });

  it("are empty on networks that have none", () => {
    expect(actOf({}).keys(2, "hash")).toEqual(["", ""]);
  });
});

it("the number of parts per request is computed over all parts that are left", () => {
  expect(actOf({}).partsPerRequest).toBeUndefined();
  expect(actOf({ partsPerRequest: (input) => texts(input).length }, { index: 1 }).partsPerRequest?.()).toBe(2);
});

it("a look gets the same input as the request", async () => {
  const asked: LookInput[] = [];
  const act = actOf({
    lookFor: async (_, input) => {
      asked.push(input);
      return { absent: true };
    },
  });
  await act.requestFor(["key"]).lookFor({} as never, { since: 7, job: "job" });
  expect(asked).toMatchObject([{ part: { text: "one" }, key: "key", since: 7, job: "job" }]);
});

it("an operation that a network does not implement changes nothing", async () => {
  const attempt = actOf({}).requestFor(["key"]);
  expect(await attempt.confirm({} as never, livePart("1"))).toEqual(livePart("1"));
  expect(attempt.duplicateOf({})).toBeNull();
  expect([attempt.listNames(), await attempt.listsShowing({} as never, livePart("1"))]).toEqual([[], []]);
});
