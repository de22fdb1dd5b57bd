import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { simulateInbox } from "./prove/inbox-run.ts";
import { simulate } from "./prove/simulate-run.ts";
import { playWeeks, type SimulateJob } from "./prove/simulate-weeks.ts";
import { shareOf } from "./support/share.ts";

type Weeks = Awaited<ReturnType<typeof playWeeks>>;

/** What each week of these seeds counts, one after the other. */
async function playedHere(seeds: readonly number[]): Promise<Weeks[]> {
  const counted: Weeks[] = [];
  for (const from of seeds) counted.push(await playWeeks({ from, to: from + 1 }));
  return counted;
}

/** The same in a process of its own, by tsx as in `npm run prove`: its loader takes turns of the event loop for each import. */
async function playedElsewhere(seeds: readonly number[]): Promise<Weeks[]> {
  const child = fork(fileURLToPath(new URL("prove/simulate-worker.ts", import.meta.url)), {
    execArgv: ["--import", "tsx"],
  });
  const counted: Weeks[] = [];
  try {
    for (const from of seeds) {
      child.send({ from, to: from + 1 } satisfies SimulateJob);
      const [weeks] = await once(child, "message");
      counted.push(weeks);
    }
  } finally {
    child.kill();
  }
  return counted;
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

  // In these a login is renewed while others publish.
  it("is the same again in another process, and behind another week", async () => {
    const [there, here] = await Promise.all([playedElsewhere([652, 666]), playedHere([666, 652])]);
    expect(there).toEqual(here.reverse());
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
