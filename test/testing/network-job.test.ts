import { describe, expect, it } from "vitest";
import type { NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import type { Part } from "../../src/networks/contract/plan.ts";
import type { Identity } from "../../src/networks/contract/profile.ts";
import { type Publisher, readBackRules } from "../../src/networks/contract/publish.ts";
import { jsonBody, type SandboxAnswer, type SandboxRequest } from "../../src/sandbox/exchange.ts";
import { createFaults } from "../../src/sandbox/faults.ts";
import type { SandboxNetwork, SandboxPorts } from "../../src/sandbox/network.ts";
import { createJobs, type Job } from "../../src/sandbox/parts/jobs.ts";
import { followJob } from "../../src/testing/network/job.ts";
import type { NetworkScene } from "../../src/testing/network/scene.ts";
import { networkContract } from "../../src/testing/network.ts";
import { networkBench, networkScene } from "../../src/testing/network-bench.ts";
import { fakeAdapter, ownHost } from "../networks/fake-network.ts";

const identity: Identity = {
  external_id: "account-1",
  name: "Alice",
  handle: null,
  avatar_url: null,
  url: null,
  scopes: [],
  limits: {},
  host: null,
  account_facts: {},
};

const part: Part = { text: "Hello", media: [], link: null, title: null, post_type: "post", options: {} };

/** A network that processes each post for 90 seconds, and then shows it under its job's number. */
function workingNetwork({ clock }: SandboxPorts): SandboxNetwork {
  const jobs = createJobs<string>(clock);
  jobs.take(90);
  const started: { text: string; job: Job<string> }[] = [];

  function post(request: SandboxRequest): SandboxAnswer {
    const { text } = jsonBody(request) as { text: string };
    started.push({ text, job: jobs.start() });
    return { status: 202, json: { job: `job-${started.length}` } };
  }

  function find({ url }: SandboxRequest): SandboxAnswer {
    const found = started[Number(url.pathname.replace("/jobs/job-", "")) - 1];
    if (found === undefined) return { status: 404, json: { error: { message: "no such job" } } };
    return { status: 200, json: jobs.isDone(found.job) ? { state: "done", id: "post-1" } : { state: "working" } };
  }

  return {
    network: "mastodon",
    serves: (host) => host === ownHost,
    operation: ({ method, url }) => `${method} ${url.pathname.replace(/^\/jobs\/.+/, "/jobs/:job")}`,
    commits: ["POST /posts"],
    faults: createFaults(),
    answer: (request) => (request.method === "POST" ? post(request) : find(request)),
    posts: () => [],
    rateLimit: () => {},
    lagReads: () => {},
  };
}

const publisher: Publisher = {
  rules: () => readBackRules,
  commit: ({ part: { text } }) => ({ method: "POST", url: `https://${ownHost}/posts`, body: { json: { text } } }),
  accepted: ({ body }) => ({ job: (body as { job: string }).job }),
  async lookFor(context, { job }) {
    if (job === undefined) return { absent: true };
    const { body } = await context.request({ method: "GET", url: `https://${ownHost}/jobs/${job}` });
    const { state, id } = body as { state: string; id?: string };
    if (state === "working" || id === undefined) return { pending: "The network works on it.", again_seconds: 20 };
    return { live: { id, url: null, ref: null } };
  },
  textForms: ({ text }) => [text],
};

function adapterWith(changes: Partial<Publisher> = {}): NetworkAdapter {
  const plain = fakeAdapter({
    login: async () => ({ identity, credentials: { secret: { access: "canary-token-1" }, expires_at: null } }),
    inspect: async () => identity,
  });
  const sources = { text: "https://docs.example (2026-11)", media: "https://docs.example (2026-11)" };
  return { ...plain, spec: { ...plain.spec, sources }, publish: { ...publisher, ...changes } };
}

function sceneOf(adapter: NetworkAdapter): Promise<NetworkScene> {
  return networkScene(networkBench({ adapter, network: workingNetwork }), { credentials: {}, part });
}

networkContract({
  adapter: adapterWith(),
  cases: [{ name: "a post that is worked on", isJob: true, create: () => sceneOf(adapterWith()) }],
});

describe("the contract of a job", () => {
  async function follow(changes: Partial<Publisher>): Promise<void> {
    const scene = await sceneOf(adapterWith(changes));
    await followJob({ publish: { ...publisher, ...changes }, scene, reads: [] });
  }

  it("is met by an adapter that asks until the job has ended", async () => {
    await expect(follow({})).resolves.toBeUndefined();
  });

  it.each<[string, Partial<Publisher>, string]>([
    [
      "reports a merely accepted post as live",
      { accepted: () => ({ live: { id: "job-1", url: null, ref: null } }) },
      "the result of accepted()",
    ],
    [
      "reports a running job as a post",
      { lookFor: async (_, { job }) => (job === undefined ? { absent: true } : live(String(job))) },
      "the first look, while the network works",
    ],
    [
      "reports a running job as an absent post",
      { lookFor: async () => ({ absent: true }) },
      "the first look, while the network works",
    ],
    [
      "never finds the end",
      { lookFor: async (_, { job }) => (job === undefined ? { absent: true } : { pending: "Working." }) },
      "the end of the job",
    ],
    [
      "publishes again instead of asking",
      {
        async lookFor(context, input) {
          const url = `https://${ownHost}/posts`;
          if (input.job !== undefined)
            await context.request({ method: "POST", url, body: { json: { text: "Hello" } } });
          return publisher.lookFor(context, input);
        },
      },
      "writing requests of a look",
    ],
    [
      "finds a post before any request",
      { lookFor: async () => live("post-1") },
      "posts that are found before anything is sent",
    ],
    ["keeps the token in the job", { accepted: () => ({ job: "canary-token-1" }) }, "canary-token-1"],
  ])("is violated by an adapter that %s", async (_, changes, words) => {
    await expect(follow(changes)).rejects.toThrow(words);
  });
});

function live(id: string) {
  return { live: { id, url: null, ref: null } } as const;
}
