import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createUntrustedHttp } from "../../../src/outbound/guard/guard.ts";
import { systemClock } from "../../../src/ports/clock.ts";

let server: Server;
let place: string;
let handle: RequestListener;
/** Connections that the server has taken. */
let connections: Socket[];

beforeEach(async () => {
  handle = (request, response) => void request.resume().once("end", () => response.end("hello"));
  connections = [];
  server = createServer((request, response) => handle(request, response));
  server.on("connection", (socket) => connections.push(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function keeping(): typeof fetch {
  return createUntrustedHttp({ clock: systemClock, allow: [place], keepConnections: true });
}

async function post(http: typeof fetch, init: RequestInit = {}): Promise<string> {
  return (await http(`http://${place}/`, { method: "POST", body: "event", ...init })).text();
}

describe("a guard that keeps connections", () => {
  it("uses one again for the next request to the same place", async () => {
    const http = keeping();
    for (let count = 0; count < 3; count++) expect(await post(http)).toBe("hello");
    expect(connections).toHaveLength(1);
  });

  it("uses one again after an answer without a body", async () => {
    handle = (request, response) => void request.resume().once("end", () => response.writeHead(204).end());
    const http = keeping();
    await post(http);
    // Without a body the answer is complete a turn of the event loop later.
    await new Promise((resolve) => setImmediate(resolve));
    await post(http);
    expect(connections).toHaveLength(1);
  });

  it("opens another while one is in use", async () => {
    const http = keeping();
    await Promise.all([post(http), post(http)]);
    expect(connections).toHaveLength(2);
  });

  it("sends again, on a new one, what met a connection that the other side has closed", async () => {
    const http = keeping();
    await post(http);
    const bodies: string[] = [];
    handle = (request, response) => {
      // As a server that gave the connection up at the moment when the request left.
      if (request.socket === connections[0]) return void request.socket.destroy();
      request.on("data", (chunk) => bodies.push(String(chunk))).once("end", () => response.end("again"));
    };
    expect(await post(http)).toBe("again");
    expect([bodies, connections.length]).toEqual([["event"], 2]);
  });

  it("does not send again what broke on a new connection", async () => {
    let requests = 0;
    handle = (request) => {
      requests += 1;
      request.socket.destroy();
    };
    await expect(post(keeping())).rejects.toThrow("fetch failed");
    expect(requests).toBe(1);
  });

  it("does not send a stream again", async () => {
    const http = keeping();
    await post(http);
    handle = (request) => void request.socket.destroy();
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode("event"));
        controller.close();
      },
    });
    await expect(post(http, { body, duplex: "half" } as RequestInit)).rejects.toThrow("fetch failed");
  });

  it("closes one whose answer nobody reads to the end", async () => {
    handle = (_request, response) => void response.write("never more than this");
    const http = keeping();
    const response = await http(`http://${place}/`, { method: "POST", body: "event" });
    const closed = new Promise((resolve) => connections[0]?.once("close", resolve));
    await response.body?.cancel();
    await closed;
    expect(connections).toHaveLength(1);
  });

  it("vets each place that it opens a connection to", async () => {
    const http = keeping();
    await post(http);
    const port = place.split(":")[1];
    const refusal = await http(`http://localhost:${port}/`, { method: "POST", body: "event" }).catch((error) => error);
    expect(refusal.cause).toMatchObject({ code: "ADDRESS_REFUSED" });
    expect(connections).toHaveLength(1);
  });

  it("gives up at its signal, also while a connection is opened", async () => {
    const http = createUntrustedHttp({
      clock: systemClock,
      resolve: () => new Promise(() => {}),
      keepConnections: true,
    });
    const stop = new AbortController();
    const sent = http("https://hooks.example.com/", { method: "POST", body: "event", signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(sent).rejects.toThrow("enough");
  });
});
