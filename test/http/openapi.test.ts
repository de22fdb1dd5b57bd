import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { createHandler } from "../../src/http/handler.ts";
import { openApiDocument } from "../../src/http/openapi/document.ts";
import { routes } from "../../src/http/routes.ts";
import { bluesky } from "../../src/networks/bluesky/index.ts";
import { networkIdPattern } from "../../src/networks/contract/network-id.ts";
import { createPostSchema } from "../../src/planning/schema.ts";
import type { Json } from "../../src/wire/json.ts";
import { createAnswerCheck } from "../support/openapi-answers.ts";
import { createTestService, testNetworks } from "../support/service.ts";
import { createRest, origin } from "./rest.ts";

const document = openApiDocument({ basePath: "/social", networks: testNetworks().map(({ spec }) => spec.network) });
const text = JSON.stringify(document);

/** A part of a document that a service has served. */
interface Served {
  components: { schemas: Record<string, { properties: Record<string, { properties?: object }> }> };
  paths: { "/v1/posts": { get: { parameters: { name: string; schema: object }[] } } };
}

/** Returns the target of a JSON pointer. */
function at(pointer: string): Json | undefined {
  const steps = pointer
    .slice(2)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  return steps.reduce<Json | undefined>((node, step) => (node as Record<string, Json> | undefined)?.[step], document);
}

describe("the document", () => {
  it("is OpenAPI 3.1", async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(JSON.parse(text));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe("3.1");
  });

  it("has no dangling reference, and no component without a reference", () => {
    const pointers = [...new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, pointer = ""]) => pointer))];
    expect(pointers.length).toBeGreaterThan(15);
    expect(pointers.filter((pointer) => at(pointer) === undefined)).toEqual([]);
    const { securitySchemes: _, ...components } = document.components as Record<string, Record<string, Json>>;
    const held = Object.entries(components).flatMap(([kind, each]) =>
      Object.keys(each).map((name) => `#/components/${kind}/${name}`),
    );
    // Parts shared by several responses of one kind may exist before the first of them.
    expect(held.filter((pointer) => !pointers.includes(pointer))).toEqual([]);
  });

  it("has every endpoint once, with a name of its own", () => {
    const paths = document.paths as Record<string, Record<string, { operationId: string }>>;
    const listed = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
    );
    expect(listed.sort()).toEqual(routes.map(({ operation, method, path }) => `${operation} ${method} ${path}`).sort());
    expect(new Set(routes.map(({ operation }) => operation)).size).toBe(routes.length);
  });

  it("marks the required parameters of a query", () => {
    const required = (path: string): [string, boolean | undefined][] =>
      (at(path) as { name: string; required?: boolean }[]).map((each) => [each.name, each.required]);
    expect(required("#/paths/~1v1~1media/delete/parameters")).toEqual([["url", true]]);
    expect(new Map(required("#/paths/~1v1~1posts/get/parameters")).get("status")).toBeUndefined();
  });

  it("shows a list parameter as one value with commas", () => {
    const parameters = at("#/paths/~1v1~1posts/get/parameters") as { name: string }[];
    expect(parameters.find(({ name }) => name === "status")).toMatchObject({
      schema: { type: "array" },
      style: "form",
      explode: false,
    });
  });

  it("describes every field that a request may have", () => {
    const schemas = ["CreatePost", "RetryPost", "ConnectProfile"].map((name) => at(`#/components/schemas/${name}`));
    const fields = schemas.flatMap((schema) =>
      Object.entries((schema as { properties: Record<string, { description?: string }> }).properties),
    );
    expect(fields.length).toBeGreaterThan(12);
    expect(fields.filter(([, { description = "" }]) => description === "").map(([name]) => name)).toEqual([]);
  });

  it.each([
    ["ftp://a.example/x", false],
    ["http:a.example/x", false],
    ["https://a.example/x", true],
    ["HTTP://a.example/x", true],
  ])("accepts the URL %s exactly where the parser does", (address, isTaken) => {
    const { pattern, format } = at("#/components/schemas/CreatePost/properties/media/items/anyOf/0") as Record<
      string,
      string
    >;
    expect([new RegExp(pattern ?? "").test(address), format]).toEqual([isTaken, "uri"]);
    expect(createPostSchema.safeParse({ profile_ids: ["a"], media: [address] }).success).toBe(isTaken);
  });

  it("requires no field that a request may omit", () => {
    expect(at("#/components/schemas/CreatePost/required")).toEqual(["profile_ids"]);
    expect(text).not.toContain('"default":""');
    expect(at("#/components/schemas/RetryPost/required")).toBeUndefined();
  });
});

