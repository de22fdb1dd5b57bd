import { describe, expect, it } from "vitest";
import type { Part } from "../../src/networks/contract/plan.ts";
import { type IntentRow, newIntent } from "../../src/sending/intent.ts";
import { boundRequestOf, kindOf, type PartRun, publicationsOf, sealHandles } from "../../src/sending/part-run.ts";

function withMedia(...types: string[]): Part {
  return { media: types.map((type) => ({ type })) } as unknown as Part;
}

it("a part counts as video if it has one, else as image if it has any media", () => {
  expect([withMedia(), withMedia("image"), withMedia("image", "video"), withMedia("document")].map(kindOf)).toEqual([
    "text",
    "image",
    "video",
    "image",
  ]);
});

/** A part whose parts have these values staged, with a vault that shows each sealed value and its place. */
function runWith(...staged: Record<string, string>[]) {
  const made: unknown[] = [];
  const run = {
    ports: {
      vault: {
        seal: (value: object, place: object) => JSON.stringify({ value, place }),
        open: (sealed: string, place: object) => {
          const opened = JSON.parse(sealed);
          expect(opened.place).toEqual(place);
          return opened.value;
        },
      },
      ids: { create: (kind: string) => `${kind}_${made.push(kind)}` },
    },
    lease: { now: () => Date.parse("2026-11-22T12:00:00.000Z") },
    adapter: { spec: { network: "network" } },
    credentials: { profile: () => ({ account_id: "default", external_id: "account" }) },
    subjectId: "tgt_1",
    guard: () => [],
    publisher: {
      requestFor: (keys: readonly string[], given: readonly object[] = staged) => ({
        staged: keys.map((_, offset) => given[offset] ?? {}),
      }),
    },
  } as unknown as PartRun;
  return { run, made };
}

function intentWith(handles: string | null, following: string[] = []): IntentRow {
  const made = newIntent({
    id: "int_1",
    profileId: "prof_1",
    subjectId: "tgt_1",
    part: 0,
    number: 1,
    keys: ["one", ...following],
    body: { json: {} },
    fileHashes: [],
    handles,
    now: 0,
    hardEndMs: 0,
  });
  return made;
}

describe("the values staged for an intent", () => {
  it("are kept for one part as for several, whatever is staged later", () => {
    const one = runWith({ container: "7" });
    const kept = sealHandles(one.run, "int_1", ["one"]);
    expect(JSON.parse(kept ?? "")).toEqual({
      value: { container: "7" },
      place: { account: "default", collection: "intents", id: "int_1", field: "handles" },
    });
    expect(boundRequestOf(runWith({ container: "8" }).run, intentWith(kept)).staged).toEqual([{ container: "7" }]);

    const two = sealHandles(runWith({}, { container: "9" }).run, "int_1", ["one", "two"]);
    expect(boundRequestOf(runWith().run, intentWith(two, ["two"])).staged).toEqual([{}, { container: "9" }]);
  });

  it("are absent where none were staged", () => {
    expect(sealHandles(runWith({}, {}).run, "int_1", ["one", "two"])).toBeNull();
    expect(boundRequestOf(runWith({ container: "8" }).run, intentWith(null)).staged).toEqual([{}]);
  });
});

it("published posts are on record as the subject's, each under an id of its own", () => {
  const { run, made } = runWith();
  const part = (id: string) => ({ id, url: null, ref: null });
  const operations = publicationsOf(run, { ...part("1"), following: [part("2")] });
  expect(operations).toMatchObject([
    {
      kind: "insert",
      collection: "publications",
      row: { id: "publication_1", network_post_id: "1", subject_id: "tgt_1" },
    },
    { kind: "insert", collection: "publications", row: { id: "publication_2", network_post_id: "2" } },
  ]);
  expect(made).toEqual(["publication", "publication"]);
});
