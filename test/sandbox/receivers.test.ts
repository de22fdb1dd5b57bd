import { beforeEach, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";

let clock: ManualClock;
let sandbox: Sandbox;

beforeEach(() => {
  clock = manualClock();
  sandbox = createSandbox({ clock });
});

const headers = {
  "content-type": "application/json",
  "user-agent": "postrider/1.0.0 (+https://example.com)",
  "service-event": "post.published",
  "service-delivery": "dlv_1",
  "service-webhook-id": "wh_1",
  "service-signature": "t=1,v1=00",
};

const send = (name: string, init: RequestInit = {}): Promise<Response> =>
  sandbox.untrustedHttp(sandbox.receivers.url(name), { method: "POST", headers, body: '{"a":"🦊"}', ...init });

describe("a simulated receiver", () => {
  it("accepts a delivery with 200, and stores it unchanged", async () => {
    await clock.advance(5);
    const response = await send("a");
    expect([response.status, await response.text()]).toEqual([200, "taken"]);
    expect(sandbox.receivers.deliveries()).toEqual([
      {
        receiver: "a",
        id: "dlv_1",
        event: "post.published",
        webhook_id: "wh_1",
        signature: "t=1,v1=00",
        body: '{"a":"🦊"}',
        at: clock.now(),
      },
    ]);
  });

  it("is one of any number, with any name", async () => {
    for (const name of ["a", "b c/d?", "ä"]) await send(name);
    expect(sandbox.receivers.deliveries().map(({ receiver }) => receiver)).toEqual(["a", "b c/d?", "ä"]);
    expect(sandbox.receivers.deliveries("ä")).toHaveLength(1);
    expect(sandbox.receivers.deliveries("nobody")).toEqual([]);
  });

  it("counts a repeated delivery again", async () => {
    await send("a");
    await send("a");
    expect(sandbox.receivers.deliveries("a").map(({ id }) => id)).toEqual(["dlv_1", "dlv_1"]);
  });

  it.each<[string, RequestInit, string]>([
    ["a GET", { method: "GET", body: null }, "not a POST"],
    ["a PUT", { method: "PUT" }, "not a POST"],
    ["another content type", { headers: { ...headers, "content-type": "text/plain" } }, "not application/json"],
    ["another sender", { headers: { ...headers, "user-agent": "curl/8" } }, "from somebody else"],
    ...Object.keys(headers)
      .filter((name) => name.startsWith("service-"))
      .map((name): [string, RequestInit, string] => [
        `no ${name}`,
        { headers: Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name)) },
        `without ${name}`,
      ]),
  ])("rejects a request that is not a delivery: %s", async (_, init, reason) => {
    const response = await send("a", init);
    expect([response.status, await response.text()]).toEqual([400, reason]);
    expect(sandbox.receivers.deliveries()).toEqual([]);
  });

  it("fails by a fault that names it, and no other receiver does", async () => {
    sandbox.receivers.faults.add({ kind: "refuse", answer: { status: 503 }, operation: "a", times: 2 });
    const statuses = [];
    for (const name of ["a", "b", "a", "a"]) statuses.push((await send(name)).status);
    expect(statuses).toEqual([503, 200, 503, 200]);
  });

  it("stores a delivery that it does not respond to, if the fault says so", async () => {
    sandbox.receivers.faults.add({ kind: "drop_after", operation: "a" });
    await expect(send("a")).rejects.toThrow("fetch failed");
    expect(sandbox.receivers.deliveries("a")).toHaveLength(1);
  });

  it("hangs until the sender aborts", async () => {
    sandbox.receivers.faults.add({ kind: "hang", operation: "a" });
    const caller = new AbortController();
    const pending = send("a", { signal: caller.signal });
    await clock.advance(3_600_000);
    caller.abort(new Error("enough"));
    await expect(pending).rejects.toThrow("enough");
    expect(sandbox.receivers.deliveries()).toEqual([]);
  });
});
