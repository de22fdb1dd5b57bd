import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createUntrustedHttp } from "../../../src/outbound/guard/guard.ts";
import { systemClock } from "../../../src/ports/clock.ts";

let server: Server;
let place: string;
let handle: RequestListener;
/** Connections that the server has accepted. */
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

describe("a guard with keep-alive", () => {
  it("reuses a connection for the next request to the same target", async () => {
    const http = keeping();
    for (let count = 0; count < 3; count++) expect(await post(http)).toBe("hello");
    expect(connections).toHaveLength(1);
  });

  it("reuses a connection after a response without a body", async () => {
    handle = (request, response) => void request.resume().once("end", () => response.writeHead(204).end());
    const http = keeping();
    await post(http);
    // Without a body, the response is complete one turn of the event loop later.
    await new Promise((resolve) => setImmediate(resolve));
    await post(http);
    expect(connections).toHaveLength(1);
  });

  it("opens another connection while one is in use", async () => {
    const http = keeping();
    await Promise.all([post(http), post(http)]);
    expect(connections).toHaveLength(2);
  });

  it("sends a request again on a new connection if the server has closed the old one", async () => {
    const http = keeping();
    await post(http);
    const bodies: string[] = [];
    handle = (request, response) => {
      // Like a server that closed the connection at the moment when the request was sent.
      if (request.socket === connections[0]) return void request.socket.destroy();
      request.on("data", (chunk) => bodies.push(String(chunk))).once("end", () => response.end("again"));
    };
    expect(await post(http)).toBe("again");
    expect([bodies, connections.length]).toEqual([["event"], 2]);
  });

  it("does not send a request again that failed on a new connection", async () => {
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

  it("closes a connection whose response is not read to the end", async () => {
    handle = (_request, response) => void response.write("never more than this");
    const http = keeping();
    const response = await http(`http://${place}/`, { method: "POST", body: "event" });
    const closed = new Promise((resolve) => connections[0]?.once("close", resolve));
    await response.body?.cancel();
    await closed;
    expect(connections).toHaveLength(1);
  });

  it("vets each target that it opens a connection to", async () => {
    const http = keeping();
    await post(http);
    const port = place.split(":")[1];
    const refusal = await http(`http://localhost:${port}/`, { method: "POST", body: "event" }).catch((error) => error);
    expect(refusal.cause).toMatchObject({ code: "ADDRESS_REFUSED" });
    expect(connections).toHaveLength(1);
  });

  it("stops at its signal, also while it opens a connection", async () => {
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
