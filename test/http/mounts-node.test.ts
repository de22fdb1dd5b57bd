import { once } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { connect as connectSecurely, createSecureServer } from "node:http2";
import { type AddressInfo, connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import express from "express";
import { afterEach, describe, expect, it, vi } from "vitest";
import { toNodeHandler } from "../../src/http/node.ts";
import { portsOf } from "../../src/service-ports.ts";
import { testCertificate, testKey } from "../outbound/certificate.ts";
import { recordingLogger } from "../support/logger.ts";
import { served } from "./mounts-hosts.ts";
import { createMountWorld } from "./mounts-world.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ close }) => close()));
  vi.restoreAllMocks();
});

describe("the URL", () => {
  it.each([
    { line: "GET /a?b=c HTTP/1.1", host: "example.com:8080", url: "http://example.com:8080/a?b=c" },
    { line: "GET /a HTTP/1.0", host: null, url: "http://host.invalid/a" },
    { line: "GET /a HTTP/1.1", host: "", url: "http://host.invalid/a" },
    { line: "GET /a HTTP/1.1", host: "[::1]:80", url: "http://[::1]/a" },
    { line: "GET /a HTTP/1.1", host: "example.com/b?c=", url: "http://host.invalid/a" },
    { line: "GET /a HTTP/1.1", host: "me@example.com", url: "http://host.invalid/a" },
    { line: "GET /a HTTP/1.1", host: "example.com:99999", url: "http://host.invalid/a" },
    { line: "GET /a HTTP/1.1", host: "[::1", url: "http://host.invalid/a" },
    { line: "GET http://other.example/a?b HTTP/1.1", host: "example.com", url: "http://other.example/a?b" },
    {
      line: "GET ftp://other.example/a HTTP/1.1",
      host: "example.com",
      url: "http://example.com/ftp://other.example/a",
    },
    { line: "GET //other.example/a HTTP/1.1", host: "example.com", url: "http://example.com//other.example/a" },
    { line: "GET /a/%2e%2e/b%2F..%zz HTTP/1.1", host: "example.com", url: "http://example.com/b%2F..%zz" },
    { line: "OPTIONS * HTTP/1.1", host: "example.com", url: "http://example.com/*" },
  ])("of $line at $host is $url", async ({ line, host, url }) => {
    const { port } = await serve(toNodeHandler(({ url }) => new Response(`<${url}>`)));
    const lines = [line, ...(host === null ? [] : [`Host: ${host}`]), "Connection: close", "", ""];
    expect(await exchange(port, lines.join("\r\n"))).toContain(`<${url}>`);
  });

  it("is complete behind a mount in a mount", async () => {
    const [app, inner] = [express(), express.Router()];
    inner.use(
      "/social",
      toNodeHandler(({ url }) => new Response(url)),
    );
    app.use("/api", inner);
    const { port } = await serve(app);
    expect(await exchange(port, get("/api/social/v1/posts"))).toContain("/api/social/v1/posts");
  });

  it("is right over TLS and HTTP/2, too", async () => {
    const listener = toNodeHandler(async (request) => new Response(`<${request.url} ${await request.text()}>`));
    const server = createSecureServer({ key: testKey, cert: testCertificate });
    // Its requests and responses behave like those of HTTP/1.1, but their types are others.
    server.on("request", (incoming, outgoing) => {
      void listener(incoming as unknown as IncomingMessage, outgoing as unknown as ServerResponse);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const client = connectSecurely(`https://127.0.0.1:${port}`, {
      ca: testCertificate,
      servername: "hooks.example.com",
    });
    const stream = client.request({ ":path": "/a?b", ":method": "POST", ":authority": "hooks.example.com" });
    stream.setEncoding("utf8").end("Füchse 🦊");
    let answer = "";
    for await (const piece of stream) answer += piece;
    expect(answer).toBe("<https://hooks.example.com/a?b Füchse 🦊>");
    client.close();
    server.close();
    await once(server, "close");
  });

  it("with TRACE, which no Request can be, gets another method that no path has", async () => {
    const { handler } = await createMountWorld();
    const { port } = await serve(toNodeHandler(handler));
    const answer = await exchange(port, get("/social/v1/posts").replace("GET", "TRACE"));
    expect(answer).toMatch(/^HTTP\/1.1 405 /);
    expect(answer).toMatch(/^allow: GET, HEAD, POST\r$/m);
  });
});

describe("a request over HTTP/2", () => {
  it.each(["TRACK", "TRACE", "get", "post", "patch", "Get"])(
    "with the method %s gets one that no path has",
    async (method) => {
      const { handler } = await createMountWorld();
      const listener = toNodeHandler(handler);
      const server = createSecureServer({ key: testKey, cert: testCertificate });
      server.on("request", (incoming, outgoing) => {
        void listener(incoming as unknown as IncomingMessage, outgoing as unknown as ServerResponse);
      });
      await once(server.listen(0, "127.0.0.1"), "listening");
      const { port } = server.address() as AddressInfo;
      const trusted = { ca: testCertificate, servername: "hooks.example.com" };
      const client = connectSecurely(`https://127.0.0.1:${port}`, trusted);
      const stream = client.request({ ":path": "/social/v1/posts", ":method": method });
      const [headers] = (await once(stream.end().resume(), "response")) as [Record<string, unknown>];
      expect(headers).toMatchObject({ ":status": 405, allow: "GET, HEAD, POST" });
      client.close();
      server.close();
      await once(server, "close");
    },
  );
});

describe("headers", () => {
  it("arrive as the host's middleware has changed them", async () => {
    const app = express();
    app.use((request, _response, next) => {
      delete request.headers["x-user"];
      request.headers.authorization = "Bearer from-the-session";
      next();
    });
    app.use(toNodeHandler(({ headers }) => Response.json([headers.get("x-user"), headers.get("authorization")])));
    const { port } = await serve(app);
    expect(await exchange(port, get("/", "X-User: forged"))).toContain('[null,"Bearer from-the-session"]');
  });

  it("keep every cookie separate on the way out, beside those of the host", async () => {
    const app = express();
    app.use((_request, response, next) => {
      response.setHeader("Set-Cookie", "host=1; Path=/");
      next();
    });
    app.use(
      toNodeHandler(() => {
        const headers = new Headers({ Vary: "Origin" });
        headers.append("Set-Cookie", "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT");
        headers.append("Set-Cookie", "b=2");
        return new Response("", { headers });
      }),
    );
    const { port } = await serve(app);
    const cookies = (await exchange(port, get("/"))).match(/^set-cookie: .*$/gim);
    expect(cookies?.map((line) => line.slice(line.indexOf(" ") + 1))).toEqual([
      "host=1; Path=/",
      "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT",
      "b=2",
    ]);
  });

  it("include the cookies of several lines, and the host with which Origin is compared", async () => {
    const { handler } = await createMountWorld({
      handler: {
        authenticate: ({ headers }) =>
          headers.get("cookie") === "a=1; login=alice"
            ? { account_id: "default", key_id: "alice", scopes: ["publish"] }
            : null,
      },
    });
    const { port } = await serve(toNodeHandler(handler));
    const login = ["Cookie: a=1", "Cookie: login=alice"];
    const own = await exchange(port, post("/social/v1/posts", "{}", ...login, "Origin: https://app.test"));
    expect(own).toMatch(/^HTTP\/1.1 400 /);
    const foreign = await exchange(port, post("/social/v1/posts", "{}", ...login, "Origin: https://elsewhere.test"));
    expect(foreign).toMatch(/^HTTP\/1.1 403 /);
  });
});

describe("a body", () => {
  it("that is too large is refused while it is still being sent, and the connection stays open", async () => {
    const { handler, key } = await createMountWorld();
    const { port } = await serve(toNodeHandler(handler));
    const socket = await connected(port);
    const piece = `${(100_000).toString(16)}\r\n${"x".repeat(100_000)}\r\n`;
    const head = ["POST /social/v1/posts HTTP/1.1", "Host: app.test", `Authorization: Bearer ${key}`];
    socket.write([...head, "Content-Type: application/json", "Transfer-Encoding: chunked", "", ""].join("\r\n"));
    socket.write(piece.repeat(11));
    expect(await until(socket, "\r\n0\r\n\r\n")).toMatch(/^HTTP\/1.1 413 [\s\S]*The body is larger than/);
    socket.write(`${piece.repeat(40)}0\r\n\r\n${get("/social/v1/posts", `Authorization: Bearer ${key}`)}`);
    expect(await ended(socket)).toMatch(/^HTTP\/1.1 200 /);
  });

  it.each([
    { what: "by its length", framing: `Content-Length: 4\r\n\r\n{"a}` },
    { what: "in pieces", framing: `Transfer-Encoding: chunked\r\n\r\n4\r\n{"a}\r\n0\r\n\r\n` },
  ])("that is not read, sent $what, leaves the connection to the next request", async ({ framing }) => {
    const { handler } = await createMountWorld();
    const { port } = await serve(toNodeHandler(handler));
    const unread = `POST /social/v1/posts HTTP/1.1\r\nHost: app.test\r\n${framing}`;
    const answers = await exchange(port, unread + get("/social/v1/openapi.json"));
    expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 401", "HTTP/1.1 200"]);
  });

  it("that trickles in is assembled", async () => {
    const { handler, key, profileId } = await createMountWorld();
    const { port } = await serve(toNodeHandler(handler));
    const socket = await connected(port);
    const body = JSON.stringify({ profile_ids: [profileId], text: "Füchse 🦊" });
    for (const byte of Buffer.from(post("/social/v1/posts/validate", body, `Authorization: Bearer ${key}`))) {
      await new Promise<void>((resolve) => socket.write(Uint8Array.of(byte), () => resolve()));
    }
    expect(await ended(socket)).toMatch(/^HTTP\/1.1 200 [\s\S]*Füchse 🦊/);
  });

  it("that waits for 100-continue gets it", async () => {
    const { handler, key } = await createMountWorld();
    const { port } = await serve(toNodeHandler(handler));
    const socket = await connected(port);
    const [head = ""] = post("/social/v1/posts", "{}", `Authorization: Bearer ${key}`, "Expect: 100-continue").split(
      "{}",
    );
    socket.write(head);
    expect(await until(socket, "\r\n\r\n")).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    socket.write("{}");
    expect(await ended(socket)).toMatch(/^HTTP\/1.1 400 [\s\S]*profile_ids/);
  });

  it.each([
    { what: "unpacked", body: gzipSync('{"text": "é"}'), headers: ["Content-Encoding: gzip"] },
    {
      what: "assembled",
      body: Buffer.from('e\r\n{"text": "é"}\r\n0\r\n\r\n'),
      headers: ["Transfer-Encoding: chunked"],
    },
  ])("that a parser has $what loses the headers that described its old form", async ({ body, headers }) => {
    const echo = async (request: Request): Promise<Response> =>
      Response.json([await request.text(), Object.keys(Object.fromEntries(request.headers))]);
    const { port } = await serve(express().use(express.json(), toNodeHandler(echo)));
    const length = headers[0]?.startsWith("Content") ? [`Content-Length: ${body.length}`] : [];
    const lines = ["Host: app.test", "Content-Type: application/json", ...length, ...headers, "Connection: close"];
    const head = ["POST / HTTP/1.1", ...lines, "", ""].join("\r\n");
    const answer = await exchange(port, Buffer.concat([Buffer.from(head), body]));
    expect(answer).toContain(JSON.stringify(['{"text":"é"}', ["connection", "content-type", "host"]]));
  });

  it("that a parser has read and that cannot be serialized again is refused", async () => {
    const { handler, key } = await createMountWorld();
    const { port } = await serve(express().use(express.json({ limit: "1mb" }), toNodeHandler(handler)));
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const answer = await exchange(port, post("/social/v1/posts", deep, `Authorization: Bearer ${key}`));
    expect(answer).toMatch(/^HTTP\/1.1 400 [\s\S]*"field":"body"/);
  });

  it("that middleware has read without keeping it gets an error that says how to mount", async () => {
    const logger = recordingLogger();
    const { handler, key } = await createMountWorld({ logger });
    const app = express();
    app.use((request, _response, next) => void request.resume().once("end", next));
    app.use(toNodeHandler(handler));
    const { port } = await serve(app);
    const answer = await exchange(port, post("/social/v1/posts", "{}", `Authorization: Bearer ${key}`));
    expect(answer).toMatch(
      /^HTTP\/1.1 500 [\s\S]*"code":"internal_error","message":"This service could not read the request's body\."/,
    );
    expect(logger.lines.join()).toContain("Mount the handler before the body parser");
    // A request without a body loses nothing.
    expect(await exchange(port, get("/social/v1/posts", `Authorization: Bearer ${key}`))).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe("a client that disconnects", () => {
  it("while its post goes out cancels nothing", async () => {
    const { handler, key, profileId, social, sandbox, clock } = await createMountWorld();
    sandbox.bluesky.faults.add({ kind: "slow_to_act", seconds: 5, operation: "commit" });
    const { port, calls } = await serveCalls(toNodeHandler(handler));
    const body = JSON.stringify({ profile_ids: [profileId], text: "Still on its way.", idempotency_key: "way-4711" });
    const request = post("/social/v1/posts", body, `Authorization: Bearer ${key}`);
    const socket = await connected(port);
    socket.write(request);
    await happened(async () => (await social.posts.list()).data.some(({ status }) => status === "publishing"));
    socket.destroy();
    const [call] = calls;
    await once(call?.outgoing as ServerResponse, "close");
    expect(sandbox.bluesky.posts()).toHaveLength(1);
    await clock.advance(10_000);
    await call?.done;
    await portsOf(social).untilIdle();
    expect(sandbox.bluesky.posts().map(({ text }) => text)).toEqual(["The first one.", "Still on its way."]);
    expect(await exchange(port, request)).toMatch(/^HTTP\/1.1 200 [\s\S]*idempotent-replay: true[\s\S]*"published"/);
  });

  it("before its body is complete leaves nothing behind", async () => {
    const { handler, key, social } = await createMountWorld();
    const before = await social.posts.list();
    const { port, calls } = await serveCalls(toNodeHandler(handler));
    const socket = await connected(port);
    const [half = ""] = post("/social/v1/posts", "{}", `Authorization: Bearer ${key}`).split("}");
    socket.write(half);
    await happened(async () => calls[0]?.incoming.readableDidRead === true);
    socket.destroy();
    await calls[0]?.done;
    expect(await social.posts.list()).toEqual(before);
  });

  it("after its body was refused does no harm", async () => {
    const { handler, key } = await createMountWorld();
    const { port, calls } = await serveCalls(toNodeHandler(handler));
    const socket = await connected(port);
    const head = ["POST /social/v1/posts HTTP/1.1", "Host: app.test", `Authorization: Bearer ${key}`];
    socket.write([...head, "Transfer-Encoding: chunked", "", "200000", "x".repeat(1_200_000)].join("\r\n"));
    expect(await until(socket, "\r\n0\r\n\r\n")).toMatch(/^HTTP\/1.1 413 /);
    await calls[0]?.done;
    socket.destroy();
    await happened(async () => calls[0]?.incoming.socket.closed === true);
    expect(await exchange(port, get("/social/v1/openapi.json"))).toMatch(/^HTTP\/1.1 200 /);
  });

  it("before its response is ready gets none written", async () => {
    let answer = (_response: Response): void => {};
    const answered = new Promise<Response>((resolve) => {
      answer = resolve;
    });
    const { port, calls } = await serveCalls(toNodeHandler(() => answered));
    const socket = await connected(port);
    socket.write(get("/"));
    await happened(async () => calls.length === 1);
    socket.destroy();
    const [call] = calls;
    await once(call?.outgoing as ServerResponse, "close");
    const { body, wasCancelled } = endlessBody();
    answer(new Response(body));
    await call?.done;
    expect(wasCancelled()).toBe(true);
  });

  it.each([
    { what: "comes without end", pieces: Number.POSITIVE_INFINITY },
    { what: "is still awaited", pieces: 1 },
  ])("while its response $what ends the response", async ({ pieces }) => {
    const { body, wasCancelled } = endlessBody(pieces);
    const { port, calls } = await serveCalls(toNodeHandler(() => new Response(body)));
    const socket = await connected(port);
    socket.write(get("/"));
    await once(socket, "data");
    socket.destroy();
    await calls[0]?.done;
    expect(wasCancelled()).toBe(true);
  });
});

describe("an error inside the handler", () => {
  it.each([
    {
      what: "is thrown",
      handler: (): Response => {
        throw new Error("the host's own words");
      },
    },
    { what: "is rejected", handler: () => Promise.reject(new Error("the host's own words")) },
    {
      what: "cannot be sent",
      handler: () => new Response("", { headers: { "X-Name": "the host's own words\u0001" } }),
    },
  ])("that $what becomes a response without details, and a log line with them", async ({ handler }) => {
    const written = vi.spyOn(console, "error").mockImplementation(() => {});
    const passedOn = vi.fn();
    const app = express().use(toNodeHandler(handler));
    app.use(passedOn);
    const { port } = await serve(app);
    const answer = await exchange(port, get("/"));
    expect(answer).toMatch(/^HTTP\/1.1 500 [\s\S]*{"error":{"code":"internal_error","message":/);
    expect(answer).not.toContain("own words");
    expect(written).toHaveBeenCalledOnce();
    expect(passedOn).not.toHaveBeenCalled();
  });

  it("does not touch a response that other code has sent", async () => {
    const { body, wasCancelled } = endlessBody();
    const listener = toNodeHandler(() => new Response(body));
    const { port, calls } = await serveCalls((request, response) => {
      response.statusCode = 503;
      response.end("too late");
      return listener(request, response);
    });
    expect(await exchange(port, get("/"))).toMatch(/^HTTP\/1.1 503 [\s\S]*too late$/);
    await calls[0]?.done;
    expect(wasCancelled()).toBe(true);
  });
});

async function serve(listener: RequestListener): Promise<{ port: number }> {
  const server = await served(listener);
  open.push(server);
  return server;
}

interface Call {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  done: Promise<void>;
}

/** A server that records its calls, and when the listener was done. */
async function serveCalls(
  listener: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>,
): Promise<{ port: number; calls: Call[] }> {
  const calls: Call[] = [];
  const { port } = await serve((incoming, outgoing) => {
    calls.push({ incoming, outgoing, done: listener(incoming, outgoing) });
  });
  return { port, calls };
}

/** Sends a raw request, after which the server hangs up. */
function get(path: string, ...headers: string[]): string {
  return [`GET ${path} HTTP/1.1`, "Host: app.test", ...headers, "Connection: close", "", ""].join("\r\n");
}

function post(path: string, body: string, ...headers: string[]): string {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  const all = ["Host: app.test", "Content-Type: application/json", length, ...headers, "Connection: close"];
  return [`POST ${path} HTTP/1.1`, ...all, "", body].join("\r\n");
}

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.setEncoding("utf8");
  await once(socket, "connect");
  return socket;
}

/** All bytes that come back until the server hangs up. */
async function exchange(port: number, request: string | Uint8Array): Promise<string> {
  const socket = await connected(port);
  socket.write(request);
  return ended(socket);
}

async function ended(socket: Socket): Promise<string> {
  let text = "";
  for await (const piece of socket) text += piece;
  return text;
}

function until(socket: Socket, end: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const onData = (piece: string): void => {
      text += piece;
      if (!text.endsWith(end)) return;
      socket.off("data", onData);
      resolve(text);
    };
    socket.on("data", onData);
    socket.once("close", () => reject(new Error(`The connection was closed after: ${text}`)));
  });
}

/** Yields to other work until a condition holds. */
async function happened(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}

/** A body that never ends; after so many pieces nothing more comes. */
function endlessBody(pieces = Number.POSITIVE_INFINITY): { body: ReadableStream<Uint8Array>; wasCancelled(): boolean } {
  let cancelled = false;
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent === pieces) return new Promise<never>(() => {});
      sent += 1;
      controller.enqueue(new Uint8Array(65_536));
    },
    cancel() {
      cancelled = true;
    },
  });
  return { body, wasCancelled: () => cancelled };
}
