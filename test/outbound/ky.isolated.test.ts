import ky, { type KyInstance } from "ky";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createOutbound, type Exchange, type Outbound } from "../../src/outbound/http.ts";
import type * as Loader from "../../src/outbound/ky.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { manualClock } from "../../src/testing/clock.ts";

const load = vi.hoisted(() => vi.fn<() => Promise<KyInstance>>());
vi.mock("../../src/outbound/ky.ts", () => ({ loadKy: load }));

const exchange: Exchange = {
  method: "POST",
  url: "https://network.example/posts",
  headers: {},
  trust: "fixed",
  hardEndMs: 20_000,
};

const missing = Object.assign(new Error("Cannot find package 'ky'"), { code: "ERR_MODULE_NOT_FOUND" });

let sent: string[];
let clock: Clock & { timeIsOver(): void };
let outbound: Outbound;

beforeEach(() => {
  load.mockReset();
  sent = [];
  clock = handClock();
  outbound = createOutbound({ http, untrustedHttp: http, clock });
});

/** A `fetch` that ignores its signal. */
const http: typeof fetch = async (input) => {
  sent.push(String(input));
  return Response.json({ ok: true });
};

describe("a request that needs ky loaded first", () => {
  it("waits for it", async () => {
    const loading = gate<KyInstance>();
    load.mockReturnValue(loading.opened);
    const answer = outbound.send(exchange);
    await turn();
    expect(sent).toEqual([]);
    loading.open(ky);
    expect(await answer).toMatchObject({ status: 200, body: { ok: true } });
    expect(sent).toEqual([exchange.url]);
  });

  it("counts as not sent if ky does not load", async () => {
    load.mockRejectedValueOnce(missing).mockResolvedValue(ky);
    await expect(outbound.send(exchange)).rejects.toMatchObject({ kind: "not_sent", cause: { cause: missing } });
    expect(sent).toEqual([]);
    expect(await outbound.send(exchange)).toMatchObject({ status: 200 });
  });

  it("is not sent after its deadline", async () => {
    const loading = gate<KyInstance>();
    load.mockReturnValue(loading.opened);
    const answer = outbound.send(exchange);
    clock.timeIsOver();
    await expect(answer).rejects.toMatchObject({ kind: "timeout" });
    loading.open(ky);
    await turn();
    expect(sent).toEqual([]);
  });
});

describe("a manual clock", () => {
  it.each(["run", "advance"] as const)("stands still while ky is loaded: %s", async (moved) => {
    const loading = gate<KyInstance>();
    load.mockReturnValue(loading.opened);
    const manual = manualClock();
    const { send } = createOutbound({ http, untrustedHttp: http, clock: manual });
    const answer = moved === "run" ? manual.run(() => send(exchange)) : send(exchange);
    answer.catch(() => undefined);
    if (moved === "advance") void manual.advance(exchange.hardEndMs);
    for (let turns = 0; turns < 20; turns++) await turn();
    loading.open(ky);
    expect(await answer).toMatchObject({ status: 200 });
  });
});

describe("loadKy", () => {
  afterEach(() => vi.doUnmock("ky"));

  it("loads it once", async () => {
    const { loadKy } = await vi.importActual<typeof Loader>("../../src/outbound/ky.ts");
    expect(loadKy()).toBe(loadKy());
    expect(await loadKy()).toBe(ky);
  });

  it("retries after a failed load", async () => {
    vi.resetModules();
    vi.doMock("ky", () => Promise.reject(missing));
    const { loadKy } = await vi.importActual<typeof Loader>("../../src/outbound/ky.ts");
    await expect(loadKy()).rejects.toThrow();
    vi.doUnmock("ky");
    expect(await loadKy()).toBeTypeOf("function");
  });
});

/** A clock that stands still until a call lets all time pass. */
function handClock(): Clock & { timeIsOver(): void } {
  const over = gate<void>();
  return { now: () => 0, monotonic: () => 0, sleep: () => over.opened, timeIsOver: over.open };
}

interface Gate<Value> {
  opened: Promise<Value>;
  open(value: Value): void;
}

function gate<Value>(): Gate<Value> {
  let open: Gate<Value>["open"] = () => expect.unreachable();
  const opened = new Promise<Value>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
