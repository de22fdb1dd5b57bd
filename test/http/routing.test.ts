import { describe, expect, it } from "vitest";
import { openApiPath } from "../../src/http/openapi/document.ts";
import { routes } from "../../src/http/routes.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { recordingLogger } from "../support/logger.ts";
import { createRest, type Rest, toRequest } from "./rest.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"];
const templates = [...new Set(routes.map(({ path }) => path))];

/** The methods that a path allows, by the table. */
function allowedAt(template: string): string[] {
  return routes
    .filter(({ path }) => path === template)
    .flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}

const wrongMethods = templates.flatMap((template) =>
  methods.filter((method) => !allowedAt(template).includes(method)).map((method) => [method, template] as const),
);

function concrete(template: string): string {
  return template.replace(/\{\w+\}/, "none_1");
}

/** True: the request reaches its endpoint, whatever the response is. */
async function reaches(rest: Rest, method: string, path: string): Promise<boolean> {
  const { status, body } = await rest.send(method, path, method === "POST" ? { json: {} } : {});
  return status !== 405 && !body.error?.message.startsWith("There is no endpoint");
}

describe("a request", () => {
  it.each(routes.map(({ method, path }) => [method, path]))("%s %s reaches its endpoint", async (method, path) => {
    expect(await reaches(await createRest(), method, concrete(path))).toBe(true);
  });

  it.each(wrongMethods)("%s %s gets 405 and the path's methods, with or without a key", async (method, template) => {
    const { send, key } = await createRest();
    for (const given of [key, null]) {
      const { status, headers, body, text } = await send(method, concrete(template), { key: given });
      expect([status, headers.get("allow")?.split(", ").sort()]).toEqual([405, allowedAt(template).sort()]);
      if (method === "HEAD") expect(text).toBe("");
      else expect(body.error).toMatchObject({ code: "invalid_request" });
    }
  });

  it("is tested with wrong methods at every path", () => {
    expect(new Set(wrongMethods.map(([, template]) => template)).size).toBe(templates.length);
  });

  it.each([
    "/",
    "/v1",
    "/v1/",
    "/v2/posts",
    "/V1/posts",
    "/v1/Posts",
    "/v1/pots",
    "//v1/posts",
    "/v1//posts",
    "/v1/posts/post_1/retries",
    "/v1/posts/post_1/retry/again",
    "/v1%2Fposts",
    "/v1/posts/a%2Fretry/retry/x",
    "/v1/posts;a=b",
    "/v1/%70osts",
    "/v1/posts\\x",
    "/v1/posts/%2e%2e/profiles/x",
    `/v1/${"a/".repeat(5_000)}`,
  ])("for the unknown path %s is not_found, with its path", async (path) => {
    const { status, body } = await (await createRest()).send("GET", path);
    expect([status, body.error?.code]).toEqual([404, "not_found"]);
    expect(body.error?.message.length).toBeLessThan(300);
  });

  it.each(templates)("for %s with a trailing slash is not_found", async (template) => {
    const { send } = await createRest();
    for (const method of new Set(allowedAt(template))) {
      const { status } = await send(method, `${concrete(template)}/`);
      expect(status, method).toBe(404);
    }
  });

  it.each([
    "a%2Fb",
    "%00",
    "%ff",
    "%",
    "%ED%A0%80",
    "..%2f",
    "%2e%2e%2f%2e%2e",
    "__proto__",
    "constructor",
    "é",
    "a+b",
  ])("for the id %s gets the same response as any unknown id", async (id) => {
    const { send } = await createRest({ storage: strictStorage() });
    const unknown = await send("GET", "/v1/posts/post_none");
    const { status, text } = await send("GET", `/v1/posts/${id}`);
    expect([status, text]).toEqual([404, unknown.text]);
  });

  it("finds an id that is percent-encoded", async () => {
    const rest = await createRest();
    const { id } = await connected(rest);
    const escaped = id.replace("_", "%5F").replace("0", "%30");
    expect((await rest.send("GET", `/v1/profiles/${escaped}`)).body.data).toMatchObject({ id });
  });

  it("for /v1/posts/validate is not a request for a post named validate", async () => {
    const { send } = await createRest();
    const { status, headers } = await send("GET", "/v1/posts/validate");
    expect([status, headers.get("allow")]).toEqual([405, "POST"]);
  });

  it.each(templates.filter((template) => allowedAt(template).includes("GET")))(
    "HEAD %s has the status and headers of GET, and no body",
    async (template) => {
      const { send, clock } = await createRest();
      const get = await send("GET", concrete(template));
      await clock.advance(60_000);
      const head = await send("HEAD", concrete(template));
      expect(head.text).toBe("");
      expect([head.status, [...head.headers]]).toEqual([get.status, [...get.headers]]);
    },
  );
});

