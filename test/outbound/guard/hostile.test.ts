import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createUntrustedHttp } from "../../../src/outbound/guard/guard.ts";
import { systemClock } from "../../../src/ports/clock.ts";
import { hostileHosts, hostileNames, hostileUrls } from "../hostile-addresses.ts";
import { setTraps, type Traps } from "../traps.ts";

let traps: Traps;

beforeAll(async () => {
  traps = await setTraps();
});
afterAll(() => traps.close());
beforeEach(() => traps.forget());

/** Resolves the hostile names; treats every other one as public, so that a mistake leads to a connection. */
async function resolve(hostname: string): Promise<string[]> {
  return hostileNames[hostname] ?? ["93.184.215.14"];
}

async function failureOf(request: Promise<Response>): Promise<{ code: string; message: string }> {
  const error: unknown = await request.then(
    () => new Error("it was answered"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TypeError);
  return (error as TypeError).cause as { code: string; message: string };
}

const allHostile = [
  ...hostileHosts.map((host) => `https://${host}/`),
  ...hostileHosts.map((host) => `https://${host}:PORT/`),
  ...hostileUrls,
  ...Object.keys(hostileNames).map((name) => `https://${name}/`),
];

describe("a hostile address", () => {
  it("occurs in at least 150 different hosts, names and spellings", () => {
    expect(new Set([...hostileHosts, ...hostileUrls, ...Object.keys(hostileNames)]).size).toBeGreaterThanOrEqual(150);
  });

  it.each(allHostile)("such as %j is rejected without a connection", async (address) => {
    const http = createUntrustedHttp({ clock: systemClock, resolve });
    const cause = await failureOf(http(address.replace("PORT", String(traps.port))));
    expect(address.includes("no-address") ? "ENOTFOUND" : "ADDRESS_REFUSED").toBe(cause.code);
    expect(cause.message).not.toMatch(/\d+\.\d+|::|169|7f00/);
    expect(traps.seen()).toEqual([]);
  });

  it("is resolved once, so that a second response cannot differ from the vetted one", async () => {
    const answers = [["93.184.215.14"], ["127.0.0.1"]];
    let asked = 0;
    const stop = new AbortController();
    const http = createUntrustedHttp({
      clock: systemClock,
      resolve: async () => {
        // Ends the request before a real connection to the public address.
        if (asked === 0) queueMicrotask(() => stop.abort(new Error("stopped")));
        return answers[asked++] ?? [];
      },
    });
    await expect(http("https://rebinding.example/", { signal: stop.signal })).rejects.toThrow("stopped");
    expect(asked).toBe(1);
    expect(traps.seen().filter((place) => place.startsWith("trap"))).toEqual([]);
  });
});

describe("a redirect from an allowed server", () => {
  const server = createServer((request, response) => {
    const location = Buffer.from(decodeURIComponent((request.url ?? "").slice(2)), "utf8").toString("latin1");
    response.writeHead(302, { location: location.replaceAll(/[\t\n]/g, "") }).end();
  });
  let allowed: string;

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    allowed = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  // A relative URL leads back to the server itself.
  const absolute = allHostile.filter(
    (address) => URL.canParse(address.replace("PORT", "1")) && !/^https:\/?[^/]/.test(address),
  );

  it.each(absolute)("is not followed to %j", async (address) => {
    const http = createUntrustedHttp({ clock: systemClock, resolve, allow: [allowed] });
    const location = encodeURIComponent(address.replace("PORT", String(traps.port)));
    const cause = await failureOf(http(`http://${allowed}/?${location}`, { redirect: "follow" }));
    expect(["REDIRECT_FAILED", "REDIRECT_REFUSED"]).toContain(cause.code);
    expect(traps.seen()).toEqual(["a connection was started"]);
  });
});
