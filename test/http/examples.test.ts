import { expect, it } from "vitest";
import { openApiDocument } from "../../src/http/openapi/document.ts";
import { examples } from "../../src/http/openapi/examples.ts";
import { failureExamples } from "../../src/http/openapi/failure-examples.ts";
import { responses } from "../../src/http/openapi/schemas.ts";
import { type Ids, idPrefixes } from "../../src/ports/ids.ts";
import type { Post } from "../../src/publishing/schema.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { png } from "../media/samples.ts";
import { createRest, type Rest, stalling } from "./rest.ts";

type Operation = {
  requestBody?: { content: { "application/json": { example: Record<string, unknown> } } };
  responses: Record<string, { content?: { "application/json": { example?: unknown } } }>;
};
const document = openApiDocument({ basePath: "" });
const paths = document.paths as unknown as Record<string, Record<string, Operation>>;

/** What the document says to send to an endpoint. */
function sentTo(path: string, method = "post"): Record<string, unknown> {
  const example = paths[path]?.[method]?.requestBody?.content["application/json"].example;
  if (example === undefined) throw new Error(`${path} has no example.`);
  return example;
}

/** What the document shows as the answer. */
function shownOf(method: string, path: string, status: number): unknown {
  return paths[path]?.[method]?.responses[status]?.content?.["application/json"].example;
}

/** The ids that the examples name, so that every run makes them again. */
function exampleIds(): Ids {
  const made = new Map<string, number>();
  const next = (kind: string): number => {
    const count = made.get(kind) ?? 0;
    made.set(kind, count + 1);
    return count;
  };
  return {
    create: (kind) => `${idPrefixes[kind]}01kakdx7e8x1p5v4k9q2m3n6r${(7 + next(kind)).toString(32)}`,
    bytes(length) {
      const run = next("bytes");
      return Uint8Array.from({ length }, (_, index) => index * 7 + run);
    },
  };
}

interface World extends Rest {
  isCovered: boolean;
}

/** A service in which everything exists that the examples speak of. */
async function exampleWorld(): Promise<World> {
  const state = { isCovered: true };
  const rest = await createRest({ ids: exampleIds(), entitlements: () => state.isCovered });
  rest.sandbox.bluesky.addAccount({ handle: "alice.sandbox.example", password: "abcd-efgh-ijkl-mnop" });
  rest.sandbox.media.put("hills.png", png(1_200, 800), { contentType: "image/png" });
  return Object.assign(state, rest);
}

it("shows requests that work as they stand, and the answers they get", async () => {
  const { send } = await exampleWorld();
  const connected = await send("POST", "/v1/profiles/connect", { json: sentTo("/v1/profiles/connect") });
  expect([connected.status, connected.body]).toEqual([201, shownOf("post", "/v1/profiles/connect", 201)]);

  const planned = await send("POST", "/v1/posts/validate", { json: sentTo("/v1/posts/validate") });
  expect([planned.status, planned.body]).toEqual([200, shownOf("post", "/v1/posts/validate", 200)]);

  const created = await send("POST", "/v1/posts", { json: sentTo("/v1/posts") });
  expect([created.status, created.body]).toEqual([201, shownOf("post", "/v1/posts", 201)]);
  const replayed = await send("POST", "/v1/posts", { json: sentTo("/v1/posts") });
  expect([replayed.status, replayed.body]).toEqual([200, shownOf("post", "/v1/posts", 200)]);

  const { id: postId } = examples.post;
  const [profileId] = sentTo("/v1/posts").profile_ids as string[];
  for (const [template, path] of [
    ["/v1/posts", "/v1/posts"],
    ["/v1/posts/{postId}", `/v1/posts/${postId}`],
    ["/v1/profiles", "/v1/profiles"],
    ["/v1/profiles/{profileId}", `/v1/profiles/${profileId}`],
  ] as const) {
    expect((await send("GET", path)).body, path).toEqual(shownOf("get", template, 200));
  }
  expect((await send("GET", "/v1/networks")).body.data).toContainEqual(examples.network);
});

it("shows a retry that works as it stands", async () => {
  const { send, sandbox } = await exampleWorld();
  await send("POST", "/v1/profiles/connect", { json: sentTo("/v1/profiles/connect") });
  const answer = { status: 400, json: { error: "InvalidRequest", message: "No." } };
  sandbox.bluesky.faults.add({ kind: "refuse", answer, operation: "commit" });
  const failed = await send("POST", "/v1/posts", { json: sentTo("/v1/posts") });
  const { id, status } = failed.body.data as Post;
  expect(status).toBe("failed");
  const retried = await send("POST", `/v1/posts/${id}/retry`, { json: sentTo("/v1/posts/{postId}/retry") });
  expect(retried.body.data).toMatchObject({ id, status: "published" });
});

