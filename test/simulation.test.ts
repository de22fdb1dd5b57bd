import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { simulateInbox } from "./prove/inbox-run.ts";
import { simulate } from "./prove/simulate-run.ts";
import { playWeeks, type SimulateJob } from "./prove/simulate-weeks.ts";
import { shareOf } from "./support/share.ts";

/**
 * The counts of this seed's week in a separate process, by tsx as in `npm run prove`: its loader
 * takes turns of the event loop for each import.
 */
async function playedElsewhere(seed: number): Promise<unknown> {
  const worker = fileURLToPath(new URL("prove/simulate-worker.ts", import.meta.url));
  const child = fork(worker, { execArgv: ["--import", "tsx"] });
  try {
    child.send({ from: seed, to: seed + 1 } satisfies SimulateJob);
    const [counted] = await once(child, "message");
    return counted;
  } finally {
    child.kill();
  }
}

describe("a virtual week with faults at every port", () => {
  // A few; `npm run prove -- simulate` runs hundreds.
  it.each(shareOf([3, 12, 181, 226, 415], 3))(
    "publishes nothing twice, loses nothing and reports the truth: seed %i",
    async (seed) => {
      const { findings, posts, deliveries } = await simulate(seed);
      expect(findings).toEqual([]);
      expect(posts).toBeGreaterThan(0);
      expect(deliveries).toBeGreaterThan(0);
    },
  );

  // In these a connection is renewed while others publish. No week ran before them there, but
  // other weeks did here.
  it.each(shareOf([652, 666], 2))("gives the same result in another process: seed %i", async (seed) => {
    const [there, here] = await Promise.all([playedElsewhere(seed), playWeeks({ from: seed, to: seed + 1 })]);
    expect(there).toEqual(here);
    expect(here.tried).toBeGreaterThan(0);
  });
});

describe("some virtual hours of inboxes with faults at every port", () => {
  // One of three, of which the second is a long one; `npm run prove -- inbox` runs more.
  it.each(shareOf([2, 20, 11], 3))("has each message and each reply once, like the networks: seed %i", async (seed) => {
    const { findings, letters, answers } = await simulateInbox(seed);
    expect(findings).toEqual([]);
    expect(letters).toBeGreaterThan(0);
    expect(answers).toBeGreaterThan(0);
  });
});
