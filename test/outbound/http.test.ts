import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { CalledOff, createOutbound, type Exchange, TransportFailure } from "../../src/outbound/http.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";

const hardEndMs = 30_000;
const url = "https://network.example/posts";

interface Seen {
  url: string;
  init: RequestInit;
}

interface Bench {
  clock: ManualClock;
  seen: Seen[];
  send(given?: Partial<Exchange>): ReturnType<ReturnType<typeof createOutbound>["send"]>;
}

type Answer = (seen: Seen, clock: ManualClock) => Response | Promise<Response>;

function bench(answer: Answer = () => Response.json({ ok: true })): Bench {
  const clock = manualClock();
  const seen: Seen[] = [];
  const http: typeof fetch = async (input, init = {}) => {
    const entry = { url: String(input), init };
    seen.push(entry);
    return answer(entry, clock);
  };
  const outbound = createOutbound({ http, untrustedHttp: http, clock });
  return {
    clock,
    seen,
    send: (given) =>
      clock.run(() => outbound.send({ method: "GET", url, headers: {}, trust: "fixed", hardEndMs, ...given })),
  };
}

/** The error that sending fails with. */
async function failureOf(given: Bench, exchange?: Partial<Exchange>): Promise<TransportFailure> {
  const failure = await given.send(exchange).then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );
  if (!(failure instanceof TransportFailure)) throw failure;
  return failure;
}

function fetchFailed(cause: unknown): TypeError {
  return new TypeError("fetch failed", { cause });
}

function coded(code: string): Error {
  return Object.assign(new Error(`simulated ${code}`), { code });
}

/** A body of these chunks, each after `pauseMs`. */
function dripping(clock: ManualClock, chunks: readonly Uint8Array[], pauseMs: number): ReadableStream<Uint8Array> {
  let index = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      await clock.sleep(pauseMs);
      const chunk = chunks[index++];
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
  });
}

describe("an exchange", () => {
  it("returns status, headers and the parsed body", async () => {
    const answer = () => Response.json({ id: "1" }, { status: 201, headers: { "x-limit": "5" } });
    const response = await bench(answer).send();
    expect(response).toMatchObject({ status: 201, body: { id: "1" } });
    expect(response.headers.get("x-limit")).toBe("5");
  });

  it.each([400, 404, 429, 500, 503])("returns a %i like any other response, and sends once", async (status) => {
    const given = bench(() => Response.json({ error: "no" }, { status, headers: { "retry-after": "1" } }));
    expect(await given.send()).toMatchObject({ status, body: { error: "no" } });
    expect(given.seen).toHaveLength(1);
  });

  it("follows no redirect", async () => {
    const answer = () => new Response(null, { status: 302, headers: { location: "https://elsewhere.example/" } });
    const given = bench(answer);
    expect(await given.send()).toMatchObject({ status: 302, body: null });
    expect(given.seen).toHaveLength(1);
    expect(given.seen[0]?.init.redirect).toBe("manual");
  });

  it.each([
    ["a page", "<html></html>"],
    ["an empty response", ""],
    ["truncated JSON", '{"id": "1'],
  ])("reads %s as no body", async (_, text) => {
    expect((await bench(() => new Response(text)).send()).body).toBeNull();
  });

  it("reads a response without a body", async () => {
    expect(await bench(() => new Response(null, { status: 204 })).send()).toMatchObject({ status: 204, body: null });
  });

  it("decodes a character that is split between two chunks", async () => {
    const bytes = new TextEncoder().encode('{"text":"ü"}');
    const answer: Answer = (_, clock) => new Response(dripping(clock, [bytes.slice(0, 10), bytes.slice(10)], 1));
    expect((await bench(answer).send()).body).toEqual({ text: "ü" });
  });

  it("sends a body of bytes with its length, method and headers", async () => {
    const given = bench();
    const body = { contentType: "application/json", content: new TextEncoder().encode("{}") };
    await given.send({ method: "POST", headers: { "idempotency-key": "k" }, body });
    const { init } = given.seen[0] ?? expect.unreachable();
    expect(init).toMatchObject({ method: "POST", body: body.content });
    const headers = new Headers(init.headers);
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("content-length")).toBe("2");
    expect(headers.get("idempotency-key")).toBe("k");
    expect(headers.get("accept")).toBe("application/json");
    expect(headers.get("user-agent")).toContain("postrider");
  });

  it("sends a streamed body without reading it first, with its announced length", async () => {
    const given = bench();
    const stream = new Blob(["abc"]).stream();
    await given.send({ method: "POST", body: { contentType: "video/mp4", content: { stream, sizeBytes: 3 } } });
    const { init } = given.seen[0] ?? expect.unreachable();
    expect(init).toMatchObject({ body: stream, duplex: "half" });
    expect(stream.locked).toBe(false);
    expect(new Headers(init.headers).get("content-length")).toBe("3");
  });

  it.each(["fixed", "guarded"] as const)("uses the fetch for %s hosts", async (trust) => {
    const used: string[] = [];
    const via =
      (name: string): typeof fetch =>
      async () => {
        used.push(name);
        return new Response();
      };
    const clock = manualClock();
    const outbound = createOutbound({ http: via("fixed"), untrustedHttp: via("guarded"), clock });
    await outbound.send({ method: "GET", url, headers: {}, trust, hardEndMs });
    expect(used).toEqual([trust]);
  });
});