describe("a handler with a base path", () => {
  it.each([
    ["/social", "/social"],
    ["social", "/social"],
    ["/social/", "/social"],
    ["//social//", "/social"],
    ["/our/social", "/our/social"],
    ["/für uns", "/f%C3%BCr%20uns"],
    ["/f%C3%BCr%20uns", "/f%C3%BCr%20uns"],
  ])("written %s serves %s, and its document says so", async (basePath, path) => {
    const { handler, key } = await createRest({ handler: { basePath } });
    expect((await handler(toRequest("GET", `${path}/v1/posts`, { key }))).status).toBe(200);
    const document = await (await handler(toRequest("GET", path + openApiPath, {}))).json();
    expect(document).toMatchObject({ servers: [{ url: path }] });
  });

  it.each(["/v1/posts", "/", "/socialv1/posts", "/other/v1/posts", "/Social/v1/posts", "/social/../v1/posts"])(
    "names its path and the requested one for %s",
    async (path) => {
      const { send } = await createRest({ handler: { basePath: "/social" } });
      const { status, body } = await send("GET", path, { key: null });
      expect([status, body.error?.code]).toEqual([404, "not_found"]);
      expect(body.error?.message).toContain("; the API is at /social/v1.");
      expect(body.error?.message).toContain(path.replace("/social/..", ""));
    },
  );
});

describe("a handler whose mount and options differ", () => {
  it.each([
    [undefined, "/social/v1/posts", "/social"],
    ["/social", "/v1/posts", ""],
    ["/social", "/api/social/v1/posts", "/api/social"],
  ])(
    "with the base path %s tells a client of %s where the API is, and logs, once, the option to set",
    async (basePath, path, found) => {
      const logger = recordingLogger();
      const { handler } = await createRest({ logger, handler: { basePath } });
      for (const each of [path, path]) {
        const answer: unknown = await (await handler(toRequest("GET", each, {}))).json();
        expect(answer).toEqual({
          error: { code: "not_found", message: `There is no endpoint ${path}; the API is at ${basePath ?? ""}/v1.` },
        });
      }
      expect(logger.lines.filter((line) => line.includes("requests arrive"))).toEqual([
        expect.stringContaining(`pass basePath: "${found}"`),
      ]);
    },
  );

  it("logs nothing about a path outside the API", async () => {
    const logger = recordingLogger();
    const { handler } = await createRest({ logger });
    expect((await handler(toRequest("GET", "/favicon.ico", {}))).status).toBe(404);
    expect(logger.lines).toEqual([]);
  });

  it.each([
    ["https://app.example.com/social", "/social", []],
    ["https://app.example.com/social/", "social", []],
    ["https://app.example.com", undefined, []],
    [
      "https://app.example.com/social",
      undefined,
      [expect.stringContaining('basePath is "", but baseUrl ends with "/social"')],
    ],
    [
      "https://app.example.com",
      "/social",
      [expect.stringContaining('basePath is "/social", but baseUrl ends with ""')],
    ],
  ])("logs a warning at creation: %s and %s", async (baseUrl, basePath, warnings) => {
    const logger = recordingLogger();
    await createRest({ logger, baseUrl, handler: { basePath } });
    expect(logger.lines).toEqual(warnings);
  });
});

it.each(["/social", "/social/"])(
  "a request to %s, the base path itself, learns where the document is",
  async (path) => {
    const { send } = await createRest({ handler: { basePath: "/social" } });
    const { status, body } = await send("GET", path, { key: null });
    expect([status, body.error]).toEqual([
      404,
      {
        code: "not_found",
        message: "There is no endpoint at /social itself; /social/v1/openapi.json describes those below it.",
      },
    ]);
  },
);

it("createHandler accepts only the object that createSocialService returned", async () => {
  const { social } = await createRest();
  const { createHandler } = await import("../../src/http/handler.ts");
  expect(() => createHandler({ ...social })).toThrow("requires the object that createSocialService returned");
});

/** Rejects a NUL, like Postgres. */
function strictStorage(): Storage {
  const storage = memoryStorage();
  return {
    ...storage,
    async get(collection, id) {
      if (id.includes("\0")) throw new Error("invalid byte sequence for encoding");
      return storage.get(collection, id);
    },
  };
}

async function connected({ sandbox, send }: Rest): Promise<{ id: string }> {
  const { handle, password } = sandbox.bluesky.addAccount({ handle: "alice.sandbox.example" });
  const credentials = { identifier: handle, app_password: password };
  const { body } = await send("POST", "/v1/profiles/connect", { json: { network: "bluesky", credentials } });
  return (body.data as { profiles: [{ id: string }] }).profiles[0];
}
