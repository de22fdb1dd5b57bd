import { describe, expect, it } from "vitest";
import type { NetworkAdapter } from "../../../src/networks/contract/adapter.ts";
import type { ProfileFacts } from "../../../src/networks/contract/profile.ts";
import type { NetworkRequest, NetworkResponse } from "../../../src/networks/contract/request.ts";
import { createAppLimits } from "../../../src/networks/runtime/app-limits.ts";
import { assertHostAllowed, boundaryFrom } from "../../../src/networks/runtime/exchange.ts";
import {
  createLoginContext,
  createNetworkContext,
  hardEndMsOf,
  NetworkRefusal,
  type SessionPorts,
} from "../../../src/networks/runtime/session.ts";
import { type Exchange, TransportFailure } from "../../../src/outbound/http.ts";
import { randomIds } from "../../../src/ports/ids.ts";
import { type ManualClock, manualClock } from "../../../src/testing/clock.ts";
import { PublishingError } from "../../../src/wire/errors.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { somebody } from "../../support/profile-facts.ts";
import { errorRow, errorTable, fakeAdapter, ownHost } from "../fake-network.ts";

type Answer = Partial<NetworkResponse> | Error;

interface Bench {
  clock: ManualClock;
  sent: Exchange[];
  /** When each was sent, milliseconds since the start. */
  times: number[];
  ports: SessionPorts;
}

/** An outbound that gives these responses in turn, and then repeats the last one. */
function bench(...answers: Answer[]): Bench {
  const clock = manualClock();
  const sent: Exchange[] = [];
  const times: number[] = [];
  const outbound: SessionPorts["outbound"] = {
    timeAt: () => clock.now(),
    async send(exchange) {
      sent.push(exchange);
      times.push(clock.monotonic());
      const answer = answers[Math.min(sent.length, answers.length) - 1] ?? {};
      if (answer instanceof Error) throw answer;
      return { status: 200, headers: new Headers(), body: null, ...answer };
    },
  };
  const openMedia: SessionPorts["openMedia"] = async () => ({
    stream: new Blob([Uint8Array.of(1, 2, 3)]).stream(),
    size_bytes: 3,
  });
  return { clock, sent, times, ports: { outbound, clock, ids: randomIds, openMedia, appLimits: createAppLimits() } };
}

const get: NetworkRequest = { method: "GET", url: `https://${ownHost}/me` };
const facts: ProfileFacts = { ...somebody, host: "alice.example" };

interface Holder {
  secret?: JsonObject;
  renew?: () => Promise<JsonObject>;
  beforeRequest?: () => Promise<void>;
}

function contextOf(given: Bench, adapter: NetworkAdapter = fakeAdapter(), holder: Holder = {}) {
  let secret: JsonObject = holder.secret ?? { access: "old" };
  return createNetworkContext(
    adapter,
    {
      accountId: "acct_42",
      app: null,
      profile: facts,
      secret: () => secret,
      async renew() {
        secret = (await holder.renew?.()) ?? { access: "new" };
      },
      now: () => given.ports.clock.now(),
      async whileHeld(exchange) {
        await holder.beforeRequest?.();
        return exchange();
      },
    },
    given.ports,
  );
}

const canRefresh = fakeAdapter({ refresh: async () => ({ secret: {}, expires_at: null }) });
const lost = new TransportFailure("unknown", "broke off");

