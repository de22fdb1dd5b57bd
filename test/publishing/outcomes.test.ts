import { describe, expect, it } from "vitest";
import { png } from "../media/samples.ts";
import * as tables from "./outcomes.ts";
import { type OutcomeOptions, type OutcomeRun, outcomeOf } from "./outcomes-bench.ts";
import { troubles, troubleWith } from "./outcomes-faults.ts";
import { type Cell, readTable, type TableRow } from "./outcomes-table.ts";

const numbers = ["sent", "looked", "seconds", "there"];

function casesOf(rows: readonly TableRow[]) {
  return rows.flatMap(({ name, cells }) => cells.map((cell) => ({ name, ...cell })));
}

/** Published exactly as the network shows it, or not at all; and whoever reads the error knows whether to look. */
function expectOutcome({ outcome, post, shown }: OutcomeRun, expected: Cell): void {
  expect(outcome).toEqual(expected);
  const [target] = post.targets;
  if (outcome.ends === "published") expect(target?.post_ids).toEqual(shown);
  expect(/may be live/.test(target?.error?.message ?? "")).toBe(outcome.ends === "timeout");
}

const commits = {
  "never left": tables.notSent,
  "was lost": tables.lost,
  "was accepted, as far as one can read": tables.unreadable,
  "was redirected": tables.redirects,
  "met a server error": tables.serverErrors,
  "came back undecided": tables.undecided,
  "was refused for now": tables.limited,
  "was refused in words that nobody knows": tables.refused,
  "was lost at first and then fails for good": tables.severalTroubles,
};

describe.each(Object.entries(commits))("a commit that %s", (_, table) => {
  it.each(casesOf(readTable(table, numbers)))("$name, on $network.name", async ({ name, network, expected }) => {
    expectOutcome(await outcomeOf(network, { faults: troubleWith(name, "commit") }), expected);
  });
});

describe.each<[string, { table: string; post: OutcomeOptions["post"] }]>([
  ["a post with a picture", { table: tables.withPicture, post: withPicture }],
  ["a post in a forum", { table: tables.inForum, post: () => ({ title: "Once" }) }],
])("%s", (_, { table, post }) => {
  it.each(casesOf(readTable(table, numbers)))("$name, on $network.name", async ({ name, network, expected }) => {
    expectOutcome(await outcomeOf(network, { post, faults: troubleWith(name, "commit") }), expected);
  });
});

describe("the second request of a thread, or its only one", () => {
  const post: OutcomeOptions["post"] = () => ({ thread: ["One.", "Two.", "Three."] });

  it.each(casesOf(readTable(tables.inThread, numbers)))(
    "$name, on $network.name",
    async ({ name, network, expected }) => {
      const faults: OutcomeOptions["faults"] = (setting) =>
        troubleWith(
          name,
          "commit",
        )(setting).map((fault) => ({
          ...fault,
          after: network.scene.threads === "in one request" ? 0 : 1,
        }));
      const run = await outcomeOf(network, { post, faults });
      expectOutcome(run, expected);
      expect(run.post.targets[0]?.post_ids).toEqual(run.shown);
    },
  );
});

function withPicture({ sandbox }: Parameters<NonNullable<OutcomeOptions["post"]>>[0]) {
  const url = sandbox.media.put("picture.png", png(8, 8), { contentType: "image/png" });
  return { media: [{ url, alt: "A square." }] };
}

describe("the tables", () => {
  const rows = Object.values(commits).flatMap((table) => readTable(table, numbers));
  const cells = casesOf(rows).map(({ expected }) => expected);

  it("say what follows from everything that can come back", () => {
    expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(troubles).sort());
  });

  it("promise no post twice and no post lost, whatever comes back", () => {
    for (const { ends, there } of cells) {
      if (ends === "timeout") expect(there).toBeLessThanOrEqual(1);
      else expect(there).toBe(ends === "published" ? 1 : 0);
    }
  });
});