it("shows what webhooks are asked and answer", async () => {
  const { send, social, clock } = await exampleWorld();
  await send("POST", "/v1/profiles/connect", { json: sentTo("/v1/profiles/connect") });
  const created = await send("POST", "/v1/webhooks", { json: sentTo("/v1/webhooks") });
  expect([created.status, created.body]).toEqual([201, shownOf("post", "/v1/webhooks", 201)]);
  await send("POST", "/v1/posts", { json: sentTo("/v1/posts") });
  await clock.run(() => social.runDue());

  const path = `/v1/webhooks/${examples.webhook.id}`;
  const template = "/v1/webhooks/{webhookId}";
  expect((await send("GET", "/v1/webhooks")).body).toEqual(shownOf("get", "/v1/webhooks", 200));
  expect((await send("GET", path)).body).toEqual(shownOf("get", template, 200));
  const log = await send("GET", `${path}/deliveries`);
  expect(log.body).toEqual(shownOf("get", `${template}/deliveries`, 200));
  const changed = await send("PATCH", path, { json: sentTo(template, "patch") });
  expect(changed.body).toEqual(shownOf("patch", template, 200));
  const tested = await send("POST", `${path}/test`);
  expect(tested.body).toEqual(shownOf("post", `${template}/test`, 200));
  const rotated = await send("POST", `${path}/secret`, { json: sentTo(`${template}/secret`) });
  expect(rotated.body).toEqual(shownOf("post", `${template}/secret`, 200));
  const retried = await send("POST", `${path}/deliveries/${examples.delivery.id}/retry`);
  expect(retried.body.data).toMatchObject({ id: examples.delivery.id, status: "pending" });
});

it("shows failures as they are", async () => {
  expect(await failuresOf(await exampleWorld())).toEqual(failureExamples);
});

it.each(responses.map(({ schema, example }) => [schema.meta()?.id, schema, example] as const))(
  "shows every field of %s that an answer has",
  (_, schema, example) => {
    expect(schema.safeParse(example)).toMatchObject({ success: true });
  },
);

it("has an example for every request and every answer with a body", () => {
  const without = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody, responses }]) => [
      ...(requestBody !== undefined && requestBody.content["application/json"].example === undefined
        ? [`${method} ${path}`]
        : []),
      ...Object.entries(responses)
        .filter(([, { content }]) => content !== undefined && content["application/json"].example === undefined)
        .map(([status]) => `${method} ${path} ${status}`),
    ]),
  );
  expect(without).toEqual([]);
  const { responses } = document.components as unknown as { responses: Operation["responses"] };
  expect(
    Object.entries(responses).filter(([, { content }]) => content?.["application/json"].example === undefined),
  ).toEqual([]);
});

/** One failure of each status, provoked. */
async function failuresOf(world: World): Promise<Record<number, unknown>> {
  const { send, social, sandbox, clock } = world;
  const example = sentTo("/v1/posts");
  await send("POST", "/v1/profiles/connect", { json: sentTo("/v1/profiles/connect") });
  const { body } = await send("POST", "/v1/posts", { json: example });
  const { id } = body.data as Post;
  const [profileId] = example.profile_ids as string[];
  const reader = (await social.keys.create({ scopes: ["read"] })).key;
  const { idempotency_key: _, ...unkeyed } = example;

  const answers = [
    await send("POST", "/v1/posts", { json: { ...unkeyed, text: "Hills, ".repeat(50) } }),
    await send("GET", "/v1/posts", { key: null }),
    await send("POST", "/v1/posts", { json: example, key: reader }),
    await send("GET", "/v1/posts/post_01kakdx7e8x1p5v4k9q2m3n6rz"),
    await send("POST", `/v1/posts/${id}/retry`),
    await send("POST", "/v1/posts", { raw: stalling('{"text":"Three rows ') }),
    await send("POST", "/v1/posts", { raw: "x".repeat(2_000_000) }),
    await send("POST", "/v1/posts", { raw: "text", headers: { "content-type": "text/plain" } }),
  ];
  world.isCovered = false;
  answers.push(await send("POST", "/v1/posts", { json: unkeyed }));
  sandbox.bluesky.faults.add({ kind: "not_sent", code: "ECONNREFUSED", times: 100 });
  answers.push(await send("POST", `/v1/profiles/${profileId}/check`));
  await clock.advance(30_000);
  for (let sent = 0; sent < 120; sent++) await send("GET", "/v1/networks");
  answers.push(await send("GET", "/v1/networks"));
  answers.push(await faultOfOurs());
  return Object.fromEntries(answers.map(({ status, body: failure }) => [status, failure]));
}

async function faultOfOurs() {
  const clock = manualClock();
  const { send } = await createRest({
    clock,
    storage: { ...memoryStorage({ clock }), increment: () => Promise.reject(new Error("disk full")) },
  });
  return send("GET", "/v1/posts");
}
