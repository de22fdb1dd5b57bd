import type { Part } from "postrider/networks";
import { networkBench, networkScene } from "postrider/testing";
import { networkContract } from "postrider/testing/contracts";
import { notes } from "./notes.ts";
import { simulatedNotes } from "./simulated.ts";

const part: Part = { text: "Hello", media: [], link: null, title: null, post_type: "post", options: {} };

// Vitest runs it.
networkContract({
  adapter: notes(),
  cases: [
    {
      name: "a text",
      create: () => {
        const bench = networkBench({ adapter: notes(), network: simulatedNotes });
        return networkScene(bench, { credentials: { token: "a-good-token" }, part });
      },
    },
  ],
});
