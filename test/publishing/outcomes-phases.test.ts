import { describe, expect, it } from "vitest";
import type { Fault } from "../../src/sandbox/faults.ts";
import { png } from "../media/samples.ts";
import type { Scene } from "../networks/scene.ts";
import type { CrashNetwork } from "../support/crash.ts";
import { shareOf } from "../support/share.ts";
import { type OutcomeOptions, type OutcomeRun, outcomeOf, type Setting } from "./outcomes-bench.ts";
import { troubleWith } from "./outcomes-faults.ts";
import { cellsOf } from "./outcomes-table.ts";

function count({ operations }: OutcomeRun, operation: string): number {
  return operations.filter((each) => each === operation).length;
}

describe("an image's upload", () => {
  const post = ({ sandbox }: Setting) => {
    const url = sandbox.media.put("picture.png", png(8, 8), { contentType: "image/png" });
    return { media: [{ url, alt: "A square." }] };
  };

  it.each(shareOf(cellsOf("stage"), 14))("$name, on $network.name", async ({ name, network, expected }) => {
    const operation = operationOn(network, "upload");
    const run = await outcomeOf(network, { post, faults: troubleWith(name, operation) });
    const { ends, sent, seconds, there } = run.outcome;
    expect([ends, count(run, operation), sent, seconds, there].join(" ")).toBe(expected);
  });
});

describe("a setting sent once a post is live", () => {
  it.each(shareOf(cellsOf("confirm"), 14))("$name, on $network.name", async ({ name, network, expected }) => {
    const operation = operationOn(network, "confirm");
    const post: OutcomeOptions["post"] = ({ scene: { network, outcomes } }) => ({
      networks: { [network]: { ...outcomes.confirm?.options } },
    });
    const run = await outcomeOf(network, { post, faults: troubleWith(name, operation) });
    const { ends, sent, seconds, there } = run.outcome;
    expect([ends, sent, count(run, operation), seconds, there].join(" ")).toBe(expected);
    // A setting that may be missing is a warning, if it was sent and not only read.
    const isTold = network.scene.adapter().publish?.unconfirmed !== undefined && name.endsWith("for hours");
    const warnings = run.post.targets[0]?.warnings ?? [];
    if (isTold) expect(warnings).toEqual([expect.stringMatching(/did not (set|send|publish)/)]);
  });
});

describe("a look for a post whose response was lost", () => {
  /** Until the look. */
  function lost(kind: "drop_before" | "drop_after", { requestsBeforeLook = 1 }: Scene): Fault {
    return { kind, operation: "commit", times: requestsBeforeLook };
  }

  function inCell({ outcome: { ends, sent, looked, seconds, there } }: OutcomeRun): string {
    return [ends, sent, looked, seconds, there].join(" ");
  }

  describe.each([
    ["and which is live", "drop_after", "locateDone"],
    ["and which is not live", "drop_before", "locateNotDone"],
  ] as const)("%s", (_, kind, table) => {
    it.each(shareOf(cellsOf(table), 14))("$name, on $network.name", async ({ name, network, expected }) => {
      const faults: OutcomeOptions["faults"] = (setting) => [
        lost(kind, network.scene),
        ...troubleWith(name, network.scene.operations.look[0])(setting),
      ];
      const run = await outcomeOf(network, { faults });
      expect(inCell(run)).toBe(expected);
      expect(/may be live/.test(run.post.targets[0]?.error?.message ?? "")).toBe(run.outcome.ends === "timeout");
    });
  });

  it.each(shareOf(cellsOf("shownLate"), 14))(
    "shown after $name, on $network.name",
    async ({ name, network, expected }) => {
      const faults: OutcomeOptions["faults"] = ({ scene, sandbox }) => {
        network.lagReads(sandbox, Number.parseInt(name, 10));
        return [lost("drop_after", scene)];
      };
      expect(inCell(await outcomeOf(network, { faults }))).toBe(expected);
    },
  );

  it.each(shareOf(cellsOf("shownAfterAnother"), 14))(
    "finds the post of an earlier request, shown only after $name, while it looks for a later one, on $network.name",
    async ({ name, network, expected }) => {
      const faults: OutcomeOptions["faults"] = ({ sandbox }) => {
        network.lagReads(sandbox, Number.parseInt(name, 10));
        return [
          { kind: "drop_after", operation: "commit" },
          { kind: "drop_before", operation: "commit" },
        ];
      };
      expect(inCell(await outcomeOf(network, { faults }))).toBe(expected);
    },
  );
});

function operationOn({ name, scene }: CrashNetwork, what: "upload" | "confirm"): string {
  const operation = scene.operations[what];
  if (operation === undefined) throw new Error(`${name} has no such operation`);
  return operation;
}
