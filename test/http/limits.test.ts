import { describe, expect, it } from "vitest";
import { createHandler } from "../../src/http/handler.ts";
import { requestLimits } from "../../src/http/limits.ts";
import { routes } from "../../src/http/routes.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { connectBluesky } from "../support/connect.ts";
import { createTestService } from "../support/service.ts";
import { createRest, toRequest } from "./rest.ts";

/** The beginning of a minute. */
const minute = "2026-11-21T12:00:00.000Z";

/** The limit, the remaining requests, the seconds to the reset, and the seconds to wait. */
function countsOf({ headers }: { headers: Headers }): (string | null)[] {
  return ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "retry-after"].map((name) => headers.get(name));
}

/** A handler on a clock that moves only by hand, so that no window ends unexpectedly. */
async function createLimited() {
  const clock = manualClock(minute);
  const rest = await createRest({ clock });
  const ask = (method: string, path: string, key = rest.key, json?: unknown) =>
    rest.handler(toRequest(method, path, { key, ...(json === undefined ? {} : { json }) }));
  const read = (key?: string) => ask("GET", "/v1/networks", key);
  const publish = (key?: string) => ask("POST", "/v1/posts/none_1/retry", key);
  const use = async (count: number, send: () => Promise<Response>): Promise<number[]> =>
    (await Promise.all(Array.from({ length: count }, send))).map(({ status }) => status);
  return { ...rest, clock, ask, read, publish, use };
}

describe("the budget of a key", () => {
  it("is 120 reads and 30 publishing requests a minute", () => {
    expect(requestLimits).toEqual({ read: 120, publish: 30 });
  });

  it("follows the host's option, for all endpoints and in the document", async () => {
    const { social, key, clock } = await createLimited();
    const handler = createHandler(social, { limits: { read: 2 } });
    const send = (path: string) => handler(toRequest("GET", path, { key }));
    expect(countsOf(await send("/v1/networks"))).toEqual(["2", "1", "60", null]);
    expect((await send("/v1/posts")).status).toBe(200);
    expect((await send("/v1/posts")).status).toBe(429);
    await clock.advance(60_000);
    const publishing = await handler(toRequest("POST", "/v1/posts/none_1/retry", { key }));
    expect(countsOf(publishing)).toEqual(["30", "29", "60", null]);
    const { paths } = (await (await send("/v1/openapi.json")).json()) as { paths: Record<string, object> };
    expect(JSON.stringify(paths["/v1/networks"])).toContain("2 requests a minute");
    expect(JSON.stringify(paths["/v1/posts"])).toContain("30 requests a minute");
  });

  it("is stated in every response, in whole numbers", async () => {
    const { read, publish, clock } = await createLimited();
    expect(countsOf(await read())).toEqual(["120", "119", "60", null]);
    await clock.advance(1);
    expect(countsOf(await read())).toEqual(["120", "118", "60", null]);
    await clock.advance(58_999);
    expect(countsOf(await read())).toEqual(["120", "117", "1", null]);
    expect(countsOf(await publish())).toEqual(["30", "29", "1", null]);
    await clock.advance(999);
    expect(countsOf(await read())).toEqual(["120", "116", "1", null]);
    await clock.advance(1);
    expect(countsOf(await read())).toEqual(["120", "119", "60", null]);
  });

  it("ends with 429 and the seconds to wait, and begins again at the minute, not before", async () => {
    const { read, use, clock } = await createLimited();
    expect(new Set(await use(120, read))).toEqual(new Set([200]));
    await clock.advance(15_300);
    const refused = await read();
    expect(refused.status).toBe(429);
    expect(countsOf(refused)).toEqual(["120", "0", "45", "45"]);
    expect(await refused.json()).toMatchObject({ error: { code: "rate_limited" } });
    await clock.advance(44_699);
    const last = await read();
    expect([last.status, ...countsOf(last)]).toEqual([429, "120", "0", "1", "1"]);
    await clock.advance(1);
    const next = await read();
    expect([next.status, ...countsOf(next)]).toEqual([200, "120", "119", "60", null]);
  });

  it("lets exactly as many through when they are concurrent", async () => {
    const { read, publish, use } = await createLimited();
    const reads = await use(150, read);
    expect(reads.filter((status) => status === 200)).toHaveLength(120);
    expect(reads.filter((status) => status === 429)).toHaveLength(30);
    const publications = await use(40, publish);
    expect(publications.filter((status) => status === 404)).toHaveLength(30);
    expect(publications.filter((status) => status === 429)).toHaveLength(10);
  });

  it("for reads is separate from the one for publishing", async () => {
    const { read, publish, use } = await createLimited();
    await use(31, publish);
    expect([(await publish()).status, (await read()).status]).toEqual([429, 200]);
    await use(120, read);
    expect((await read()).status).toBe(429);
  });

  it("is separate for each key, of the same account or another", async () => {
    const { social, read, use } = await createLimited();
    await use(121, read);
    for (const account_id of ["default", "acct_42"]) {
      const { key } = await social.keys.create({ account_id });
      expect(countsOf(await read(key))).toEqual(["120", "119", "60", null]);
    }
  });

  it("is shared by all handlers and processes on one store", async () => {
    const { key, storage, clock, social, use, read } = await createLimited();
    await use(60, read);
    const elsewhere = createHandler(createTestService({ storage, clock }).social, { basePath: "/social" });
    const there = () => elsewhere(toRequest("GET", "/social/v1/networks", { key }));
    expect(countsOf(await there())).toEqual(["120", "59", "60", null]);
    const here = createHandler(social);
    const statuses = await use(59, () => here(toRequest("GET", "/v1/networks", { key })));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect([(await there()).status, (await read()).status]).toEqual([429, 429]);
  });

  it("is counted by the key's id where the host authenticates", async () => {
    const authenticate = (request: Request) => ({
      account_id: "one",
      key_id: request.headers.get("x-user") ?? "",
      scopes: ["read"] as const,
    });
    const { handler } = await createRest({ clock: manualClock(minute), handler: { authenticate } });
    const as = (user: string) => handler(toRequest("GET", "/v1/networks", { headers: { "x-user": user } }));
    await as("ada");
    expect(countsOf(await as("ada"))).toEqual(["120", "118", "60", null]);
    expect(countsOf(await as("bob"))).toEqual(["120", "119", "60", null]);
  });
});

