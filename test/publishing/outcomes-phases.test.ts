import { describe, expect, it } from "vitest";
import type { Fault } from "../../src/sandbox/faults.ts";
import { png } from "../media/samples.ts";
import type { Scene } from "../networks/scene.ts";
import type { CrashNetwork } from "../support/crash.ts";
import * as tables from "./outcomes.ts";
import { type OutcomeOptions, type OutcomeRun, outcomeOf, type Setting } from "./outcomes-bench.ts";
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
  const post = ({ sandbox }: Setting) => {
    const url = sandbox.media.put("picture.png", png(8, 8), { contentType: "image/png" });
    return { media: [{ url, alt: "A square." }] };
  };

  it.each(casesOf(readTable(tables.stage, numbers)))("$name, on $network.name", async ({ name, network, expected }) => {
    const operation = operationOn(network, "upload");
    const run = await outcomeOf(network, { post, faults: troubleWith(name, operation) });
    const { ends, sent, seconds, there } = run.outcome;
    expect({ ends, uploads: count(run, operation), sent, seconds, there }).toEqual(expected);
  });
});

describe("what is set after a post is there", () => {
  const numbers = ["sent", "confirmed", "seconds", "there"];
  const post: OutcomeOptions["post"] = () => ({ networks: { discord: { crosspost: true } } });

  it.each(casesOf(readTable(tables.confirm, numbers)))(
    "$name, on $network.name",
    async ({ name, network, expected }) => {
      const operation = operationOn(network, "confirm");
      const run = await outcomeOf(network, { post, faults: troubleWith(name, operation) });
      const { ends, sent, seconds, there } = run.outcome;
      expect({ ends, sent, confirmed: count(run, operation), seconds, there }).toEqual(expected);
    },
  );
});

describe("a look for a post whose answer was lost", () => {
  const numbers = ["sent", "looked", "seconds", "there"];

  /** Until it is looked for. */
  function lost(kind: "drop_before" | "drop_after", { requestsBeforeLook = 1 }: Scene): Fault {
    return { kind, operation: "commit", times: requestsBeforeLook };
  }

  describe.each([
    ["and which is there", "drop_after", tables.locateDone],
    ["and which is not there", "drop_before", tables.locateNotDone],
  ] as const)("%s", (_, kind, table) => {
    it.each(casesOf(readTable(table, numbers)))("$name, on $network.name", async ({ name, network, expected }) => {
      const faults: OutcomeOptions["faults"] = (setting) => [
        lost(kind, network.scene),
        ...troubleWith(name, network.scene.operations.look[0])(setting),
      ];
      const { outcome, post } = await outcomeOf(network, { faults });
      expect(outcome).toEqual(expected);
      expect(/may be live/.test(post.targets[0]?.error?.message ?? "")).toBe(outcome.ends === "timeout");
    });
  });

  it.each(casesOf(readTable(tables.shownLate, numbers)))(
    "shown after $name, on $network.name",
    async ({ name, network, expected }) => {
      const faults: OutcomeOptions["faults"] = ({ scene, sandbox }) => {
        network.lagReads(sandbox, Number.parseInt(name, 10));
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

function operationOn({ name, scene }: CrashNetwork, what: "upload" | "confirm"): string {
  const operation = scene.operations[what];
  if (operation === undefined) throw new Error(`${name} has no such operation`);
  return operation;
}
