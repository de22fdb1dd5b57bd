import { describe, expect, it } from "vitest";
import { simulateInbox } from "./prove/inbox-run.ts";
import { simulate } from "./prove/simulate-run.ts";

describe("a virtual week with faults at every port", () => {
  // A few; `npm run prove -- simulate` runs a thousand.
  it.each([3, 12, 181, 226, 415])(
    "publishes nothing twice, loses nothing and says what is true: seed %i",
    async (seed) => {
      const { findings, posts, deliveries } = await simulate(seed);
      expect(findings).toEqual([]);
      expect(posts).toBeGreaterThan(0);
      expect(deliveries).toBeGreaterThan(0);
    },
  );

  // In the last two a login is renewed while others publish.
  it.each([22, 652, 666])("is the same again with the same seed: %i", async (seed) => {
    expect(await simulate(seed)).toEqual(await simulate(seed));
  });
});

describe("some virtual hours of inboxes with faults at every port", () => {
  // Two; `npm run prove -- inbox` runs more.
  it.each([7, 11])("has each message and each answer once, as the network has them: seed %i", async (seed) => {
    const { findings, letters, answers } = await simulateInbox(seed);
    expect(findings).toEqual([]);
    expect(letters).toBeGreaterThan(0);
    expect(answers).toBeGreaterThan(0);
  });
});
