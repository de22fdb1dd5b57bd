import { afterEach, beforeEach, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { remoteSandbox, type ServedSandbox, serveSandbox } from "../../src/sandbox/serve.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";

let clock: ManualClock;
let sandbox: Sandbox;
let served: ServedSandbox;
let http: typeof fetch;
let authorization: string;

beforeEach(async () => {
  clock = manualClock();
  sandbox = createSandbox({ clock });
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

it("the server responds on loopback as in the process, with the intended URL", async () => {
  const response = await post("Hello");
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ content: "<p>Hello</p>" });
  expect(response.headers.get("x-ratelimit-limit")).not.toBeNull();
  expect(sandbox.mastodon.posts()).toHaveLength(1);
});

it("the server really breaks a connection that a fault drops", async () => {
  sandbox.mastodon.faults.add({ kind: "drop_after", operation: "commit" });
  await expect(post("Hello")).rejects.toThrow("fetch failed");
  expect(sandbox.mastodon.posts()).toHaveLength(1);
});

it("the server really cuts a body in the middle", async () => {
  sandbox.mastodon.faults.add({ kind: "cut_body", operation: "commit" });
  const response = await post("Hello");
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
});

it("the server really drips a body, piece by piece", async () => {
  sandbox.mastodon.faults.add({ kind: "drip", seconds: 3600, operation: "commit" });
  const response = await clock.run(() => post("Hello"));
  let pieces = 0;
  let text = "";
  await clock.run(async () => {
    for await (const piece of response.body ?? []) {
      pieces += 1;
      text += new TextDecoder().decode(piece);
    }
  });
  expect(pieces).toBeGreaterThan(1);
  expect(clock.monotonic()).toBe(3_600_000);
  expect(JSON.parse(text)).toMatchObject({ content: "<p>Hello</p>" });
});

it("the server really sends a huge body, for as long as the client reads", async () => {
  sandbox.mastodon.faults.add({ kind: "huge_body", bytes: 1_000_000_000_000, operation: "commit" });
  const response = await post("Hello");
  let length = 0;
  for await (const piece of response.body ?? []) {
    length += piece.length;
    if (length > 1_000_000) break;
  }
  expect(length).toBeGreaterThan(1_000_000);
  expect(sandbox.mastodon.posts()).toHaveLength(1);
});

it.each(["ECONNREFUSED", "UND_ERR_CONNECT_TIMEOUT"])(
  "the server reports that a request was never sent, like the caller's own machine: %s",
  async (code) => {
    sandbox.mastodon.faults.add({ kind: "not_sent", code, operation: "commit" });
    await expect(post("Hello")).rejects.toMatchObject({ cause: { code } });
    expect(sandbox.mastodon.posts()).toEqual([]);
  },
);

it("the server knows no other host", async () => {
  await expect(http("https://example.com/")).rejects.toMatchObject({ cause: { code: "NOT_SIMULATED" } });
});

it("the server names the missing header to a visitor", async () => {
  const response = await fetch(served.url);
  expect(response.status).toBe(400);
  expect(await response.text()).toContain("x-sandbox-address");
});
