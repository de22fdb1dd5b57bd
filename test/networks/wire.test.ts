import { readFileSync } from "node:fs";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import type { CommitInput } from "../../src/networks/contract/commit.ts";
import type { Part } from "../../src/networks/contract/plan.ts";
import type { NetworkResponse } from "../../src/networks/contract/request.ts";
import { readRefusal } from "../../src/networks/runtime/error-map.ts";
import { signRequest, toExchange, toRequestBody } from "../../src/networks/runtime/exchange.ts";
import { encodeBody } from "../../src/outbound/body.ts";
import { createOutbound } from "../../src/outbound/http.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { randomIds } from "../../src/ports/ids.ts";
import { somebody } from "../support/profile-facts.ts";
import type { RefusedFixture, Scene, WireScene } from "./scene.ts";
import { scenes } from "./scenes.ts";

/** Replaces the global fetch, to see the real requests and to respond with recorded responses. */
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

const part: Part = { text: "Hello from the wire", media: [], link: null, title: null, post_type: "post", options: {} };

function inputOf({ profile, secret, key, input = {} }: WireScene, { options }: NetworkAdapter): CommitInput {
  return {
    profile: { ...somebody, ...profile },
    secret,
    index: 0,
    staged: {},
    first: null,
    previous: null,
    ...input,
    part: { ...part, ...input.part, options: options.parse(input.part?.options ?? {}) },
    key,
    created_at: "2026-11-21T12:00:00.000Z",
  };
}

function fixture(network: string, name: string): Fixture {
  return JSON.parse(readFileSync(new URL(`${network}/fixtures/${name}.json`, import.meta.url), "utf8")) as Fixture;
}

/** Sends the part as the engine would, through the real fetch; returns the request and the response. */
async function send(scene: Scene, answer: Fixture): Promise<{ seen: Request; came: NetworkResponse }> {
  const adapter = scene.adapter();
  const input = inputOf(scene.wire, adapter);
  let seen: Request | undefined;
  server.use(
    http.all(scene.wire.url.replace(/\?.*$/, ""), ({ request }) => {
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
  const bytes = new TextEncoder().encode(scene.wire.file ?? "");
  const body = await encodeBody(
    toRequestBody(commit.body, () => ({ contentType: "application/octet-stream", bytes })),
    options,
  );
  const came = await outbound.send({ ...toExchange(adapter, signed, { body, hardEndMs: 30_000 }), trust: "fixed" });
  if (seen === undefined) throw new Error("nothing arrived");
  return { seen, came };
}

it.each(scenes.map((scene) => ({ ...scene, scene, words: scene.wire.words })))(
  "a request to $network is as documented: $words",
  async ({ network, wire, scene }) => {
    const { seen } = await send(scene, fixture(network, wire.accepted.fixture));
    expect(seen.url).toBe(wire.url);
    expect(seen.method).toBe(wire.sent.method ?? "POST");
    for (const [name, value] of Object.entries(wire.sent.headers)) {
      const expected = typeof value === "string" ? value : expect.stringMatching(value);
      expect(seen.headers.get(name), name).toEqual(expected);
    }
    expect(typeof wire.sent.body === "string" ? await seen.text() : await bodyOf(seen)).toEqual(wire.sent.body);
  },
);

/** The body, in whichever format it was sent. */
async function bodyOf(request: Request): Promise<unknown> {
  const isForm = request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded") === true;
  return isForm ? Object.fromEntries(new URLSearchParams(await request.text())) : request.json();
}

describe("a recorded response", () => {
  it.each(scenes.map((scene) => ({ ...scene.wire.accepted, network: scene.network, scene })))(
    "of $network, $fixture, is read as accepted, with its id",
    async ({ network, fixture: name, scene, ...told }) => {
      const { came } = await send(scene, fixture(network, name));
      const expected =
        "job" in told
          ? { job: told.job }
          : { live: { id: told.id, url: told.isWithoutUrl ? null : expect.stringMatching(/^https:/) } };
      expect(scene.adapter().publish?.accepted(came, inputOf(scene.wire, scene.adapter()))).toMatchObject(expected);
    },
  );

  const refused = scenes.flatMap((scene) =>
    scene.wire.refused.map((each) => ({ scene, network: scene.network, each })),
  );
  it.each(refused)("of $network, $each.fixture, has the effect $each.effect", async ({ network, scene, each }) => {
    const { fixture: name, ...expected } = each;
    const recorded = fixture(network, name);
    expect(recorded.origin).toMatch(/\(20\d\d-\d\d\)/);
    const { came } = await send(scene, recorded);
    expect(readRefusal(came, scene.adapter().errors, { now })).toMatchObject(refusalFrom(expected));
  });
});

function refusalFrom(expected: Omit<RefusedFixture, "fixture">): object {
  if (!("waitMs" in expected)) return expected;
  const { waitMs, ...rest } = expected;
  return { ...rest, retryAt: waitMs === null ? null : now + Number(waitMs) };
}
