import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import tls from "node:tls";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createUntrustedHttp } from "../../../src/outbound/guard/guard.ts";
import { type Clock, systemClock } from "../../../src/ports/clock.ts";
import { testCertificate } from "../certificate.ts";
import { startSecureServer } from "../secure-server.ts";

let server: Server;
let place: string;
let handle: (request: IncomingMessage, response: ServerResponse) => void;
let http: typeof fetch;

beforeEach(async () => {
  handle = (_request, response) => void response.end("hello");
  server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  http = createUntrustedHttp({ clock: systemClock, allow: [place] });
});
afterEach(async () => {
  vi.restoreAllMocks();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function read(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

/** Responds with the request's body. */
function echo(request: IncomingMessage, response: ServerResponse): void {
  void read(request).then((body) => {
    response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }));
  });
}

async function causeOf(request: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error: unknown = await request.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TypeError);
  return (error as TypeError).cause as { code: string; message: string };
}

describe("the list of allowed hosts", () => {
  it.each([
    "localhost",
    "http://localhost:80",
    "localhost:80/path",
    "user@localhost:80",
    "localhost:",
    ":80",
    "a b:80",
  ])("rejects %j", (entry) => {
    expect(() => createUntrustedHttp({ clock: systemClock, allow: [entry] })).toThrow(TypeError);
  });

  it("allows only the stated name and port, and no other of the same machine", async () => {
    const port = place.split(":")[1];
    expect((await http(`http://${place}/`)).status).toBe(200);
    expect((await causeOf(http(`http://localhost:${port}/`))).code).toBe("ADDRESS_REFUSED");
    expect((await causeOf(http("http://127.0.0.1:1/"))).code).toBe("ADDRESS_REFUSED");
    expect((await causeOf(http(`http://user@${place}/`))).code).toBe("ADDRESS_REFUSED");
  });
});

describe("a request of the guard", () => {
  it("has method, path, query, headers and its own host", async () => {
    handle = echo;
    const response = await http(`http://${place}/a%20b?c=d#e`, { headers: { "x-one": "1", host: "other.example" } });
    expect(await response.json()).toMatchObject({
      method: "GET",
      url: "/a%20b?c=d",
      headers: { "x-one": "1", host: place, connection: "close", "accept-encoding": "gzip, deflate, br" },
    });
    expect(response.url).toBe(`http://${place}/a%20b?c=d`);
    expect(response.redirected).toBe(false);
  });

  it.each([
    ["a string", "text", "text/plain;charset=UTF-8"],
    ["bytes", new TextEncoder().encode("text"), undefined],
    ["a blob", new Blob(["text"], { type: "image/png" }), "image/png"],
    ["a form", new URLSearchParams({ a: "b" }), "application/x-www-form-urlencoded;charset=UTF-8"],
  ])("with %s has its length and type", async (_what, body, type) => {
    handle = echo;
    const sent = (await (await http(`http://${place}/`, { method: "POST", body })).json()) as Record<string, never>;
    const text = body instanceof URLSearchParams ? "a=b" : "text";
    expect(sent).toMatchObject({ method: "POST", body: text, headers: { "content-length": String(text.length) } });
    expect(sent.headers?.["content-type"]).toBe(type);
  });

  it("may be a multipart form", async () => {
    handle = echo;
    const body = new FormData();
    body.set("file", new Blob(["text"]), "a.txt");
    const sent = (await (await http(`http://${place}/`, { method: "POST", body })).json()) as Record<string, never>;
    expect(sent.headers?.["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    expect(sent.body).toContain('filename="a.txt"');
  });

  it("may be a Request", async () => {
    handle = echo;
    const request = new Request(`http://${place}/`, { method: "PUT", body: "text", headers: { "x-one": "1" } });
    const sent = await (await http(request)).json();
    expect(sent).toMatchObject({ method: "PUT", body: "text", headers: { "x-one": "1", "content-length": "4" } });
  });

  it("with a stream has the length that the caller states, and no chunks", async () => {
    handle = echo;
    const body = new Blob(["one", "two"]).stream();
    const init = { method: "POST", body, duplex: "half", headers: { "content-length": "6" } } as const;
    const sent = (await (await http(`http://${place}/`, init)).json()) as Record<string, never>;
    expect(sent).toMatchObject({ body: "onetwo", headers: { "content-length": "6" } });
    expect(sent.headers).not.toHaveProperty("transfer-encoding");
  });

  it.each(["POST", "DELETE"])("with a stream of unknown length is chunked (%s)", async (method) => {
    handle = echo;
    const body = new Blob(["text"]).stream();
    const sent = await (await http(`http://${place}/`, { method, body, duplex: "half" })).json();
    expect(sent).toMatchObject({ body: "text", headers: { "transfer-encoding": "chunked" } });
  });

  it.each([["3"], ["9"]])("ends if the stream is not as long as stated (%s)", async (length) => {
    handle = echo;
    const body = new Blob(["text"]).stream();
    const init = { method: "POST", body, duplex: "half", headers: { "content-length": length } } as const;
    expect((await causeOf(http(`http://${place}/`, init))).code).toBe("LENGTH_MISMATCH");
  });

  it("rejects with the error of the caller's stream", async () => {
    handle = echo;
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error("over the limit")) });
    const cause = await causeOf(http(`http://${place}/`, { method: "POST", body, duplex: "half" }));
    expect(cause.message).toBe("over the limit");
  });

  it("ignores proxy settings", async () => {
    vi.stubEnv("HTTP_PROXY", "http://127.0.0.1:1");
    vi.stubEnv("http_proxy", "http://127.0.0.1:1");
    vi.stubEnv("NODE_USE_ENV_PROXY", "1");
    expect(await (await http(`http://${place}/`)).text()).toBe("hello");
    vi.unstubAllEnvs();
  });
});