describe("the deadline", () => {
  it("ends a request without a response, even if its fetch ignores the signal", async () => {
    const given = bench(() => new Promise<Response>(() => {}));
    const failure = await failureOf(given);
    expect(failure).toMatchObject({ kind: "timeout", message: "network.example did not respond within 30 s." });
    expect(given.clock.monotonic()).toBe(hardEndMs);
    expect(given.seen[0]?.init.signal?.aborted).toBe(true);
  });

  it("ends a request whose fetch ends at its signal", async () => {
    const answer: Answer = ({ init }) =>
      new Promise((_, reject) => {
        init.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      });
    expect((await failureOf(bench(answer))).kind).toBe("timeout");
  });

  it("ends a response whose body never arrives", async () => {
    const given = bench(() => new Response(new ReadableStream()));
    expect((await failureOf(given)).kind).toBe("timeout");
    expect(given.clock.monotonic()).toBe(hardEndMs);
  });

  it("counts from the call: a slow drip does not extend it", async () => {
    const chunks = Array.from({ length: 100 }, () => Uint8Array.of(32));
    const given = bench((_, clock) => new Response(dripping(clock, chunks, 1_000)));
    expect((await failureOf(given)).kind).toBe("timeout");
    expect(given.clock.monotonic()).toBe(hardEndMs);
  });

  it("covers head and body together", async () => {
    const answer: Answer = async (_, clock) => {
      await clock.sleep(20_000);
      return new Response(dripping(clock, [Uint8Array.of(32)], 20_000));
    };
    expect((await failureOf(bench(answer))).kind).toBe("timeout");
  });

  it("does not affect a response that ends just in time, and leaves no timer behind", async () => {
    const answer: Answer = async (_, clock) => {
      await clock.sleep(hardEndMs - 1);
      return Response.json("just");
    };
    const given = bench(answer);
    expect((await given.send()).body).toBe("just");
    await given.clock.advance(hardEndMs);
    expect(given.seen[0]?.init.signal?.aborted).toBe(false);
  });
});

