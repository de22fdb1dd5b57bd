import { describe, expect, it } from "vitest";
import type { Fault } from "../../src/sandbox/faults.ts";
import { png } from "../media/samples.ts";
import type { RefusingNetwork } from "../networks/refusal-answers.ts";
import * as tables from "./outcomes.ts";
import { type OutcomeOptions, type OutcomeRun, outcomeOf, type Scene } from "./outcomes-bench.ts";
import { troubleWith } from "./outcomes-faults.ts";
import { networkOf, readTable, type TableRow } from "./outcomes-table.ts";

function casesOf(rows: readonly TableRow[]) {
  return rows.flatMap(({ name, cells }) => cells.map((cell) => ({ name, ...cell })));
}

function count({ operations }: OutcomeRun, operation: string): number {
  return operations.filter((each) => each === operation).length;
}

describe("a picture's upload", () => {
  const numbers = ["uploads", "sent", "seconds", "there"];
  const operations: Partial<Record<RefusingNetwork, string>> = {
    bluesky: "uploadBlob",
    mastodon: "POST /api/v2/media",
  };
  const post = ({ sandbox }: Scene) => {
    const url = sandbox.media.put("picture.png", png(8, 8), { contentType: "image/png" });
    return { media: [{ url, alt: "A square." }] };
  };

  it.each(casesOf(readTable(tables.stage, numbers)))("$name, on $network.name", async ({ name, network, expected }) => {
    const operation = operationOn(network.name, operations);
    const run = await outcomeOf(network, { post, faults: troubleWith(name, operation) });
    const { ends, sent, seconds, there } = run.outcome;
    expect({ ends, uploads: count(run, operation), sent, seconds, there }).toEqual(expected);
  });
});

describe("what is set after a post is there", () => {
  const numbers = ["sent", "confirmed", "seconds", "there"];
  const operations: Partial<Record<RefusingNetwork, string>> = { discord: "crosspost" };
  const post: OutcomeOptions["post"] = () => ({ networks: { discord: { crosspost: true } } });

  it.each(casesOf(readTable(tables.confirm, numbers)))(
    "$name, on $network.name",
    async ({ name, network, expected }) => {
      const operation = operationOn(network.name, operations);
      const run = await outcomeOf(network, { post, faults: troubleWith(name, operation) });
      const { ends, sent, seconds, there } = run.outcome;
      expect({ ends, sent, confirmed: count(run, operation), seconds, there }).toEqual(expected);
    },
  );
});

describe("a look for a post whose answer was lost", () => {
  const numbers = ["sent", "looked", "seconds", "there"];
  const operations: Partial<Record<RefusingNetwork, string>> = {
    bluesky: "getRecord",
    mastodon: "GET /api/v1/accounts/:id/statuses",
    discord: "getMessages",
  };

  /** A bot is not answered before it looks: its first request and the 21 repetitions of it. */
  function lost(kind: "drop_before" | "drop_after", { network }: Pick<Scene, "network">): Fault {
    return { kind, operation: "commit", times: network === "discord" ? 22 : 1 };
  }

  describe.each([
    ["and which is there", "drop_after", tables.locateDone],
    ["and which is not there", "drop_before", tables.locateNotDone],
  ] as const)("%s", (_, kind, table) => {
    it.each(casesOf(readTable(table, numbers)))("$name, on $network.name", async ({ name, network, expected }) => {
      const faults: OutcomeOptions["faults"] = (scene) => [
        lost(kind, scene),
        ...troubleWith(name, operationOn(network.name, operations))(scene),
      ];
      const { outcome, post } = await outcomeOf(network, { faults });
      expect(outcome).toEqual(expected);
      expect(/may be live/.test(post.targets[0]?.error?.message ?? "")).toBe(outcome.ends === "timeout");
    });
  });

  it.each(casesOf(readTable(tables.shownLate, numbers)))(
    "shown after $name, on $network.name",
    async ({ name, network, expected }) => {
      const faults: OutcomeOptions["faults"] = (scene) => {
        network.lagReads(scene.sandbox, Number.parseInt(name, 10));
        return [lost("drop_after", scene)];
      };
      expect((await outcomeOf(network, { faults })).outcome).toEqual(expected);
    },
  );

  it.each(["mastodon", "mastodon look-alike"])(
    "finds what an earlier request made, though it shows only while a later one is looked for, on %s",
    async (column) => {
      const network = networkOf(column);
      const faults: OutcomeOptions["faults"] = ({ sandbox }) => {
        network.lagReads(sandbox, 250);
        return [
          { kind: "drop_after", operation: "commit" },
          { kind: "drop_before", operation: "commit" },
        ];
      };
      const { outcome } = await outcomeOf(network, { faults });
      expect(outcome).toMatchObject({ ends: "published", sent: 2, seconds: 255, there: 1 });
    },
  );
});

function operationOn(name: string, operations: Partial<Record<RefusingNetwork, string>>): string {
  const found = Object.entries(operations).find(([network]) => name.startsWith(network));
  if (found === undefined) throw new Error(`${name} has no such operation`);
  return found[1];
}
