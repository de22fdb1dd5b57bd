import { describe, expect, it } from "vitest";
import type { Fault } from "../../src/sandbox/faults.ts";
import { png } from "../media/samples.ts";
import { crashNetworks } from "../support/crash-networks.ts";
import { type OutcomeOptions, outcomeOf } from "./outcomes-bench.ts";

const x = crashNetworks.find(({ name }) => name === "x");
if (x === undefined) throw new Error("X is not there.");

/** Faults of a server that does not know a new token yet. */
function refusedLogins(operation: string, times: number): OutcomeOptions["faults"] {
  return ({ scene }): Fault[] => {
    const answer = scene.refusals.answer({ status: 401, words: "Unauthorized" });
    return [{ kind: "refuse", operation, answer, times }];
  };
}

const withPicture: OutcomeOptions["post"] = ({ sandbox }) => {
  const url = sandbox.media.put("picture.png", png(8, 8), { contentType: "image/png" });
  return { media: [{ url, alt: "A square." }] };
};

describe("a connection that is refused although it was renewed just now", () => {
  it.each([
    ["the post itself", "commit", { sent: 6 }],
    ["its image", "append", { sent: 1 }],
  ])("stays connected: %s is retried", async (_, operation, { sent }) => {
    const run = await outcomeOf(x, { post: withPicture, faults: refusedLogins(operation, 5) });
    expect(run.outcome).toMatchObject({ ends: "published", sent, seconds: 15, there: 1 });
    expect(run.profile.status).toBe("connected");
  });

  it("must be reconnected after half an hour", async () => {
    const run = await outcomeOf(x, { post: withPicture, faults: refusedLogins("append", 100_000) });
    expect(run.outcome).toMatchObject({ ends: "reauthentication_required", sent: 0, there: 0 });
    expect(run.post.targets[0]?.error?.message).toMatch(/^Given up after 32 minutes\. /);
    expect(run.profile.status).toBe("needs_attention");
  });
});