describe("credentials go", () => {
  it.each([`https://${ownHost}/me`, "https://alice.example/me"])(
    "to %s, which the network or the profile names",
    async (url) => {
      const world = bench();
      await contextOf(world).request({ method: "GET", url });
      expect(world.sent[0]?.headers.authorization).toBe("Bearer old");
    },
  );

  it.each([
    "https://evil.example/me",
    `https://${ownHost}.evil.example/me`,
    `https://sub.${ownHost}/me`,
    `https://${ownHost}:8443/me`,
    `https://${ownHost}@evil.example/me`,
    "https://alice.example:444/me",
  ])("never to %s", async (url) => {
    const world = bench();
    await expect(contextOf(world).request({ method: "GET", url })).rejects.toMatchObject({ code: "internal_error" });
    expect(world.sent).toEqual([]);
  });

  it("never elsewhere, not even as a token that the request brings along", async () => {
    const world = bench();
    const headers = { Authorization: "Bearer other" };
    const request = contextOf(world).request({ method: "GET", url: "https://evil.example/", headers });
    await expect(request).rejects.toBeInstanceOf(PublishingError);
    expect(world.sent).toEqual([]);
  });

  it("into no response: each exchange knows the secrets that must not be repeated", async () => {
    const world = bench();
    await contextOf(world, fakeAdapter(), { secret: { access: "one", keys: ["two"] } }).request(get);
    await createLoginContext(fakeAdapter(), world.ports, { identifier: "me", app_password: "three" }).request(get);
    expect(world.sent.map(({ secrets }) => secrets)).toEqual([["one", "two"], ["three"]]);
  });

  it("only to the network's hosts if the profile has none of its own", () => {
    expect(() => assertHostAllowed(fakeAdapter(), null, "https://alice.example/")).toThrow("not a host of Example");
    assertHostAllowed(fakeAdapter(), null, get.url);
  });

  it("to every subdomain of a host that begins with a dot, and to none that only ends alike", () => {
    const plain = fakeAdapter();
    const adapter = { ...plain, spec: { ...plain.spec, hosts: [".uploads.example"] } };
    assertHostAllowed(adapter, null, "https://eu-1.uploads.example/");
    for (const host of ["uploads.example", "evil-uploads.example", "uploads.example.evil.example"])
      expect(() => assertHostAllowed(adapter, null, `https://${host}/`)).toThrow("not a host of Example");
  });

  it("nowhere with a request that needs none, which may go to any public host", async () => {
    const world = bench();
    await contextOf(world).request({ method: "PUT", url: "https://uploads.example/1?signed", credential: "none" });
    expect(world.sent).toMatchObject([{ url: "https://uploads.example/1?signed", trust: "guarded" }]);
    expect(world.sent[0]?.headers.authorization).toBeUndefined();
  });

  it("with each attempt, made anew at that moment", async () => {
    const world = bench({ status: 503 }, {});
    const adapter = fakeAdapter({
      async sign(request, { secret, now, randomBytes }) {
        const nonce = Buffer.from(randomBytes(4)).toString("hex");
        return { ...request, headers: { dpop: `${secret.access} ${now()} ${nonce}` } };
      },
    });
    await world.clock.run(() => contextOf(world, adapter).request(get));
    const [first, second] = world.sent.map(({ headers }) => headers.dpop ?? "");
    expect(first).toMatch(/^old \d+ [0-9a-f]{8}$/);
    expect(Number(second?.split(" ")[1])).toBe(Number(first?.split(" ")[1]) + 500);
    expect(second?.split(" ")[2]).not.toBe(first?.split(" ")[2]);
  });

  it("to no other host, even if signing changes the request's host", async () => {
    const world = bench();
    const adapter = fakeAdapter({ sign: (request) => ({ ...request, url: "https://evil.example/" }) });
    await expect(contextOf(world, adapter).request(get)).rejects.toMatchObject({ code: "internal_error" });
    expect(world.sent).toEqual([]);
  });

  it("into no request that brings its own", async () => {
    const world = bench();
    await contextOf(world).request({ ...get, headers: { Authorization: "Bearer other" } });
    expect(world.sent[0]?.headers).toEqual({ Authorization: "Bearer other" });
  });

  it("directly to the network's own hosts, and through the guard to the profile's", async () => {
    const world = bench();
    await contextOf(world).request(get);
    await contextOf(world).request({ method: "GET", url: "https://alice.example/me" });
    expect(world.sent.map(({ trust }) => trust)).toEqual(["fixed", "guarded"]);
  });

  it("nowhere before the profile is connected, so that any host may be reached, through the guard", async () => {
    const world = bench();
    await createLoginContext(fakeAdapter(), world.ports).request({ method: "GET", url: "https://new.example/" });
    expect(world.sent[0]).toMatchObject({ headers: {}, trust: "guarded" });
  });
});

