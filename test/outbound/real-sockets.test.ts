import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createUntrustedHttp } from "../../src/outbound/guard/guard.ts";
import { createOutbound, type Exchange, TransportFailure } from "../../src/outbound/http.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import { startSecureServer } from "./secure-server.ts";

const hardEndMs = 30_000;
const body = { contentType: "application/json", content: new TextEncoder().encode('{"text":"Once."}') };

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function listen(server: Server | TcpServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An HTTP server that passes on each complete request. */
async function httpServer(
  answer: (response: ServerResponse, text: string) => void,
): Promise<{ host: string; bodies: string[] }> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const text = await readText(request);
    bodies.push(text);
    answer(response, text);
  });
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  return { host: await listen(server), bodies };
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** A TCP server. */
async function tcpServer(accept: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    // Only the client's side is under test.
    socket.on("error", () => {});
    accept(socket);
  });
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        for (const socket of sockets) socket.destroy();
      }),
  );
  return listen(server);
}

/** A port without a listener. */
async function closedPort(): Promise<string> {
  const server = createTcpServer();
  const host = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return host;
}

interface Sending {
  clock: ManualClock;
  result: ReturnType<ReturnType<typeof createOutbound>["send"]>;
}

type Via = "fixed" | "guarded";

/** Sends with Node's own fetch, or with the guard's, which is allowed to reach the host. */
function send(via: Via, address: string, exchange: Partial<Exchange> = {}): Sending {
  const clock = manualClock();
  const { host } = new URL(address);
  const untrustedHttp = createUntrustedHttp({ clock, allow: [host] });
  const outbound = createOutbound({ http: (...given) => globalThis.fetch(...given), untrustedHttp, clock });
  const result = outbound.send({ method: "POST", url: address, headers: {}, body, trust: via, hardEndMs, ...exchange });
  result.catch(() => {});
  return { clock, result };
}

/** An event that a server reports to the test. */
function announcement(): { made: Promise<void>; announce: () => void } {
  let announce = (): void => {};
  const made = new Promise<void>((resolve) => {
    announce = resolve;
  });
  return { made, announce };
}

const megabyte = "a".repeat(1024 * 1024);

/** Writes until the client stops reading. */
function pour(socket: Socket): void {
  if (socket.writable) socket.write(megabyte, () => setImmediate(() => pour(socket)));
}

async function failureOf({ result }: Sending): Promise<TransportFailure["kind"]> {
  const failure = await result.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );
  if (!(failure instanceof TransportFailure)) throw failure;
  return failure.kind;
}