describe("a response of the guard", () => {
  it.each([
    ["gzip", gzipSync("hello")],
    ["x-gzip", gzipSync("hello")],
    ["deflate", deflateSync("hello")],
    ["br", brotliCompressSync("hello")],
  ])("is decoded from %s, and loses the headers that no longer describe the body", async (encoding, body) => {
    handle = (_request, response) => {
      response.writeHead(200, { "content-encoding": encoding, "content-length": body.length }).end(body);
    };
    const response = await http(`http://${place}/`);
    expect(await response.text()).toBe("hello");
    expect(response.headers.get("content-length")).toBeNull();
    expect(response.headers.get("content-encoding")).toBeNull();
  });

  it("is returned unchanged if it is a part of a compressed body, with its encoding", async () => {
    const part = gzipSync("hello").subarray(0, 12);
    handle = (_request, response) =>
      void response.writeHead(206, { "content-encoding": "gzip", "content-range": "bytes 0-11/25" }).end(part);
    const response = await http(`http://${place}/`);
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(Buffer.from(await response.arrayBuffer())).toEqual(part);
  });

  it("fails if its compressed body is truncated", async () => {
    handle = (_request, response) =>
      void response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("hello").subarray(0, 12));
    await expect(http(`http://${place}/`).then((response) => response.text())).rejects.toThrow(
      "unexpected end of file",
    );
  });

  it("fails if its body is shorter than its length", async () => {
    handle = (_request, response) => {
      response.writeHead(200, { "content-length": 10 });
      response.write("hello", () => response.socket?.destroy());
    };
    const response = await http(`http://${place}/`);
    await expect(response.text()).rejects.toThrow();
  });

  it.each([204, 304])("has no body with %d", async (status) => {
    handle = (_request, response) => void response.writeHead(status).end();
    const response = await http(`http://${place}/`);
    expect([response.status, response.body]).toEqual([status, null]);
  });

  it("has only a length, but no body for HEAD", async () => {
    handle = (_request, response) => void response.writeHead(200, { "content-length": 10 }).end();
    const response = await http(`http://${place}/`, { method: "HEAD" });
    expect([response.body, response.headers.get("content-length")]).toEqual([null, "10"]);
  });

  it("follows informational responses, which are ignored", async () => {
    handle = (_request, response) => {
      response.writeProcessing();
      response.writeEarlyHints({ link: "</a.css>; rel=preload; as=style" });
      response.end("hello");
    };
    expect(await (await http(`http://${place}/`)).text()).toBe("hello");
  });

  it.each([
    "HTTP/1.1 999 Denied\r\n\r\n",
    "HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
    "nonsense\r\n\r\n",
    "",
  ])("fails if it is %j", async (answer) => {
    handle = (request) => void request.socket.end(answer);
    expect((await causeOf(http(`http://${place}/`))).code).toMatch(/^(INVALID_STATUS|ECONNRESET|HPE_)/);
  });

  it("keeps every set-cookie", async () => {
    handle = (_request, response) => void response.setHeader("set-cookie", ["a=1", "b=2"]).end();
    expect((await http(`http://${place}/`)).headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  });

  it("fails if its headers never end", async () => {
    handle = (_request, response) => void response.setHeader("x-long", "a".repeat(100_000)).end();
    expect((await causeOf(http(`http://${place}/`))).code).toBe("HPE_HEADER_OVERFLOW");
  });

  it("leaves its unread bytes on the other side", async () => {
    let sentBytes = 0;
    const piece = Buffer.alloc(64 * 1024);
    handle = (request, response) => {
      if (request.url === "/other") return void response.end();
      response.on("error", () => {});
      const send = (): void => {
        while (sentBytes < 256 * 1024 * 1024) {
          sentBytes += piece.length;
          if (!response.write(piece)) return void response.once("drain", send);
        }
      };
      send();
    };
    const response = await http(`http://${place}/`);
    const reader = response.body?.getReader();
    for (let count = 0; count < 5; count++) await reader?.read();
    // Time for more data to arrive.
    for (let count = 0; count < 50; count++) await (await http(`http://${place}/other`)).text();
    expect(sentBytes).toBeLessThan(16 * 1024 * 1024);
    await reader?.cancel();
  });
});