describe("a read that fails temporarily", () => {
  it.each([
    ["a broken connection", lost],
    ["a time-out", new TransportFailure("timeout", "too slow")],
    ["a connection refused", new TransportFailure("not_sent", "could not be reached")],
    ["a 503", { status: 503 }],
    ["a page at 4xx", { status: 400 }],
  ])("because of %s is repeated after 0.5 s and 2 s", async (_, answer) => {
    const world = bench(answer, answer, { body: "third" });
    const response = await world.clock.run(() => contextOf(world).request(get));
    expect(response.body).toBe("third");
    expect(world.times).toEqual([0, 500, 2_500]);
  });

  it("is abandoned as unknown after three attempts", async () => {
    const world = bench(lost);
    const failed = world.clock.run(() => contextOf(world).request(get));
    await expect(failed).rejects.toMatchObject({ refusal: { effect: "unknown", code: "network_error" } });
    expect(world.sent).toHaveLength(3);
  });

  it("at its deadline is reported as a timeout", async () => {
    const world = bench(new TransportFailure("timeout", "too slow"));
    const failed = world.clock.run(() => contextOf(world).request(get));
    await expect(failed).rejects.toMatchObject({ refusal: { effect: "unknown", code: "timeout" } });
  });

  it.each([
    ["a final refusal", { status: 400, body: { error: { message: "no" } } }, "none"],
    ["a rate limit", { status: 429 }, "later"],
  ])("is not repeated after %s", async (_, answer, effect) => {
    const world = bench(answer);
    const adapter = fakeAdapter({}, errorTable(errorRow({ status: 429, effect: "later", remedy: "rate_limit" })));
    const failed = world.clock.run(() => contextOf(world, adapter).request(get));
    await expect(failed).rejects.toMatchObject({ refusal: { effect } });
    expect(world.sent).toHaveLength(1);
  });

  it("asks for the profile before each attempt", async () => {
    const world = bench(lost);
    let asked = 0;
    const beforeRequest = async (): Promise<void> => {
      asked += 1;
    };
    const failed = world.clock.run(() => contextOf(world, fakeAdapter(), { beforeRequest }).request(get));
    await expect(failed).rejects.toBeInstanceOf(NetworkRefusal);
    expect(asked).toBe(3);
  });

  it("is not sent if the profile was lost", async () => {
    const world = bench();
    const beforeRequest = async () => {
      throw new Error("lost");
    };
    await expect(contextOf(world, fakeAdapter(), { beforeRequest }).request(get)).rejects.toThrow("lost");
    expect(world.sent).toEqual([]);
  });

  it("opens a file again for each attempt", async () => {
    const world = bench(lost, {});
    const file = { contentType: "image/png", bytes: Uint8Array.of(7) };
    await world.clock.run(() => contextOf(world).request({ ...get, method: "POST", body: { file } }));
    const bodies = world.sent.map(({ body }) => body);
    expect(bodies[0]).toEqual({ contentType: "image/png", content: Uint8Array.of(7) });
    expect(bodies[1]).toEqual(bodies[0]);
    expect(bodies[1]).not.toBe(bodies[0]);
  });
});

describe("a response", () => {
  it.each([200, 201, 202, 204, 299])("with %i is returned", async (status) => {
    expect(await contextOf(bench({ status })).request(get)).toMatchObject({ status });
  });

  it("that the adapter handles is returned", async () => {
    expect(await contextOf(bench({ status: 404 })).request({ ...get, accept: [404] })).toMatchObject({ status: 404 });
  });

  it.each([302, 304])("with %i is not a success: redirects are not followed", async (status) => {
    const world = bench({ status });
    const failed = world.clock.run(() => contextOf(world).request(get));
    await expect(failed).rejects.toMatchObject({ refusal: { effect: "unknown" } });
  });

  it("that refuses the credentials is a PublishingError with the row's code", async () => {
    const world = bench({ status: 401 });
    const request = createLoginContext(fakeAdapter(), world.ports).request(get);
    await expect(request).rejects.toSatisfy(
      (error) => PublishingError.is(error) && error.code === "reauthentication_required",
    );
  });
});

it("a request that may not be repeated is sent once, whatever its outcome", async () => {
  const world = bench({ status: 503 });
  const request = contextOf(world).request({ ...get, repeat: false });
  await expect(world.clock.run(() => request)).rejects.toBeInstanceOf(NetworkRefusal);
  expect(world.sent).toHaveLength(1);
});

describe("credentials that expire in the middle of a read", () => {
  it("are renewed, and the read continues with the new ones", async () => {
    const world = bench({ status: 401 }, { body: "done" });
    const response = await contextOf(world, canRefresh).request(get);
    expect(response.body).toBe("done");
    expect(world.sent.map(({ headers }) => headers.authorization)).toEqual(["Bearer old", "Bearer new"]);
  });

  it("are renewed once: a second refusal is final", async () => {
    const world = bench({ status: 401 });
    let renewals = 0;
    const renew = async () => ({ access: `new ${++renewals}` });
    const failed = contextOf(world, canRefresh, { renew }).request(get);
    await expect(failed).rejects.toMatchObject({ refusal: { effect: "later", remedy: "refresh" } });
    expect(renewals).toBe(1);
    expect(world.sent).toHaveLength(2);
  });

  it("are not renewed if the network cannot renew them", async () => {
    const world = bench({ status: 401 });
    let renewals = 0;
    const renew = async () => ({ access: `new ${++renewals}` });
    const failed = contextOf(world, fakeAdapter(), { renew }).request(get);
    await expect(failed).rejects.toBeInstanceOf(NetworkRefusal);
    expect(renewals).toBe(0);
  });

  it("are not renewed after any other refusal", async () => {
    const world = bench({ status: 403, body: { error: { message: "no" } } });
    let renewals = 0;
    const renew = async () => ({ access: `new ${++renewals}` });
    const failed = contextOf(world, canRefresh, { renew }).request(get);
    await expect(failed).rejects.toBeInstanceOf(NetworkRefusal);
    expect(renewals).toBe(0);
  });

  it.each(["rate_limit", "not_ready", "stage_again"] as const)("are not renewed for %s", async (remedy) => {
    const world = bench({ status: 429 });
    const errors = errorTable(errorRow({ status: 429, effect: "later", remedy }));
    let renewals = 0;
    const renew = async () => ({ access: `new ${++renewals}` });
    const failed = contextOf(world, { ...canRefresh, errors }, { renew }).request(get);
    await expect(failed).rejects.toMatchObject({ refusal: { remedy } });
    expect(renewals).toBe(0);
  });

  it("end the read if they cannot be renewed", async () => {
    const world = bench({ status: 401 });
    const dead = new PublishingError("reauthentication_required", "dead");
    const renew = async () => {
      throw dead;
    };
    await expect(contextOf(world, canRefresh, { renew }).request(get)).rejects.toBe(dead);
  });

  it("appear renewed in the context", async () => {
    const world = bench({ status: 401 }, {});
    const context = contextOf(world, canRefresh);
    await context.request(get);
    expect(context.secret).toEqual({ access: "new" });
  });
});