describe("GET /v1/openapi.json", () => {
  it("needs no key, and contains the base path", async () => {
    const { social } = createTestService();
    const handler = createHandler(social, { basePath: "/social" });
    const response = await handler(new Request(`${origin}/social/v1/openapi.json`));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    const served = (await response.json()) as { servers: unknown };
    expect(served).toEqual(document);
    expect(served.servers).toEqual([{ url: "/social" }]);
  });

  it("lists the networks that a request may name, and allows any in responses", async () => {
    const own = { ...bluesky(), spec: { ...bluesky().spec, network: "notes" } };
    const { social } = createTestService({ networks: [own, bluesky()] });
    const response = await createHandler(social)(new Request(`${origin}/v1/openapi.json`));
    const { components, paths } = (await response.json()) as Served;
    const { ConnectProfile, CreatePost, Post, Profile } = components.schemas;
    expect(ConnectProfile?.properties.network).toMatchObject({ enum: ["notes", "bluesky"] });
    expect(Object.keys(CreatePost?.properties.networks?.properties ?? {})).toEqual(["notes", "bluesky"]);
    const open = { pattern: networkIdPattern.source, examples: expect.arrayContaining(["mastodon"]) };
    expect(Profile?.properties.network).toMatchObject(open);
    expect(Post?.properties.targets).toMatchObject({ items: { properties: { network: open } } });
    const filter = paths["/v1/posts"].get.parameters.find(({ name }) => name === "network");
    expect(filter?.schema).toMatchObject({ items: open });
  });

  it.each([[undefined], [[]]])("allows any network where it knows none: %j", (networks) => {
    const { components } = openApiDocument({ basePath: "", networks }) as unknown as Served;
    const { ConnectProfile, CreatePost } = components.schemas;
    expect(ConnectProfile?.properties.network).toMatchObject({ pattern: networkIdPattern.source });
    expect(CreatePost?.properties.networks).toMatchObject({ propertyNames: { pattern: networkIdPattern.source } });
  });

  it("answers HEAD without a body, and any other method with 405", async () => {
    const { send } = await createRest();
    const head = await send("HEAD", "/v1/openapi.json", { key: null });
    expect([head.status, head.text]).toEqual([200, ""]);
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const { status, headers } = await send(method, "/v1/openapi.json", { key: null });
      expect([status, headers.get("allow")], method).toEqual([405, "GET, HEAD"]);
    }
  });
});

describe("the response check", () => {
  const check = createAnswerCheck(document);
  const error = { error: { code: "not_found", message: "No." } };

  it.each([
    ["a documented response", "GET", "/social/v1/posts/post_1", 404, error],
    ["an unknown path", "GET", "/social/v1/pots", 404, error],
    ["a wrong method", "PUT", "/social/v1/posts", 405, error],
    ["a response without a body", "DELETE", "/social/v1/profiles/prof_1", 204, undefined],
    ["a HEAD", "HEAD", "/social/v1/posts?limit=1", 200, undefined],
  ])("accepts %s", (_what, method, path, status, body) => {
    expect(check(method, path, status, body)).toEqual([]);
  });

  it.each([
    ["a status that is not documented", "GET", "/social/v1/networks", 418, error],
    ["an unknown code", "GET", "/social/v1/networks", 400, { error: { code: "oops", message: "No." } }],
    ["a missing field", "GET", "/social/v1/posts", 200, { data: [] }],
    ["a post without its fields", "GET", "/social/v1/posts/post_1", 200, { data: { id: "post_1" } }],
    ["a body where none is documented", "DELETE", "/social/v1/profiles/prof_1", 204, { data: null }],
    ["no body where one is documented", "GET", "/social/v1/networks", 200, undefined],
    ["an unknown path that is found", "GET", "/social/v1/pots", 200, { data: [] }],
    ["an unknown path without the envelope", "GET", "/social/v1/pots", 404, { message: "No." }],
  ])("detects %s", (_what, method, path, status, body) => {
    expect(check(method, path, status, body)).not.toEqual([]);
  });
});

it("the document shows where an idempotency key is accepted, and how a replay is marked", () => {
  const { paths } = openApiDocument({ basePath: "/social" }) as unknown as {
    paths: Record<string, Record<string, { parameters: { name: string }[]; responses: Record<string, Headed> }>>;
  };
  interface Headed {
    headers?: object;
  }
  for (const [path, status] of [
    ["/v1/posts", 200],
    ["/v1/posts/{postId}/retry", 200],
  ] as const) {
    const { parameters = [], responses = {} } = paths[path]?.post ?? {};
    expect(parameters.map(({ name }) => name)).toContain("Idempotency-Key");
    expect(responses[status]?.headers).toHaveProperty("Idempotent-Replay");
  }
});