describe("an incomplete response", () => {
  it("fails as unknown if it is truncated", async () => {
    const cut = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"id":'));
        controller.error(coded("ECONNRESET"));
      },
    });
    const failure = await failureOf(bench(() => new Response(cut)));
    expect(failure).toMatchObject({ kind: "unknown", message: "The connection to network.example broke off." });
  });

  it("fails as unknown even if its error looks like a failed connection", async () => {
    const cut = new ReadableStream({ start: (controller) => controller.error(coded("UND_ERR_SOCKET")) });
    expect((await failureOf(bench(() => new Response(cut)))).kind).toBe("unknown");
  });

  it.each([
    ["guarded", 1],
    ["fixed", 4],
  ] as const)("fails as unknown beyond its limit, and is read no further (%s: %i MiB)", async (trust, mebibytes) => {
    let chunks = 0;
    let isCancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        chunks += 1;
        controller.enqueue(new Uint8Array(1024 * 1024));
      },
      cancel() {
        isCancelled = true;
      },
    });
    expect(
      (
        await failureOf(
          bench(() => new Response(endless)),
          { trust },
        )
      ).kind,
    ).toBe("unknown");
    expect(chunks).toBeLessThanOrEqual(mebibytes + 2);
    expect(isCancelled).toBe(true);
    const text = `"${"a".repeat(mebibytes * 1024 * 1024 - 2)}"`;
    expect((await bench(() => new Response(text)).send({ trust })).body).toHaveLength(text.length - 2);
  });
});

describe("the callback before sending", () => {
  it("runs directly before the request is sent", async () => {
    const order: string[] = [];
    const given = bench(() => {
      order.push("sent");
      return new Response();
    });
    await given.send({ beforeSending: () => order.push("checked") });
    expect(order).toEqual(["checked", "sent"]);
  });

  it("can cancel the request", async () => {
    const given = bench();
    const failure = await failureOf(given, {
      beforeSending: () => {
        throw new CalledOff("too late");
      },
    });
    expect(failure.kind).toBe("not_sent");
    expect(given.seen).toEqual([]);
  });
});

describe("a request that was never sent", () => {
  it.each([
    "ENOTFOUND",
    "EAI_AGAIN",
    "ECONNREFUSED",
    "EHOSTUNREACH",
    "ENETUNREACH",
    "UND_ERR_CONNECT_TIMEOUT",
    "CONNECT_TIMEOUT",
    "ADDRESS_REFUSED",
    "CERT_HAS_EXPIRED",
    "CERT_NOT_YET_VALID",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_GET_ISSUER_CERT",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  ])("is recognized by %s", async (code) => {
    const failure = await failureOf(bench(() => Promise.reject(fetchFailed(coded(code)))));
    expect(failure).toMatchObject({
      kind: "not_sent",
      message: expect.stringMatching(
        /^(?:network\.example could not be reached[ .]|The hostname network\.example did not resolve\.$)/,
      ),
    });
  });

  it("is recognized if all addresses failed", async () => {
    const all = new AggregateError([coded("ECONNREFUSED"), coded("ENETUNREACH")]);
    expect((await failureOf(bench(() => Promise.reject(fetchFailed(all))))).kind).toBe("not_sent");
  });
});

