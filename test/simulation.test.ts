import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { simulateInbox } from "./prove/inbox-run.ts";
import { simulate } from "./prove/simulate-run.ts";
import { buildProgram } from "./support/built-programs.ts";
import { shareOf } from "./support/share.ts";

const worker = new URL("prove/simulate-worker.ts", import.meta.url);

/** What a process of its own counts in the weeks of these seeds, one after the other. */
async function playedInOrder(seeds: readonly number[], script: string, execArgv: string[]): Promise<unknown[]> {
  const child = fork(script, { execArgv });
  const counted: unknown[] = [];
  try {
    for (const from of seeds) {
      child.send({ from, to: from + 1 });
      const [tally] = await once(child, "message");
      counted.push(tally);
    }
  } finally {
    child.kill();
  }
  return counted;
}

describe("a virtual week with faults at every port", () => {
  // Some of a few; `npm run prove -- simulate` runs hundreds.
  it.each(shareOf([3, 12, 181, 226, 415], 2))(
    "publishes nothing twice, loses nothing and says what is true: seed %i",
    async (seed) => {
      const { findings, posts, deliveries } = await simulate(seed);
      expect(findings).toEqual([]);
      expect(posts).toBeGreaterThan(0);
      expect(deliveries).toBeGreaterThan(0);
    },
  );

  // In the last two a login is renewed while others publish.
  it.each(shareOf([22, 652, 666], 3))("is the same again with the same seed: %i", async (seed) => {
    expect(await simulate(seed)).toEqual(await simulate(seed));
  });

  // `npm run prove` runs weeks by tsx, whose loader takes turns of the event loop for each import.
  it("is the same in another process, and behind another week", async () => {
    const built = await buildProgram(worker);
    onTestFinished(built.remove);
    const [first, second] = await Promise.all([
      playedInOrder([652, 666], fileURLToPath(worker), ["--import", "tsx"]),
      playedInOrder([666, 652], built.path, []),
    ]);
    expect(second).toEqual([...first].reverse());
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
