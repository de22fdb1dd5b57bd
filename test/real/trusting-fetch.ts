import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { Readable } from "node:stream";
import { testCertificate } from "../outbound/certificate.ts";
import { readAll } from "./snac.ts";

/** The host name of the test certificate. */
export const certifiedName = "hooks.example.com";

/**
 * A `fetch` that resolves only the certified name, to this machine, and
 * trusts its certificate. It replaces the guard, which would refuse both.
 * Responses are read whole.
 */
export const trustingFetch: typeof fetch = async (input, init) => {
  const { url, method, headers, body, signal } = new Request(input, {
    redirect: "manual",
    duplex: "half",
    ...init,
  } as RequestInit);
  const { hostname, port, pathname, search } = new URL(url);
  if (hostname !== certifiedName) throw refused(hostname);
  const outgoing = request({
    host: "127.0.0.1",
    servername: certifiedName,
    port,
    path: pathname + search,
    method,
    headers: { ...Object.fromEntries(headers), host: `${hostname}:${port}` },
    ca: testCertificate,
    agent: false,
    signal,
  });
  // A connection may break more than once.
  outgoing.on("error", () => undefined);
  try {
    const answered = once(outgoing, "response");
    if (body === null) outgoing.end();
    else Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]).pipe(outgoing);
    const [answer] = (await answered) as [IncomingMessage];
    const bytes = await readAll(answer);
    const status = answer.statusCode ?? 0;
    const shown = new Headers(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
    return new Response(status === 204 ? null : new Uint8Array(bytes), { status, headers: shown });
  } catch (cause) {
    signal.throwIfAborted();
    throw new TypeError("fetch failed", { cause });
  }
};

function refused(hostname: string): TypeError {
  return new TypeError("fetch failed", { cause: new Error(`Nothing is sent to ${hostname} in this test.`) });
}
