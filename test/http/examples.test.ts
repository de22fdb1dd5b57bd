import { join } from "node:path";
import { expect, it } from "vitest";
import { openApiDocument } from "../../src/http/openapi/document.ts";
import examples from "../../src/http/openapi/examples.json" with { type: "json" };
import { responses } from "../../src/http/openapi/schemas.ts";
import type { Post } from "../../src/publishing/schema.ts";
import { root } from "../support/documents.ts";
import { exampleWorld, recordExamples, sentTo } from "./recorded-examples.ts";

type Operation = {
  requestBody?: { content: { "application/json": { example: Record<string, unknown> } } };
  responses: Record<string, { content?: { "application/json": { example?: unknown } } }>;
};
const document = openApiDocument({ basePath: "" });
const paths = document.paths as unknown as Record<string, Record<string, Operation>>;

// `npm run docs:check -- -u` records them.
it("the document shows the responses of simulated networks", async () => {
  const recorded = `${JSON.stringify(await recordExamples(), null, 2)}\n`;
  await expect(recorded).toMatchFileSnapshot(join(root, "src/http/openapi/examples.json"));
});

it("the document shows every kind of response, with every field that it has", () => {
  const ids = responses.map((schema) => schema.meta()?.id).filter((id) => id !== "Error");
  expect(Object.keys(examples.answers).sort()).toEqual(ids.sort());
});

it("the document shows a retry that works unchanged", async () => {
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

it("the document shows updates that work unchanged", async () => {
  const { send, social, clock } = await exampleWorld();
  await send("POST", "/v1/profiles/connect", { json: sentTo("/v1/profiles/connect") });
  await send("POST", "/v1/webhooks", { json: sentTo("/v1/webhooks") });
  await send("POST", "/v1/posts", { json: sentTo("/v1/posts") });
  const replayed = await send("POST", "/v1/posts", { json: sentTo("/v1/posts") });
  expect([replayed.status, replayed.body.data]).toEqual([200, examples.answers.Post]);
  await clock.run(() => social.runDue());
  const { Webhook, Delivery } = examples.answers;
  const path = `/v1/webhooks/${Webhook.id}`;
  const changed = await send("PATCH", path, { json: sentTo("/v1/webhooks/{webhookId}", "patch") });
  expect(changed.body.data).toEqual(Webhook);
  const again = await send("POST", `${path}/deliveries/${Delivery.id}/retry`);
  expect(again.body.data).toMatchObject({ id: Delivery.id, status: "pending" });
});

it("the document has an example for every request and every response with a body", () => {
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