describe("the guard at a redirect", () => {
  it("returns the redirect by default", async () => {
    handle = (_request, response) => void response.writeHead(302, { location: "/next" }).end();
    const response = await http(`http://${place}/`);
    expect([response.status, response.headers.get("location")]).toEqual([302, "/next"]);
  });

  it("rejects it if requested", async () => {
    handle = (_request, response) => void response.writeHead(302, { location: "/next" }).end();
    expect((await causeOf(http(`http://${place}/`, { redirect: "error" }))).code).toBe("REDIRECT_REFUSED");
  });

  it.each([
    [301, "POST", "GET", ""],
    [302, "POST", "GET", ""],
    [303, "PUT", "GET", ""],
    [302, "PUT", "PUT", "text"],
    [307, "POST", "POST", "text"],
    [308, "POST", "POST", "text"],
  ])("follows %d to a %s with a %s", async (status, method, nextMethod, nextBody) => {
    handle = (request, response) => {
      if (request.url === "/next") echo(request, response);
      else response.writeHead(status, { location: "/next" }).end();
    };
    const response = await http(`http://${place}/`, { method, body: "text", redirect: "follow" });
    expect(response.redirected).toBe(true);
    expect(response.url).toBe(`http://${place}/next`);
    expect(await response.json()).toMatchObject({ method: nextMethod, body: nextBody });
  });

  it.each([
    [3, 200],
    [4, "REDIRECT_REFUSED"],
  ])("follows at most 3 redirects (%d → %s)", async (hops, outcome) => {
    handle = (request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end();
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    };
    const answer = await http(`http://${place}/${hops}`, { redirect: "follow" }).catch(
      (error: TypeError) => error.cause,
    );
    expect(answer instanceof Response ? answer.status : (answer as { code: string }).code).toBe(outcome);
  });

  it("does not send a stream a second time", async () => {
    handle = (request, response) =>
      void request.resume().on("end", () => response.writeHead(307, { location: "/" }).end());
    const init = { method: "POST", body: new Blob(["text"]).stream(), duplex: "half", redirect: "follow" } as const;
    expect((await causeOf(http(`http://${place}/`, init))).code).toBe("REDIRECT_REFUSED");
  });

  it("sends no credentials to another host", async () => {
    const other = createServer(echo);
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const otherPlace = `127.0.0.1:${(other.address() as AddressInfo).port}`;
    handle = (_request, response) => void response.writeHead(302, { location: `http://${otherPlace}/` }).end();
    const both = createUntrustedHttp({ clock: systemClock, allow: [place, otherPlace] });
    const headers = { authorization: "Bearer canary", cookie: "canary=1", "x-one": "1" };
    const sent = await (await both(`http://${place}/`, { headers, redirect: "follow" })).text();
    expect(sent).toContain("x-one");
    expect(sent).not.toContain("canary");
    other.close();
  });

  it("follows a location in UTF-8", async () => {
    handle = (request, response) => {
      if (request.url === "/") response.writeHead(302, { location: Buffer.from("/é").toString("latin1") }).end();
      else response.end(request.url);
    };
    expect(await (await http(`http://${place}/`, { redirect: "follow" })).text()).toBe("/%C3%A9");
  });
});

