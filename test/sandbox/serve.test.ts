import { afterEach, beforeEach, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { remoteSandbox, type ServedSandbox, serveSandbox } from "../../src/sandbox/serve.ts";

let sandbox: Sandbox;
let served: ServedSandbox;
let http: typeof fetch;
let authorization: string;

beforeEach(async () => {
  sandbox = createSandbox();
  served = await serveSandbox(sandbox.http);
  http = remoteSandbox(served.url, fetch);
  authorization = `Bearer ${sandbox.mastodon.addAccount({ username: "alice" }).access_token}`;
});

afterEach(() => served.close());

function post(status: string): Promise<Response> {
  return http("https://mastodon.sandbox.example/api/v1/statuses", {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ status, visibility: "public" }),
  });
}

it("answers on loopback what it answers in the process, under the address that was meant", async () => {
  const response = await post("Hello");
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ content: "<p>Hello</p>" });
  expect(response.headers.get("x-ratelimit-limit")).not.toBeNull();
  expect(sandbox.mastodon.posts()).toHaveLength(1);
});

it("really breaks a connection that the failure script drops", async () => {
  sandbox.mastodon.faults.add({ kind: "drop_after", operation: "commit" });
  await expect(post("Hello")).rejects.toThrow("fetch failed");
  expect(sandbox.mastodon.posts()).toHaveLength(1);
});

it("really cuts a body in the middle", async () => {
  sandbox.mastodon.faults.add({ kind: "cut_body", operation: "commit" });
  const response = await post("Hello");
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
});

it("says that a request was never sent, as the caller's own machine would", async () => {
  sandbox.mastodon.faults.add({ kind: "not_sent", code: "ECONNREFUSED", operation: "commit" });
  await expect(post("Hello")).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
  expect(sandbox.mastodon.posts()).toEqual([]);
});

it("knows no other host", async () => {
  await expect(http("https://example.com/")).rejects.toMatchObject({ cause: { code: "ENOTFOUND" } });
});

it("says what is missing to somebody who just looks", async () => {
  const response = await fetch(served.url);
  expect(response.status).toBe(400);
  expect(await response.text()).toContain("x-sandbox-address");
});
