import { describe, expect, it } from "vitest";
import { png } from "../media/samples.ts";
import { shareOf } from "../support/share.ts";
import type { CommitTable } from "./expected/account-rules.ts";
import { type OutcomeOptions, type OutcomeRun, outcomeOf } from "./outcomes-bench.ts";
import { troubleWith } from "./outcomes-faults.ts";
import { cellsOf } from "./outcomes-table.ts";

/** Expects a post as the network shows it, or none; and an error that tells whether it may be live. */
function expectOutcome({ outcome, post, shown }: OutcomeRun, expected: string): void {
  const { ends, sent, looked, seconds, there } = outcome;
  expect([ends, sent, looked, seconds, there].join(" ")).toBe(expected);
  const [target] = post.targets;
  if (ends === "published") expect(target?.post_ids).toEqual(shown);
  expect(/may be live/.test(target?.error?.message ?? "")).toBe(ends === "timeout");
}

const commits: Record<CommitTable, string> = {
  notSent: "never left",
  lost: "was lost",
  unreadable: "was accepted, as far as one can read",
  redirects: "was redirected",
  serverErrors: "met a server error",
  undecided: "came back undecided",
  knownWords: "was refused in known words, and carried out",
  limited: "was refused for now",
  refused: "was refused in words that nobody knows",
  severalTroubles: "was lost at first and then fails for good",
};

describe.each(Object.keys(commits) as CommitTable[])("a commit: %s", (table) => {
  it.each(shareOf(cellsOf(table), 10))(
    `that ${commits[table]}: $name, on $network.name`,
    async ({ name, network, expected }) => {
      expectOutcome(await outcomeOf(network, { faults: troubleWith(name, "commit") }), expected);
    },
  );
});

const otherPosts = [
  ["a post with an image", "withPicture", withPicture],
  ["a post with a title", "withTitle", () => ({ title: "Once" })],
] as const;

describe.each(otherPosts)("%s", (_, table, post) => {
  it.each(shareOf(cellsOf(table), 10))("$name, on $network.name", async ({ name, network, expected }) => {
    expectOutcome(await outcomeOf(network, { post, faults: troubleWith(name, "commit") }), expected);
  });
});

describe("the second request of a thread, or its only one", () => {
  const post: OutcomeOptions["post"] = () => ({ thread: ["One.", "Two.", "Three."] });

  it.each(shareOf(cellsOf("inThread"), 10))("$name, on $network.name", async ({ name, network, expected }) => {
    const after = network.scene.threads === "in one request" ? 0 : 1;
    const faults: OutcomeOptions["faults"] = (setting) =>
      troubleWith(name, "commit")(setting).map((fault) => ({ ...fault, after }));
    const run = await outcomeOf(network, { post, faults });
    expectOutcome(run, expected);
    expect(run.post.targets[0]?.post_ids).toEqual(run.shown);
  });
});

function withPicture({ sandbox }: Parameters<NonNullable<OutcomeOptions["post"]>>[0]) {
  const url = sandbox.media.put("picture.png", png(8, 8), { contentType: "image/png" });
  return { media: [{ url, alt: "A square." }] };
}
