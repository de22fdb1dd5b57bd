import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import {
  type Outgoing,
  readRequest,
  redirected,
  redirectLocation,
  sentChunks,
} from "../../../src/outbound/guard/request.ts";

const address = "https://receiver.example/hook";
const text = "Grüße";
const textBytes = new TextEncoder().encode(text);

function streamOf(...chunks: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
}

const kinds: [string, (init: RequestInit) => Parameters<typeof readRequest>][] = [
  ["a string", (init) => [null, { method: "post", body: text, ...init }]],
  ["bytes", (init) => [null, { method: "POST", body: textBytes, ...init }]],
  ["a Request", (init) => [new Request(address, { method: "POST", body: text, ...init }), undefined]],
];

describe.each(kinds)("a request of %s", (kind, requestOf) => {
  it("is sent with its length, and with the usual headers", async () => {
    const { method, headers, body } = await readRequest(...requestOf({}));
    expect([method, body]).toEqual(["POST", textBytes]);
    expect(Object.fromEntries(headers)).toEqual({
      ...(kind === "bytes" ? {} : { "content-type": "text/plain;charset=UTF-8" }),
      accept: "*/*",
      "accept-encoding": "gzip, deflate, br",
      "content-length": String(textBytes.length),
      "user-agent": "postrider",
    });
  });

  it("keeps its headers, except for those about a connection", async () => {
    const own = { accept: "application/json", "accept-encoding": "br", "user-agent": "own", "content-type": "a/b" };
    const hop = { "keep-alive": "5", te: "trailers", upgrade: "h2c" };
    const { headers } = await readRequest(...requestOf({ headers: { ...own, ...hop } }));
    expect(Object.fromEntries(headers)).toEqual({ ...own, "content-length": String(textBytes.length) });
  });
});

describe("a request", () => {
  it("without a body has no length", async () => {
    const { method, headers, body } = await readRequest(null, undefined);
    expect([method, headers.get("content-length"), headers.get("transfer-encoding"), body]).toEqual([
      "GET",
      null,
      null,
      null,
    ]);
  });

  it("with a stream is sent in chunks, or with its stated length", async () => {
    const stream = { method: "POST", body: streamOf("a"), duplex: "half" } as RequestInit;
    expect((await readRequest(null, stream)).headers.get("transfer-encoding")).toBe("chunked");
    const sized = { ...stream, body: streamOf("a"), headers: { "content-length": "1" } };
    const { headers, body } = await readRequest(null, sized);
    expect([headers.get("transfer-encoding"), headers.get("content-length")]).toEqual([null, "1"]);
    expect(body).toBeInstanceOf(ReadableStream);
  });

  it.each(["-1", "1e3", "1234567890123456"])("is rejected with a length of %s", async (length) => {
    const init = { method: "POST", body: streamOf("a"), duplex: "half", headers: { "content-length": length } };
    await expect(readRequest(null, init as RequestInit)).rejects.toMatchObject({ code: "INVALID_LENGTH" });
  });
});

describe("a streamed body", () => {
  async function sent(length: string | null): Promise<string[]> {
    const chunks: string[] = [];
    for await (const chunk of sentChunks(streamOf("ab", "c").getReader(), length))
      chunks.push(new TextDecoder().decode(chunk));
    return chunks;
  }

  it("is passed on piece by piece", async () => {
    expect([await sent("3"), await sent(null)]).toEqual([
      ["ab", "c"],
      ["ab", "c"],
    ]);
  });

  it.each([
    ["2", "longer"],
    ["4", "shorter"],
  ])("of another length than %s fails", async (length, word) => {
    await expect(sent(length)).rejects.toMatchObject({
      code: "LENGTH_MISMATCH",
      message: expect.stringContaining(word),
    });
  });
});

describe("a redirect's target", () => {
  const from = new URL("https://one.example/a/b");
  const point = (statusCode: number, location?: string): string | undefined =>
    redirectLocation({ statusCode, headers: location === undefined ? {} : { location } }, from)?.href;

  it("is resolved against the request's URL", () => {
    expect([301, 302, 303, 307, 308].map((status) => point(status, "../c"))).toEqual(
      Array.from({ length: 5 }, () => "https://one.example/c"),
    );
    expect(point(302, "//two.example")).toBe("https://two.example/");
    // node:http returns a server's UTF-8 like this.
    expect(point(302, Buffer.from("/ü").toString("latin1"))).toBe("https://one.example/%C3%BC");
  });

  it("is absent without a redirect or a location", () => {
    expect([point(200, "/c"), point(304, "/c"), point(302)]).toEqual([undefined, undefined, undefined]);
  });

  it("is rejected if it is not a URL", () => {
    expect(() => point(302, "http://[")).toThrow(expect.objectContaining({ code: "REDIRECT_REFUSED" }));
  });
});

describe("the request after a redirect", () => {
  const headers = { authorization: "Bearer a", cookie: "b=c", "content-type": "text/plain", "x-own": "d" };

  function behind(status: number, to: string, change: Partial<Outgoing> & { count?: number; from?: string } = {}) {
    const { count = 1, from = "https://one.example/a", ...outgoing } = change;
    const given: Outgoing = { method: "POST", headers: new Headers(headers), body: textBytes, ...outgoing };
    const { method, body, headers: sent } = redirected(given, { from: new URL(from), to: new URL(to), status, count });
    return { method, body, headers: Object.fromEntries(sent) };
  }

  it.each([
    [307, "POST", textBytes],
    [308, "POST", textBytes],
    [301, "GET", null],
    [302, "GET", null],
    [303, "GET", null],
  ])("follows fetch's rules after %i", (status, method, body) => {
    expect(behind(status, "https://one.example/b")).toMatchObject({ method, body });
  });

  it.each([
    [301, "PUT", "PUT"],
    [302, "DELETE", "DELETE"],
    [303, "PUT", "GET"],
    [303, "HEAD", "HEAD"],
  ])("with %i keeps other methods: %s", (status, method, expected) => {
    expect(behind(status, "https://one.example/b", { method, body: null }).method).toBe(expected);
  });

  it("carries credentials only to the same host, and body headers only with a body", () => {
    expect(behind(307, "https://one.example/b").headers).toEqual(headers);
    expect(behind(307, "https://two.example/b").headers).toEqual({ "content-type": "text/plain", "x-own": "d" });
    expect(behind(303, "https://two.example/b").headers).toEqual({ "x-own": "d" });
  });

  it.each<[string, () => unknown]>([
    ["a fourth redirect", () => behind(307, "https://one.example/b", { count: 4 })],
    ["a redirect from https to http", () => behind(307, "http://one.example/b")],
    ["the redirect of a stream", () => behind(307, "https://one.example/b", { body: streamOf("a") })],
  ])("is refused for %s", (_, call) => {
    expect(call).toThrow(expect.objectContaining({ code: "REDIRECT_REFUSED" }));
  });

  it.each<[string, () => unknown]>([
    ["a third redirect", () => behind(307, "https://one.example/b", { count: 3 })],
    ["a redirect from http to https", () => behind(307, "https://one.example/b", { from: "http://one.example/a" })],
    ["a redirect from http to http", () => behind(307, "http://one.example/b", { from: "http://one.example/a" })],
    [
      "the redirect of a stream that is not sent again",
      () => behind(303, "https://one.example/b", { body: streamOf("a") }),
    ],
  ])("is made for %s", (_, call) => {
    expect(call).not.toThrow();
  });
});
