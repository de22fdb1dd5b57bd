import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import tls from "node:tls";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createUntrustedHttp } from "../../src/outbound/guard/guard.ts";
import { CalledOff, createOutbound } from "../../src/outbound/http.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import { testCertificate } from "./certificate.ts";
import { type SecureServer, startSecureServer } from "./secure-server.ts";

/** The server's delay in the handshake, milliseconds. */
const handshakeMs = 4_000;

let clock: ManualClock;
let secure: SecureServer;
let front: Server;
let place: string;
const sockets = new Set<Socket>();

beforeEach(async () => {
  clock = manualClock();
  secure = await startSecureServer();
  front = createServer((socket) => {
    const inner = connect(secure.port, "127.0.0.2");
    for (const each of [socket, inner]) {
      sockets.add(each);
      each.on("error", () => {});
    }
    inner.pipe(socket);
    void clock.advance(handshakeMs).then(() => socket.pipe(inner));
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  place = `hooks.example.com:${(front.address() as AddressInfo).port}`;
  const connectSecure = tls.connect;
  vi.spyOn(tls, "connect").mockImplementation(((options: tls.ConnectionOptions) =>
    connectSecure({ ...options, ca: testCertificate })) as typeof tls.connect);
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => front.close(resolve));
  await secure.close();
});

function send(maxMs: number): Promise<{ status: number }> {
  const http = createUntrustedHttp({ clock, allow: [place], resolve: async () => ["127.0.0.1"] });
  const outbound = createOutbound({ http, untrustedHttp: http, clock });
  const body = { contentType: "application/json", content: new TextEncoder().encode('{"text":"Once."}') };
  return outbound.send({
    method: "POST",
    url: `https://${place}/`,
    headers: {},
    body,
    trust: "guarded",
    hardEndMs: 30_000,
    beforeSending() {
      if (clock.monotonic() > maxMs) throw new CalledOff("too late");
    },
  });
}

it("a request is cancelled, and no byte of it sent, if the handshake took too long", async () => {
  await expect(send(handshakeMs - 1)).rejects.toMatchObject({ kind: "not_sent" });
  expect(secure.requests).toEqual([]);
});

it("a request is sent if the handshake was in time", async () => {
  expect((await send(handshakeMs)).status).toBe(200);
  expect(secure.requests).toEqual([`POST ${place} /`]);
});
