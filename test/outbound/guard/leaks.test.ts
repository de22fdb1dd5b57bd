import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inspectMedia } from "../../../src/media/fetch.ts";
import { openMedia } from "../../../src/media/fetch-stream.ts";
import { createUntrustedHttp } from "../../../src/outbound/guard/guard.ts";
import { createOutbound } from "../../../src/outbound/http.ts";
import { systemClock } from "../../../src/ports/clock.ts";
import { manualClock } from "../../../src/testing/clock.ts";

let server: Server;
let place: string;
/** The response on each connection, as soon as it has sent data. */
let answer: string;
let open: Set<Socket>;
let taken: number;

beforeEach(async () => {
  open = new Set();
  taken = 0;
  server = createServer((socket) => {
    taken += 1;
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    // Only the other side is under test.
    socket.on("error", () => {});
    // Never ended from here: the client must close it.
    socket.once("data", () => socket.write(answer, "latin1"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  for (const socket of open) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

/** Connections that are still open after this process had time to close them. */
async function leftOpen(): Promise<number> {
  for (let turn = 0; turn < 500 && open.size > 0; turn++) await new Promise((resolve) => setImmediate(resolve));
  return open.size;
}

const endless = "transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n";

/** Responses that make a client abort, each at another place. */
const hostileAnswers: [string, string][] = [
  ["a location that is not a URL", "HTTP/1.1 302 Found\r\nlocation: http://[::1\r\n\r\n"],
  ["a location without a host, with a body", `HTTP/1.1 307 Temporary\r\nlocation: https://\r\n${endless}`],
  ["a location that is refused", `HTTP/1.1 302 Found\r\nlocation: https://127.0.0.1/\r\n${endless}`],
  ["a location with another scheme", `HTTP/1.1 302 Found\r\nlocation: ftp://127.0.0.1/\r\n${endless}`],
  ["a location that is its own URL", `HTTP/1.1 302 Found\r\nlocation: /again\r\n${endless}`],
  ["an invalid status", `HTTP/1.1 999 Denied\r\n${endless}`],
  ["another protocol", "HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"],
  ["something other than HTTP", "nonsense\r\n\r\n"],
  ["an invalid head", "HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n"],
  ["an endless head", `HTTP/1.1 200 OK\r\nx: ${"a".repeat(100_000)}`],
  ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n"],
  ["a forbidden body", `HTTP/1.1 205 Reset\r\n${endless}`],
  ["a wrong encoding", "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 5\r\n\r\nhello"],
];

describe("no connection stays open after a hostile response:", () => {
  it.each(hostileAnswers)("%s", async (_what, text) => {
    answer = text;
    const http = createUntrustedHttp({ clock: systemClock, allow: [place] });
    for (let count = 0; count < 5; count++) {
      const response = await http(`http://${place}/`, { redirect: "follow" }).catch(() => null);
      await response?.text().catch(() => null);
    }
    expect(taken).toBeGreaterThanOrEqual(5);
    expect(await leftOpen()).toBe(0);
  });

  // For HTTP, the last one is complete: its connection is kept for the next request.
  it.each(hostileAnswers.slice(0, -1))("%s, with keep-alive", async (_what, text) => {
    answer = text;
    const http = createUntrustedHttp({ clock: systemClock, allow: [place], keepConnections: true });
    const response = await http(`http://${place}/`, { redirect: "follow" }).catch(() => null);
    await response?.text().catch(() => null);
    expect(await leftOpen()).toBe(0);
  });

  it.each(hostileAnswers)("%s, to the inspection of a file", async (_what, text) => {
    answer = text;
    const http = createUntrustedHttp({ clock: systemClock, allow: [place] });
    await expect(inspectMedia(`http://${place}/a.png`, { http, clock: systemClock })).rejects.toThrow();
    await expect(openMedia(`http://${place}/a.png`, { http, clock: systemClock, maxBytes: 9 })).rejects.toThrow();
    expect(await leftOpen()).toBe(0);
  });
});

describe("no connection stays open", () => {
  it.each(["constructor", "__proto__", "toString", "hasOwnProperty"])(
    "if an encoding is called %s, whose body is returned unchanged",
    async (encoding) => {
      answer = `HTTP/1.1 200 OK\r\ncontent-encoding: ${encoding}\r\ncontent-length: 5\r\n\r\nhello`;
      const http = createUntrustedHttp({ clock: systemClock, allow: [place] });
      const response = await http(`http://${place}/`);
      expect([await response.text(), response.headers.get("content-encoding")]).toEqual(["hello", encoding]);
      expect(await leftOpen()).toBe(0);
    },
  );

  it("if the request itself cannot be written", async () => {
    const http = createUntrustedHttp({ clock: systemClock, allow: [place] });
    await expect(http(`http://${place}/`, { method: "NOT ONE", body: "text" })).rejects.toThrow("fetch failed");
    expect([taken, await leftOpen()]).toEqual([1, 0]);
  });

  it("if the caller aborts at the moment when the connection opens", async () => {
    answer = `HTTP/1.1 200 OK\r\n${endless}`;
    const stop = new AbortController();
    const http = createUntrustedHttp({ clock: systemClock, allow: [place] });
    const connected = new Promise((resolve) => server.once("connection", resolve));
    const asked = http(`http://${place}/`, { signal: stop.signal });
    asked.catch(() => {});
    await connected;
    stop.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
    expect(await leftOpen()).toBe(0);
  });
});

describe("a file for a request's body", () => {
  /** A stream that records whether it was cancelled. */
  function file(): { stream: ReadableStream<Uint8Array>; isDropped: () => boolean } {
    let dropped = false;
    const cancel = (): void => {
      dropped = true;
    };
    return { stream: new ReadableStream({ cancel }), isDropped: () => dropped };
  }

  it("is closed if no connection is made", async () => {
    const { stream, isDropped } = file();
    const http = createUntrustedHttp({ clock: systemClock });
    await expect(
      http("https://127.0.0.1/", { method: "POST", body: stream, duplex: "half" } as RequestInit),
    ).rejects.toThrow("fetch failed");
    expect(isDropped()).toBe(true);
  });

  it("is closed if a fetch never reads it", async () => {
    const { stream, isDropped } = file();
    const clock = manualClock();
    const refuse: typeof fetch = () => Promise.reject(new TypeError("fetch failed"));
    const outbound = createOutbound({ http: refuse, untrustedHttp: refuse, clock });
    const body = { contentType: "video/mp4", content: { stream, sizeBytes: 9 } };
    const exchange = { method: "POST", url: "https://network.example/", headers: {}, body, hardEndMs: 1_000 } as const;
    await expect(outbound.send({ ...exchange, trust: "fixed" })).rejects.toThrow();
    expect(isDropped()).toBe(true);
  });
});

it("a response after the deadline is cancelled", async () => {
  const clock = manualClock();
  let isCancelled = false;
  let arrive = (_response: Response): void => {};
  const late: typeof fetch = () =>
    new Promise((resolve) => {
      arrive = resolve;
    });
  const outbound = createOutbound({ http: late, untrustedHttp: late, clock });
  const sent = clock.run(() =>
    outbound.send({ method: "GET", url: "https://network.example/", headers: {}, trust: "fixed", hardEndMs: 1_000 }),
  );
  await expect(sent).rejects.toThrow("did not respond");
  arrive(
    new Response(
      new ReadableStream({
        cancel() {
          isCancelled = true;
        },
      }),
    ),
  );
  await clock.advance(1);
  expect(isCancelled).toBe(true);
});
