import { describe, expect, it } from "vitest";
import { crashFamilies, crashServers } from "../support/crash-families.ts";
import { isWhole, shareNumber } from "../support/share.ts";
import { verdictOn } from "../support/verdict.ts";

/** Servers for each family, different for each; a hundred in `npm run prove -- crash`. */
const serversOfFamily = 12;
const shares = isWhole ? 1 : 3;
const count = serversOfFamily / shares;
const first = (shareNumber % shares) * count;
const numbered = crashFamilies.map((family, index) => ({ ...family, from: index * serversOfFamily + first }));

describe("a process that publishes on small servers with Mastodon's API", () => {
  it.each(numbered)(
    "publishes no post twice, and leaves none lost, stuck or needlessly undecided: $name",
    async ({ from, ...family }) => {
      let runs = 0;
      for await (const { name, run } of crashServers(family, { seed: 1, from, to: from + count })) {
        runs += 1;
        expect(verdictOn(run), name).toMatchObject({ findings: [], undecided: 0 });
      }
      expect(runs).toBe(count);
    },
  );
});
