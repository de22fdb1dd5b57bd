import { bluesky } from "../../src/networks/bluesky/index.ts";
import { networkContract } from "../../src/testing/network.ts";
import * as onBluesky from "../support/bluesky.ts";
import { networkScene } from "../support/network-context.ts";

networkContract({
  adapter: bluesky(),
  cases: [
    {
      name: "a text",
      create: () => {
        const bench = onBluesky.blueskyBench();
        const part = onBluesky.part({ options: { replies: "nobody" } });
        return networkScene(bench, { credentials: onBluesky.credentials(), part });
      },
    },
    {
      name: "four pictures",
      create: () => {
        const bench = onBluesky.blueskyBench();
        const part = onBluesky.part({ media: onBluesky.pictures(bench, 4) });
        return networkScene(bench, { credentials: onBluesky.credentials(), part });
      },
    },
    {
      name: "a video",
      create: () => {
        const bench = onBluesky.blueskyBench();
        const part = onBluesky.part({ media: [onBluesky.video(bench)] });
        return networkScene(bench, { credentials: onBluesky.credentials(), part });
      },
    },
  ],
});