describe("the count", () => {
  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "includes %s, in the budget that the table names",
    async (_name, { method, path, bucket, body }) => {
      const { ask } = await createLimited();
      const sent = method === "POST" && body !== null ? {} : undefined;
      const [limit, remaining] = countsOf(await ask(method, path.replace(/\{\w+\}/, "none_1"), undefined, sent));
      expect([limit, remaining]).toEqual([String(requestLimits[bucket]), String(requestLimits[bucket] - 1)]);
    },
  );

  it("includes failed requests: not valid, not found, not allowed", async () => {
    const { ask, social, read } = await createLimited();
    const { key } = await social.keys.create({ scopes: ["read"] });
    const answers = [
      await ask("GET", "/v1/posts?limit=0", key),
      await ask("GET", "/v1/posts/none_1", key),
      await ask("POST", "/v1/profiles/none_1/check", key),
      await ask("POST", "/v1/posts/validate", key, { text: 1 }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 404, 403, 400]);
    expect(answers.map((answer) => countsOf(answer)[1])).toEqual(["119", "118", "117", "116"]);
    expect(countsOf(await read(key))[1]).toBe("115");
  });

  it("includes refused requests, but they do not extend the wait", async () => {
    const { read, use, clock } = await createLimited();
    await use(300, read);
    await clock.advance(59_999);
    expect((await read()).status).toBe(429);
    await clock.advance(1);
    expect((await read()).status).toBe(200);
  });

  it("excludes requests without a key, and those that reach no endpoint", async () => {
    const { ask, read, handler } = await createLimited();
    await handler(toRequest("GET", "/v1/networks", {}));
    await ask("GET", "/v1/pots");
    await ask("PUT", "/v1/posts");
    await ask("GET", "/v1/openapi.json");
    expect(countsOf(await read())[1]).toBe("119");
  });

  it("refuses a post before it is created", async () => {
    const rest = await createLimited();
    const { id } = await connectBluesky(rest);
    await rest.clock.advance(60_000);
    await rest.use(30, rest.publish);
    const json = { profile_ids: [id], text: "Hello", idempotency_key: "limited-0001" };
    expect((await rest.ask("POST", "/v1/posts", undefined, json)).status).toBe(429);
    expect(rest.sandbox.bluesky.posts()).toEqual([]);
    await rest.clock.advance(60_000);
    expect((await rest.send("POST", "/v1/posts", { json })).status).toBe(201);
  });
});

it("follows the store's clock, not the machine's", async () => {
  const { storage } = createTestService({ clock: manualClock("2026-11-21T12:00:50.000Z") });
  const { send } = await createRest({ clock: manualClock("2030-01-01T00:00:00.000Z"), storage });
  expect(countsOf(await send("GET", "/v1/networks"))).toEqual(["120", "119", "10", null]);
});