describe("the end of a request", () => {
  it("sends no byte if the signal was aborted before", async () => {
    let asked = 0;
    const guarded = createUntrustedHttp({ clock: systemClock, resolve: async () => [String(asked++)] });
    await expect(guarded("https://name.example/", { signal: AbortSignal.abort(new Error("gone")) })).rejects.toThrow(
      "gone",
    );
    expect(asked).toBe(0);
  });

  it("rejects with the signal's reason while a name is resolved", async () => {
    const stop = new AbortController();
    const guarded = createUntrustedHttp({
      clock: systemClock,
      resolve: () => {
        stop.abort(new Error("stopped"));
        return new Promise(() => {});
      },
    });
    await expect(guarded("https://name.example/", { signal: stop.signal })).rejects.toThrow("stopped");
  });

  it("rejects with the signal's reason while it waits for the response, and closes the connection", async () => {
    const stop = new AbortController();
    const closed = new Promise((resolve) => {
      handle = (request) => {
        request.socket.once("close", resolve);
        stop.abort(new Error("stopped"));
      };
    });
    await expect(http(`http://${place}/`, { signal: stop.signal })).rejects.toThrow("stopped");
    await closed;
  });

  it.each(["abort", "cancel"])("closes the connection on %s in the middle of a body", async (how) => {
    const stop = new AbortController();
    const closed = new Promise((resolve) => {
      handle = (request, response) => {
        request.socket.once("close", resolve);
        response.write("hello");
      };
    });
    const response = await http(`http://${place}/`, { signal: stop.signal });
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("hello");
    if (how === "cancel") await reader?.cancel();
    else {
      stop.abort(new Error("stopped"));
      await expect(reader?.read()).rejects.toThrow("stopped");
    }
    await closed;
  });

  it("cancels the caller's stream when the request is aborted", async () => {
    const stop = new AbortController();
    handle = (request) => void request.once("data", () => stop.abort(new Error("stopped")));
    let cancelled: () => void;
    const wasCancelled = new Promise<void>((resolve) => {
      cancelled = resolve;
    });
    let isFirst = true;
    const body = new ReadableStream({
      pull(controller) {
        if (isFirst) controller.enqueue(new Uint8Array(10));
        isFirst = false;
        return isFirst ? undefined : new Promise(() => {});
      },
      cancel: () => cancelled(),
    });
    const request = http(`http://${place}/`, { method: "POST", body, duplex: "half", signal: stop.signal });
    await expect(request).rejects.toThrow("stopped");
    await wasCancelled;
  });

  it("reports a refused connection as never made, without the address", async () => {
    const silent = createTcpServer();
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    await new Promise((resolve) => silent.close(resolve));
    const guarded = createUntrustedHttp({
      clock: systemClock,
      allow: [`inner.example:${port}`],
      resolve: async () => ["127.0.0.1"],
    });
    const cause = await causeOf(guarded(`http://inner.example:${port}/`));
    expect(cause.code).toBe("ECONNREFUSED");
    expect(cause.message).not.toContain("127.0.0.1");
  });

  it("tries the next address if one refuses", async () => {
    const port = place.split(":")[1];
    const guarded = createUntrustedHttp({
      clock: systemClock,
      allow: [`inner.example:${port}`],
      resolve: async () => ["127.0.0.77", "127.0.0.1"],
    });
    expect((await guarded(`http://inner.example:${port}/`)).status).toBe(200);
  });

  it("aborts a handshake that takes longer than 5 s, before any byte is sent", async () => {
    let received = "";
    const silent = createTcpServer((socket) => socket.on("data", (chunk) => (received += chunk.toString("latin1"))));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    const waits: number[] = [];
    const clock: Clock = {
      ...systemClock,
      sleep: async (ms) => {
        waits.push(ms);
        await new Promise((resolve) => silent.once("connection", (socket) => socket.once("data", resolve)));
      },
    };
    const guarded = createUntrustedHttp({ clock, allow: [`127.0.0.1:${port}`] });
    const init = { method: "POST", body: "canary" };
    expect((await causeOf(guarded(`https://127.0.0.1:${port}/`, init))).code).toBe("CONNECT_TIMEOUT");
    expect(waits).toEqual([5_000]);
    expect(received).not.toContain("canary");
    silent.close();
  });
});

