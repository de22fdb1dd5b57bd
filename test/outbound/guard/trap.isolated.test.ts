import { Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import * as addresses from "../../../src/outbound/guard/addresses.ts";
import { createUntrustedHttp } from "../../../src/outbound/guard/guard.ts";
import { systemClock } from "../../../src/ports/clock.ts";
import { startSecureServer } from "../secure-server.ts";
import { setTraps, type Traps } from "../traps.ts";

vi.mock("../../../src/outbound/guard/addresses.ts", () => ({ refusalOf: vi.fn(() => null) }));

const connect = Socket.prototype.connect;
let traps: Traps;

beforeAll(async () => {
  traps = await setTraps();
});
afterAll(() => traps.close());
beforeEach(() => traps.forget());

it.each(["https://127.0.0.1/", "https://2130706433/", "https://[::ffff:7f00:1]/", "https://name.example/"])(
  "the trap detects a connection to %s if the address check is switched off",
  async (address) => {
    const http = createUntrustedHttp({ clock: systemClock, resolve: async () => ["127.0.0.1"] });
    await expect(http(address)).rejects.toThrow("fetch failed");
    expect(traps.seen()).toContain("a connection was started");
  },
);

it.each(["127.0.0.1", "[::1]"])("the trap detects an allowed request to %s", async (host) => {
  const http = createUntrustedHttp({ clock: systemClock, allow: [`${host}:${traps.port}`] });
  await expect(http(`http://${host}:${traps.port}/`)).rejects.toThrow("fetch failed");
  expect(traps.seen()).toContain(`trap on ${host.replace(/[[\]]/g, "")}`);
});

it("the guard closes a connection whose remote address was not vetted, before any byte is sent", async () => {
  const check = vi.mocked(addresses.refusalOf);
  check.mockReturnValueOnce(null).mockReturnValueOnce("private");
  const server = await startSecureServer();
  vi.mocked(Socket.prototype.connect).mockImplementationOnce(function (this: Socket, options: unknown, ...rest) {
    return Reflect.apply(connect, this, [{ ...(options as object), port: server.port }, ...rest]);
  });
  try {
    const http = createUntrustedHttp({ clock: systemClock, resolve: async () => ["127.0.0.2"] });
    const failure: unknown = await http("https://hooks.example.com/").catch((error: TypeError) => error.cause);
    expect(failure).toMatchObject({ code: "ADDRESS_REFUSED", message: "address refused: private" });
    expect([server.names, server.requests]).toEqual([[], []]);
  } finally {
    await server.close();
  }
});