describe("a request that may have been sent", () => {
  it.each([
    "ECONNRESET",
    "EPIPE",
    "ETIMEDOUT",
    "ECONNABORTED",
    "UND_ERR_SOCKET",
    "UND_ERR_HEADERS_TIMEOUT",
    "UND_ERR_BODY_TIMEOUT",
    "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH",
    "HPE_INVALID_CONSTANT",
    "ERR_SSL_WRONG_VERSION_NUMBER",
    "REDIRECT_FAILED",
    "REDIRECT_REFUSED",
    "EPROTO",
    "",
  ])("is unknown after %s", async (code) => {
    expect((await failureOf(bench(() => Promise.reject(fetchFailed(coded(code)))))).kind).toBe("unknown");
  });

  it.each([
    ["a TypeError without a cause", fetchFailed(undefined)],
    ["an error of any other kind", new Error("ECONNREFUSED")],
    ["a value that is not an error", "ECONNREFUSED"],
    ["nothing", undefined],
    ["an aggregate with one ambiguous part", new AggregateError([coded("ECONNREFUSED"), coded("ECONNRESET")])],
    [
      "such an aggregate with the code of its first part, as in Node",
      Object.assign(new AggregateError([coded("ECONNREFUSED"), coded("ETIMEDOUT")]), { code: "ECONNREFUSED" }),
    ],
    ["an empty aggregate", new AggregateError([])],
    ["a code that is not a string", Object.assign(new Error("odd"), { code: 111 })],
  ])("is unknown after %s", async (_, cause) => {
    expect((await failureOf(bench(() => Promise.reject(cause)))).kind).toBe("unknown");
    expect((await failureOf(bench(() => Promise.reject(fetchFailed(cause))))).kind).toBe("unknown");
  });

  it.each(["EHOSTUNREACH", "ENETUNREACH"])("is unknown after %s in the middle of the exchange", async (code) => {
    for (const syscall of ["read", "write"]) {
      const cause = Object.assign(coded(code), { syscall });
      expect((await failureOf(bench(() => Promise.reject(fetchFailed(cause))))).kind).toBe("unknown");
    }
    const refused = Object.assign(coded(code), { syscall: "connect" });
    expect((await failureOf(bench(() => Promise.reject(fetchFailed(refused))))).kind).toBe("not_sent");
  });

  it("is unknown if causes form a circle", async () => {
    const circle = new Error("round");
    circle.cause = circle;
    expect((await failureOf(bench(() => Promise.reject(circle)))).kind).toBe("unknown");
  });
});

describe("a network's echo of the request", () => {
  const headers = { authorization: "Bearer canary-token" };
  const given = { headers, secrets: ["canary-password"], url: `https://network.example/${"canary".repeat(6)}/x` };
  const said = { error: `no canary-token, canary-password or ${"canary".repeat(6)}`, list: [["canary-token"]] };

  it("has no secrets in a refusal", async () => {
    const { body } = await bench(() => Response.json(said, { status: 401 })).send(given);
    expect(body).toEqual({ error: "no [secret], [secret] or [secret]", list: [["[secret]"]] });
  });

  it("stays unchanged in a success, which may contain the next credentials", async () => {
    expect((await bench(() => Response.json(said)).send(given)).body).toEqual(said);
  });

  it("has no secrets in a fetch error and its causes", async () => {
    const socket = Object.assign(coded("ECONNRESET"), { request: { headers }, syscall: "read" });
    socket.message = "canary-token was sent";
    const thrown = Object.assign(new TypeError("canary-password", { cause: socket }), { config: { headers } });
    const failure = await failureOf(
      bench(() => Promise.reject(thrown)),
      given,
    );
    expect(inspect(failure, { depth: 20, showHidden: true })).not.toContain("canary");
    expect(failure.cause).toMatchObject({ message: "[secret]", cause: { code: "ECONNRESET", syscall: "read" } });
  });
});

describe("a failed exchange", () => {
  it("names the host, never the URL or a header", async () => {
    const given = bench(() => Promise.reject(fetchFailed(coded("ECONNRESET"))));
    const failure = await failureOf(given, {
      url: "https://network.example/webhooks/canary-token?key=canary",
      headers: { authorization: "Bearer canary" },
    });
    expect(failure.message).not.toContain("canary");
  });
});

describe("the time at a host", () => {
  it("is the service's until the host has responded, then that of its last response's date", async () => {
    const clock = manualClock();
    let date = "Sat, 21 Nov 2026 13:00:00 GMT";
    const http: typeof fetch = async () => new Response(null, { headers: { date } });
    const outbound = createOutbound({ http, untrustedHttp: http, clock });
    const send = () => outbound.send({ method: "GET", url, headers: {}, trust: "fixed", hardEndMs });
    expect(outbound.timeAt("network.example")).toBe(clock.now());
    await send();
    await clock.advance(5_000);
    expect(outbound.timeAt("network.example")).toBe(Date.parse("2026-11-21T13:00:05.000Z"));
    expect(outbound.timeAt("other.example")).toBe(clock.now());
    date = "no date";
    await send();
    expect(outbound.timeAt("network.example")).toBe(Date.parse("2026-11-21T13:00:05.000Z"));
  });
});