describe.each<[string, Via]>([
  ["Node's own fetch", "fixed"],
  ["the guard", "guarded"],
])("on real connections with %s", (_, via) => {
  describe("a request was certainly never sent", () => {
    it("if no server listens", async () => {
      expect(await failureOf(send(via, `http://${await closedPort()}/`))).toBe("not_sent");
    });

    it("if the server's certificate is rejected", async () => {
      const server = await startSecureServer();
      closing.push(() => server.close());
      expect(await failureOf(send(via, `https://127.0.0.2:${server.port}/`))).toBe("not_sent");
      expect(server.requests).toEqual([]);
    });
  });

  describe("a request may have been carried out", () => {
    it.each<[string, (socket: Socket) => void]>([
      ["is reset as soon as it is open", (socket) => socket.resetAndDestroy()],
      ["is reset with the first byte", (socket) => socket.once("data", () => socket.resetAndDestroy())],
      ["is closed with the first byte", (socket) => socket.once("data", () => socket.end())],
      [
        "ends in the middle of the response's head",
        (socket) => socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Ty")),
      ],
      ["returns something other than HTTP", (socket) => socket.once("data", () => socket.end("well, hello\r\n\r\n"))],
      [
        "announces a longer body than it sends",
        (socket) => socket.once("data", () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"id":"1"')),
      ],
      [
        "ends between two chunks of the body",
        (socket) =>
          socket.once("data", () =>
            socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n{"id":"1"}\r\n'),
          ),
      ],
      [
        "is reset in the middle of the response's body",
        (socket) =>
          socket.once("data", () =>
            socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"id":"1"', () => socket.resetAndDestroy()),
          ),
      ],
    ])("if the connection %s", async (_what, accept) => {
      expect(await failureOf(send(via, `http://${await tcpServer(accept)}/`))).toBe("unknown");
    });

    it("if the connection is reset after the server has read the whole request", async () => {
      const { host, bodies } = await httpServer((response) => response.socket?.resetAndDestroy());
      expect(await failureOf(send(via, `http://${host}/`))).toBe("unknown");
      expect(bodies).toEqual(['{"text":"Once."}']);
    });

    it("if the connection is reset in the middle of the request", async () => {
      const host = await tcpServer((socket) => socket.once("data", () => socket.resetAndDestroy()));
      const large = { contentType: "video/mp4", content: new Uint8Array(16 * 1024 * 1024) };
      expect(await failureOf(send(via, `http://${host}/`, { body: large }))).toBe("unknown");
    });

    it("if a reused connection is reset, and it is not silently sent again", async () => {
      const { host, bodies } = await httpServer((response, text) => {
        if (text === "first") response.end("{}");
        else response.socket?.resetAndDestroy();
      });
      const text = (content: string) => ({ contentType: "text/plain", content: new TextEncoder().encode(content) });
      await send(via, `http://${host}/`, { body: text("first") }).result;
      expect(await failureOf(send(via, `http://${host}/`, { body: text("second") }))).toBe("unknown");
      expect(bodies).toEqual(["first", "second"]);
    });

    it("if the server does not speak TLS", async () => {
      const host = await tcpServer((socket) => socket.once("data", () => socket.end("HTTP/1.1 400 Bad\r\n\r\n")));
      expect(await failureOf(send(via, `https://${host}/`))).toBe("unknown");
    });

    it("if its response is larger than the limit, and the rest is not fetched", async () => {
      const closed = announcement();
      const host = await tcpServer((socket) => {
        socket.once("close", closed.announce);
        socket.once("data", () => {
          socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n");
          pour(socket);
        });
      });
      expect(await failureOf(send(via, `http://${host}/`))).toBe("unknown");
      await closed.made;
    });
  });

  describe("the deadline ends a request", () => {
    it.each<[string, string]>([
      ["while there is no response", ""],
      ["while the body has not begun", "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n"],
      ["while the body drips", 'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"id":'],
    ])("%s, and the connection is closed", async (_what, answer) => {
      let drip = (): void => {};
      const heard = announcement();
      const closed = announcement();
      const host = await tcpServer((socket) => {
        socket.once("close", closed.announce);
        drip = () => void socket.write(answer.endsWith(":") ? " " : "");
        socket.once("data", () => socket.write(answer, heard.announce));
      });
      const sending = send(via, `http://${host}/`);
      await heard.made;
      for (let second = 1; second < hardEndMs / 1000; second++) {
        await sending.clock.advance(1_000);
        drip();
      }
      await sending.clock.advance(1_000);
      expect(await failureOf(sending)).toBe("timeout");
      expect(sending.clock.monotonic()).toBe(hardEndMs);
      await closed.made;
    });
  });

  describe("a response is complete", () => {
    it.each([
      ["JSON", 200, '{"id":"1"}', { id: "1" }],
      ["an HTML page", 200, "<!doctype html><title>All is well</title>", null],
      ["empty", 200, "", null],
      ["a redirect, which is not followed", 302, "", null],
      ["an error", 503, '{"error":"down"}', { error: "down" }],
    ])("although it is %s", async (_what, status, text, parsed) => {
      const { host, bodies } = await httpServer((response) => {
        response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end(text);
      });
      expect(await send(via, `http://${host}/`).result).toMatchObject({ status, body: parsed });
      expect(bodies).toHaveLength(1);
    });
  });
});
