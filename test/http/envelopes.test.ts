import { describe, expect, it } from "vitest";
import { createHandler } from "../../src/http/handler.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { SocialError } from "../../src/wire/errors.ts";
import { connectAll, connectBluesky } from "../support/connect.ts";
import { recordingLogger } from "../support/logger.ts";
import { createRest, expectEnvelope } from "./rest.ts";

describe("a successful response", () => {
  it("holds data, and for a list its pagination, too", async () => {
    const rest = await createRest();
    const profile = await connectBluesky(rest);
    const one = await rest.send("GET", `/v1/profiles/${profile.id}`);
    expect([one.status, one.body]).toEqual([200, { data: profile }]);
    const list = await rest.send("GET", "/v1/profiles?limit=1");
    const pagination = { limit: 1, offset: 0, total: 1, has_more: false };
    expect(list.body).toEqual({ data: [profile], meta: { pagination } });
    expect(list.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(list.headers.get("cache-control")).toBe("no-store");
  });

  it("without data is 204 and empty", async () => {
    const rest = await createRest();
    const { id } = await connectBluesky(rest);
    const { status, text, headers } = await rest.send("DELETE", `/v1/profiles/${id}`);
    expect([status, text, headers.get("content-type")]).toEqual([204, "", null]);
    expect(headers.get("ratelimit-limit")).toBe("120");
  });

  it("to a creation is 201 even where the network refused the post", async () => {
    const rest = await createRest();
    const { id } = await connectBluesky(rest);
    const answer = { status: 400, json: { error: "InvalidRequest", message: "No." } };
    rest.sandbox.bluesky.faults.add({ kind: "refuse", answer, operation: "commit" });
    const { status, body } = await rest.send("POST", "/v1/posts", { json: { profile_ids: [id], text: "x" } });
    expect([status, body.data]).toMatchObject([201, { status: "failed" }]);
  });

  it("is paged and filtered by the query", async () => {
    const rest = await createRest();
    const [bluesky, mastodon] = await connectAll(rest);
    for (const { id } of [bluesky, mastodon, bluesky]) {
      await rest.clock.advance(1_000);
      await rest.send("POST", "/v1/posts", { json: { profile_ids: [id], text: "x" } });
    }
    const totalOf = async (query: string) => (await rest.send("GET", `/v1/posts?${query}`)).body.meta?.pagination.total;
    expect(await totalOf("network=bluesky")).toBe(2);
    expect(await totalOf("network=bluesky,mastodon&status=published")).toBe(3);
    expect(await totalOf("network=bluesky%2Cdiscord")).toBe(2);
    expect(await totalOf("status=failed")).toBe(0);
    expect(await totalOf(`profile_id=${mastodon.id}`)).toBe(1);
    expect(await totalOf("created_after=2030-01-01T00:00:00Z")).toBe(0);
    expect(await totalOf("created_before=2030-01-01T00:00:00%2B01:00")).toBe(3);
    const page = await rest.send("GET", "/v1/posts?limit=2&offset=1");
    expect(page.body.meta?.pagination).toEqual({ limit: 2, offset: 1, total: 3, has_more: false, next_cursor: null });
    expect(page.body.data).toHaveLength(2);
  });
});

describe("an internal error", () => {
  const storeFault = new Error("SQLITE_IOERR /var/lib/secret.db: token xoxb-canary");

  /** A storage that breaks in one place with a message that must not leak. */
  function broken(method: keyof Storage, collection?: string, fault: Error = storeFault) {
    const clock = manualClock();
    const storage = memoryStorage({ clock });
    let isBroken = false;
    const guarded = {
      ...storage,
      [method]: (...given: unknown[]) => {
        if (isBroken && (collection === undefined || given[0] === collection)) throw fault;
        return (storage[method] as (...given: unknown[]) => unknown)(...given);
      },
    };
    const breakIt = (): void => {
      isBroken = true;
    };
    return { clock, storage: guarded, breakIt };
  }

  it.each<[keyof Storage, string | undefined, string]>([
    ["now", undefined, "/v1/posts"],
    ["increment", undefined, "/v1/posts"],
    ["find", "keys", "/v1/posts"],
    ["find", "posts", "/v1/posts"],
    ["get", "posts", "/v1/posts/post_1"],
    ["find", "profiles", "/v1/profiles"],
    ["get", "profiles", "/v1/profiles/prof_1"],
  ])(
    "in the store's %s (%s) is a 500 without details, and a log line with all of them",
    async (method, collection, path) => {
      const logger = recordingLogger();
      const { breakIt, ...ports } = broken(method, collection);
      const { send } = await createRest({ ...ports, logger });
      breakIt();
      const answer = await send("GET", path);
      expect([answer.status, answer.body.error?.code]).toEqual([500, "internal_error"]);
      expectEnvelope(answer);
      expect(answer.text).not.toMatch(/SQLITE|secret|canary|at .*:\d+/);
      expect(logger.lines.filter((line) => line.startsWith("error a request failed"))).toHaveLength(1);
      expect(logger.lines.join()).toContain("SQLITE_IOERR");
    },
  );

  it.each(["internal_error", "invalid_options"] as const)(
    "thrown with the code %s is an internal_error without its message",
    async (code) => {
      const logger = recordingLogger();
      const { breakIt, ...ports } = broken("find", "posts", new SocialError(code, "the key xoxb-canary is gone"));
      const { send } = await createRest({ ...ports, logger });
      breakIt();
      const answer = await send("GET", "/v1/posts");
      expect([answer.status, answer.body.error?.code]).toEqual([500, "internal_error"]);
      expect(answer.text).not.toContain("canary");
      expect(logger.lines.join()).toContain("xoxb-canary is gone");
    },
  );

  it.each(["a text", null, undefined, 7, { message: "an object" }])(
    "thrown as a value that is not an error is a 500: %j",
    async (thrown) => {
      const authenticate = () => {
        throw thrown;
      };
      const { send } = await createRest({ handler: { authenticate } });
      expect((await send("GET", "/v1/posts")).status).toBe(500);
    },
  );
});

it("the handler never throws: every request gets a response", async () => {
  const { social, key } = await createRest();
  const handler = createHandler(social);
  const requests = [
    new Request("https://app.example.com"),
    new Request("https://app.example.com/v1/posts", { headers: { authorization: `Bearer ${key}`, cookie: "\u00ff" } }),
    new Request("https://app.example.com/v1/posts#fragment", { headers: { authorization: `Bearer ${key}` } }),
    new Request("https://app.example.com/v1/posts", { method: "POST", signal: AbortSignal.abort() }),
  ];
  const statuses = await Promise.all(requests.map(async (request) => (await handler(request)).status));
  expect(statuses).toEqual([404, 200, 200, 401]);
});
