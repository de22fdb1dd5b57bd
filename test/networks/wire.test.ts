import { readFileSync } from "node:fs";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { bluesky } from "../../src/networks/bluesky/index.ts";
import type { NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import type { CommitInput } from "../../src/networks/contract/commit.ts";
import type { Part } from "../../src/networks/contract/plan.ts";
import type { NetworkResponse } from "../../src/networks/contract/request.ts";
import { discord } from "../../src/networks/discord/index.ts";
import { mastodon } from "../../src/networks/mastodon/index.ts";
import { readRefusal } from "../../src/networks/runtime/error-map.ts";
import { signRequest, toExchange } from "../../src/networks/runtime/exchange.ts";
import { encodeBody } from "../../src/outbound/body.ts";
import { createOutbound } from "../../src/outbound/http.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { randomIds } from "../../src/ports/ids.ts";
import { jsonOf } from "../support/commit-json.ts";

/** The global fetch, caught at the socket: what really leaves, and what recorded answers are read as. */
const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const now = Date.parse("2026-11-21T12:00:00.000Z");
/** Time stands still; no deadline is ever reached. */
const standing: Clock = {
  now: () => now,
  monotonic: () => 0,
  sleep: (_, signal) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    }),
};

interface Fixture {
  origin: string;
  status: number;
  headers: Record<string, string>;
  body: object;
}

interface Wire {
  adapter: NetworkAdapter;
  commitUrl: string;
  input: CommitInput;
}

const part: Part = { text: "Hello from the wire", media: [], link: null, title: null, post_type: "post", options: {} };

function inputFor(profile: Partial<CommitInput["profile"]>, secret: CommitInput["secret"], key: string): CommitInput {
  return {
    profile: { id: "prof_1", external_id: "1", handle: null, url: null, limits: {}, host: null, known: {}, ...profile },
    secret,
    part,
    index: 0,
    staged: {},
    first: null,
    previous: null,
    key,
    created_at: "2026-11-21T12:00:00.000Z",
  };
}

const did = "did:plc:abcdefghijklmnopqrstuvwx";
const wires: Record<"bluesky" | "mastodon" | "discord", Wire> = {
  bluesky: {
    adapter: bluesky(),
    commitUrl: "https://pds.example/xrpc/com.atproto.repo.applyWrites",
    input: inputFor(
      { external_id: did, host: "pds.example", known: { pds: "https://pds.example", blob_upload_limit: null } },
      { access: "the-access-token", refresh: "the-refresh-token" },
      "3n2t2gu4wkqgc",
    ),
  },
  mastodon: {
    adapter: mastodon(),
    commitUrl: "https://mastodon.example/api/v1/statuses",
    input: inputFor(
      { external_id: "mastodon.example:1", host: "mastodon.example", known: { account_id: "1", api_version: 10 } },
      { access_token: "the-token" },
      "6f1c8f0e-0000-4000-8000-000000000001",
    ),
  },
  discord: {
    adapter: discord(),
    commitUrl: "https://discord.com/api/v10/channels/290926798999357250/messages",
    input: inputFor(
      {
        external_id: "41771983423143937:290926798999357250",
        known: {
          kind: "bot",
          guild_id: "41771983423143937",
          channel_id: "290926798999357250",
          channel_type: "text",
          bot_user_id: "53908099506183680",
          needs_tag: false,
        },
      },
      { bot_token: "the-bot-token" },
      "a-nonce-of-22-letters",
    ),
  },
};

function fixture(network: string, name: string): Fixture {
  return JSON.parse(readFileSync(new URL(`${network}/fixtures/${name}.json`, import.meta.url), "utf8")) as Fixture;
}

