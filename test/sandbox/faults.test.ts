import { describe, expect, it } from "vitest";
import { applyFault, type FaultKind } from "../../src/sandbox/faults.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";

const answer = { id: "1", text: "x".repeat(100) };

interface Struck {
  clock: ManualClock;
  /** True: the network carried out the request. */
  isDone(): boolean;
  response: Promise<Response>;
}

function strike(fault: FaultKind, options: { signal?: AbortSignal; status?: number } = {}): Struck {
  const clock = manualClock();
  let done = false;
  const response = applyFault({
    fault,
    clock,
    signal: options.signal ?? new AbortController().signal,
    async answer() {
      done = true;
      const { status = 200 } = options;
      const headers = { "x-network": "here", "content-type": "application/json" };
      return new Response(status === 204 ? null : JSON.stringify(answer), { status, headers });
    },
  });
  return { clock, response, isDone: () => done };
}

describe("a dripping response", () => {
  it("has its head immediately and its body in small pieces, and is complete when the time is up", async () => {
    const { clock, response, isDone } = strike({ kind: "drip", seconds: 60 });
    const { status, headers, body } = await clock.run(() => response);
    expect(isDone()).toBe(true);
    expect(status).toBe(200);
    expect(headers.get("x-network")).toBe("here");
    expect(clock.monotonic()).toBe(0);
    const pieces: Uint8Array[] = [];
    await clock.run(async () => {
      for await (const piece of body ?? []) pieces.push(piece);
    });
    expect(clock.monotonic()).toBe(60_000);
    expect(pieces.length).toBeGreaterThan(10);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(20);
    expect(JSON.parse(Buffer.concat(pieces).toString())).toEqual(answer);
  });

  it("ends when the caller aborts", async () => {
    const caller = new AbortController();
    const { clock, response } = strike({ kind: "drip", seconds: 60 }, { signal: caller.signal });
    const text = response.then((each) => each.text());
    const failed = expect(text).rejects.toThrow("enough");
    await clock.advance(10_000);
    caller.abort(new Error("enough"));
    await failed;
  });
});

describe("a huge response", () => {
  it("is the network's own, only longer", async () => {
    const { response, isDone } = strike({ kind: "huge_body", bytes: 1_000_000 });
    const text = await (await response).text();
    expect(isDone()).toBe(true);
    expect(text.length).toBeGreaterThan(1_000_000);
    expect(text.length).toBeLessThan(1_100_000);
    expect(JSON.parse(text)).toEqual(answer);
  });

  it("is generated only as far as it is read", async () => {
    const { response } = strike({ kind: "huge_body", bytes: 1_000_000_000_000 });
    const reader = (await response).body?.getReader();
    for (let piece = 0; piece < 3; piece++) expect((await reader?.read())?.done).toBe(false);
    await reader?.cancel();
  });
});

it.each<FaultKind>([{ kind: "drip", seconds: 60 }, { kind: "huge_body", bytes: 10 }, { kind: "cut_body" }])(
  "a response without a body stays unchanged: $kind",
  async (fault) => {
    const response = await strike(fault, { status: 204 }).response;
    expect(response.status).toBe(204);
    expect(await response.text()).toBe("");
  },
);

it("a connection that times out fails as in Node", async () => {
  const { response, isDone } = strike({ kind: "not_sent", code: "UND_ERR_CONNECT_TIMEOUT" });
  await expect(response).rejects.toMatchObject({
    message: "fetch failed",
    cause: { code: "UND_ERR_CONNECT_TIMEOUT" },
  });
  expect(isDone()).toBe(false);
});
