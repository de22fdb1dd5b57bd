import type { Part } from "../../../src/networks/contract/plan.ts";
import { toy } from "../../../src/networks/toy/index.ts";
import { toySandbox } from "../../../src/sandbox/toy/network.ts";
import { networkBench, networkScene } from "../../../src/testing/network-bench.ts";
import type { Scene } from "../scene.ts";
import { outcomes } from "./outcomes.ts";

const plain: Part = { text: "Hello", media: [], link: null, title: null, post_type: "post", options: {} };

function caseOf(name: string, part: Part) {
  return {
    name,
    create: () => {
      const bench = networkBench({ adapter: toy(), network: toySandbox });
      return networkScene(bench, { credentials: { token: bench.network.addAccount("alice") }, part });
    },
  };
}

export const scene: Scene = {
  network: "toy",
  adapter: () => toy(),
  options: { loud: { value: true } },
  threads: null,
  operations: { look: ["GET /posts/:key"] },
  accounts: [
    {
      name: "toy",
      commit: "POST /posts",
      read: "GET /posts/:key",
      canBeAsked: true,
      connect: (sandbox, name) => ({ network: "toy", credentials: { token: sandbox.toy.addAccount(name) } }),
    },
  ],
  outcomes,
  contract: { cases: [caseOf("a text", plain)] },
  wire: {
    words: "a post with its key",
    url: "https://api.toy.example/posts",
    profile: {},
    secret: { token: "the-token" },
    key: "the-key",
    sent: { headers: { authorization: "Bearer the-token" }, body: { text: "Hello from the wire", key: "the-key" } },
    accepted: { fixture: "create-post.201", id: "7" },
    refused: [{ fixture: "create-post.429", effect: "later", remedy: "rate_limit", waitMs: 30_000 }],
  },
  refusals: {
    answer: ({ status, code = "other", words }) => ({ status, json: { code, message: words } }),
    limited: ({ now, endsAt }) => ({
      status: 429,
      json: { code: "slow_down", message: "Slow down" },
      headers: { "retry-after": String((endsAt - now) / 1000) },
    }),
  },
};