/** Sends the part as the engine would, over the real fetch, and returns what was seen and what came back. */
async function send(
  { adapter, commitUrl, input }: Wire,
  answer: Fixture,
): Promise<{ seen: Request; came: NetworkResponse }> {
  let seen: Request | undefined;
  server.use(
    http.post(commitUrl, ({ request }) => {
      seen = request.clone();
      return HttpResponse.json(answer.body, { status: answer.status, headers: answer.headers });
    }),
  );
  const outbound = createOutbound({ http: fetch, untrustedHttp: fetch, clock: standing });
  const commit = adapter.publish?.commit(input);
  if (commit === undefined) throw new Error("nothing to send");
  const options = { openMedia: () => Promise.reject(new Error("no media")), boundary: "b" };
  const { secret, profile } = input;
  const signed = await signRequest(adapter, commit, {
    profileHost: profile.host,
    secret,
    now: () => 0,
    ids: randomIds,
  });
  const body = await encodeBody({ json: jsonOf(commit) }, options);
  const came = await outbound.send({ ...toExchange(adapter, signed, { body, hardEndMs: 30_000 }), trust: "fixed" });
  if (seen === undefined) throw new Error("nothing arrived");
  return { seen, came };
}

describe("what leaves", () => {
  it("bluesky: a record under our key, with the session's token", async () => {
    const { seen } = await send(wires.bluesky, fixture("bluesky", "apply-writes.200"));
    expect(seen.headers.get("authorization")).toBe("Bearer the-access-token");
    expect(seen.headers.get("content-type")).toBe("application/json");
    expect(await seen.json()).toEqual({
      repo: did,
      writes: [
        {
          $type: "com.atproto.repo.applyWrites#create",
          collection: "app.bsky.feed.post",
          rkey: "3n2t2gu4wkqgc",
          value: { $type: "app.bsky.feed.post", text: "Hello from the wire", createdAt: "2026-11-21T12:00:00.000Z" },
        },
      ],
    });
  });

  it("mastodon: a status with its visibility, and the key in its header", async () => {
    const { seen } = await send(wires.mastodon, fixture("mastodon", "create-status.200"));
    expect(seen.headers.get("authorization")).toBe("Bearer the-token");
    expect(seen.headers.get("user-agent")).toMatch(/^postrider\/\d+\.\d+\.\d+ \(\+https:\/\//);
    expect(seen.headers.get("idempotency-key")).toBe("6f1c8f0e-0000-4000-8000-000000000001");
    expect(await seen.json()).toEqual({ status: "Hello from the wire", visibility: "public" });
  });

  it("discord: a message with an enforced nonce, that pings nobody, from a client that says who it is", async () => {
    const { seen } = await send(wires.discord, fixture("discord", "create-message.200"));
    expect(seen.headers.get("authorization")).toBe("Bot the-bot-token");
    expect(seen.headers.get("user-agent")).toMatch(/^DiscordBot \(https:\/\//);
    expect(await seen.json()).toEqual({
      content: "Hello from the wire",
      allowed_mentions: { parse: [] },
      nonce: "a-nonce-of-22-letters",
      enforce_nonce: true,
    });
  });
});

describe("what recorded answers are read as", () => {
  it.each([
    ["bluesky", "apply-writes.200", `at://${did}/app.bsky.feed.post/3n2t2gu4wkqgc`],
    ["mastodon", "create-status.200", "103270115826048975"],
    ["discord", "create-message.200", "1334385199974967042"],
  ] as const)("%s, %s: accepted, by its id", async (network, name, id) => {
    const wire = wires[network];
    const { came } = await send(wire, fixture(network, name));
    expect(wire.adapter.publish?.accepted(came, wire.input)).toMatchObject({
      live: { id, url: expect.stringMatching(/^https:/) },
    });
  });

  it.each([
    ["bluesky", "apply-writes.400", { effect: "none", code: "invalid_request" }],
    ["bluesky", "apply-writes.429", { effect: "later", remedy: "rate_limit", retryAt: now + 6_000 }],
    ["mastodon", "create-status.422", { effect: "none", code: "invalid_request" }],
    ["mastodon", "create-status.429", { effect: "later", remedy: "rate_limit", retryAt: now + 5_000 }],
    ["discord", "create-message.400", { effect: "none", code: "invalid_request" }],
    ["discord", "create-message.429", { effect: "later", remedy: "rate_limit", retryAt: now + 200 }],
  ] as const)("%s, %s: %o", async (network, name, expected) => {
    const recorded = fixture(network, name);
    expect(recorded.origin).toMatch(/\(20\d\d-\d\d\)/);
    const { came } = await send(wires[network], recorded);
    expect(readRefusal(came, wires[network].adapter.errors, { now })).toMatchObject(expected);
  });
});