describe("the guard with https", () => {
  it("connects to the vetted address, and requests the name's certificate", async () => {
    const secure = await startSecureServer();
    const connectSecure = tls.connect;
    vi.spyOn(tls, "connect").mockImplementation(((options: tls.ConnectionOptions) =>
      connectSecure({ ...options, ca: testCertificate })) as typeof tls.connect);
    const host = `hooks.example.com:${secure.port}`;
    const guarded = createUntrustedHttp({ clock: systemClock, allow: [host], resolve: async () => ["127.0.0.2"] });
    const response = await guarded(`https://${host}/a`);
    expect(await response.text()).toBe("hello");
    expect(secure.names).toEqual(["hooks.example.com"]);
    expect(secure.requests).toEqual([`GET ${host} /a`]);
    await secure.close();
  });

  it.each([
    ["hooks.example.com", "an unknown issuer", "DEPTH_ZERO_SELF_SIGNED_CERT"],
    ["other.example.com", "another name", "ERR_TLS_CERT_ALTNAME_INVALID"],
  ])("rejects %s with %s, whatever the environment variables", async (name, _what, code) => {
    const secure = await startSecureServer();
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    const connectSecure = tls.connect;
    if (code.includes("ALTNAME")) {
      vi.spyOn(tls, "connect").mockImplementation(((options: tls.ConnectionOptions) =>
        connectSecure({ ...options, ca: testCertificate })) as typeof tls.connect);
    }
    const host = `${name}:${secure.port}`;
    const guarded = createUntrustedHttp({ clock: systemClock, allow: [host], resolve: async () => ["127.0.0.2"] });
    expect((await causeOf(guarded(`https://${host}/`, { method: "POST", body: "canary" }))).code).toBe(code);
    expect(secure.requests).toEqual([]);
    vi.unstubAllEnvs();
    await secure.close();
  });
});
