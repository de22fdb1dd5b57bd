import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { simulateInbox } from "./prove/inbox-run.ts";
import { simulate } from "./prove/simulate-run.ts";
import { playWeeks, type SimulateJob } from "./prove/simulate-weeks.ts";
import { shareOf } from "./support/share.ts";

/** What the week of this seed counts in a process of its own, by tsx as in `npm run prove`: its loader takes turns of the event loop for each import. */
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
  // Some of a few; `npm run prove -- simulate` runs hundreds.
  it.each(shareOf([3, 12, 181, 226, 415], 3))(
    "publishes nothing twice, loses nothing and says what is true: seed %i",
    async (seed) => {
      const { findings, posts, deliveries } = await simulate(seed);
      expect(findings).toEqual([]);
      expect(posts).toBeGreaterThan(0);
      expect(deliveries).toBeGreaterThan(0);
    },
  );

  // In these a login is renewed while others publish. There nothing was played before, here other weeks were.
  it.each(shareOf([652, 666], 2))("is the same again in another process: seed %i", async (seed) => {
    const [there, here] = await Promise.all([playedElsewhere(seed), playWeeks({ from: seed, to: seed + 1 })]);
    expect(there).toEqual(here);
    expect(here.tried).toBeGreaterThan(0);
  });
});

describe("some virtual hours of inboxes with faults at every port", () => {
  // One of three, of which the second is a long one; `npm run prove -- inbox` runs more.
  it.each(shareOf([2, 20, 11], 3))(
    "has each message and each answer once, as the network has them: seed %i",
    async (seed) => {
      const { findings, letters, answers } = await simulateInbox(seed);
      expect(findings).toEqual([]);
      expect(letters).toBeGreaterThan(0);
      expect(answers).toBeGreaterThan(0);
    },
  );
});