describe("a credential that is made from the response", () => {
  const errors = errorTable(errorRow({ status: 401, effect: "later", remedy: "sign_again" }));

  /** Signs with the value from the last response. */
  function listening(): NetworkAdapter {
    let heard = "nothing";
    const connect: NetworkAdapter["connect"] = {
      ...fakeAdapter().connect,
      sign: (request) => ({ ...request, headers: { ...request.headers, authorization: `Signed ${heard}` } }),
      onResponse({ url, headers, at }) {
        heard = `${headers.get("nonce")} of ${new URL(url).host} at ${at}`;
      },
    };
    return { ...fakeAdapter(), connect, errors };
  }
  const refusal = { status: 401, headers: new Headers({ nonce: "one" }) };

  it("is made again immediately, also for a request that is sent once", async () => {
    const world = bench(refusal, { body: "done" });
    const response = await contextOf(world, listening()).request({ ...get, repeat: false });
    expect(response.body).toBe("done");
    const signed = `Signed one of ${ownHost} at ${world.clock.now()}`;
    expect(world.sent.map(({ headers }) => headers.authorization)).toEqual(["Signed nothing", signed]);
    expect(world.times).toEqual([0, 0]);
  });

  it("is made again once: a second refusal is final", async () => {
    const world = bench(refusal);
    const failed = contextOf(world, listening()).request(get);
    await expect(failed).rejects.toMatchObject({ refusal: { effect: "later", remedy: "sign_again" } });
    expect(world.sent).toHaveLength(2);
  });

  it("is not made again for a sign-in, which is not signed", async () => {
    const world = bench(refusal);
    await expect(createLoginContext(listening(), world.ports).request(get)).rejects.toBeInstanceOf(PublishingError);
    expect(world.sent).toHaveLength(1);
  });

  it("is updated by every response, and an adapter that throws there loses no response", async () => {
    const world = bench({ body: "done" });
    const deaf = listening();
    const heard = (): never => {
      throw new Error("not understood");
    };
    const response = await contextOf(world, { ...deaf, connect: { ...deaf.connect, onResponse: heard } }).request(get);
    expect(response.body).toBe("done");
  });
});

describe("the deadline of an exchange", () => {
  const bytes = { contentType: "image/png", bytes: new Uint8Array() };
  it.each<[string, Partial<NetworkRequest>, number]>([
    ["a read", {}, 20_000],
    ["JSON", { body: { json: {} } }, 20_000],
    ["a form", { body: { form: {} } }, 20_000],
    ["a file", { body: { file: bytes } }, 300_000],
    ["a multipart body", { body: { multipart: [] } }, 300_000],
    ["a request with the adapter's own deadline", { hardEndSeconds: 7, body: { file: bytes } }, 7_000],
  ])("depends on the request: %s", (_, given, expected) => {
    expect(hardEndMsOf({ ...get, ...given })).toBe(expected);
  });
});

describe("a multipart boundary", () => {
  it("is 16 random bytes, and fits into a header", () => {
    const ids = { ...randomIds, bytes: (length: number) => new Uint8Array(length).fill(10) };
    expect(boundaryFrom(ids)).toBe(`postrider-${"0a".repeat(16)}`);
    expect(boundaryFrom(randomIds)).not.toBe(boundaryFrom(randomIds));
  });

  it("differs in each attempt", async () => {
    const world = bench(lost, {});
    const body = { multipart: [{ name: "a", value: "b" }] };
    await world.clock.run(() => contextOf(world).request({ ...get, method: "POST", body }));
    const [first, second] = world.sent.map((exchange) => exchange.body?.contentType);
    expect(first).toMatch(/^multipart\/form-data; boundary=postrider-[0-9a-f]{32}$/);
    expect(second).not.toBe(first);
  });
});
