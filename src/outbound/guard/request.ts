import type { IncomingMessage } from "node:http";
import { guardError } from "./errors.ts";

/** A request as it goes onto the wire. */
export interface Outgoing {
  method: string;
  headers: Headers;
  body: Uint8Array | ReadableStream<Uint8Array> | null;
}

/** About one connection, not about the request: the guard writes these itself. */
const hopHeaders = ["connection", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"];

/** Not sent to another host. */
const credentialHeaders = ["authorization", "cookie", "proxy-authorization"];

const defaultHeaders = { accept: "*/*", "accept-encoding": "gzip, deflate, br", "user-agent": "postrider" };

const maxRedirects = 3;

/**
 * Reads fetch's arguments but for the address. A body is held in memory and
 * sent with its length, unless it is a stream: that is sent with the
 * `content-length` that the caller states, or in chunks when none is stated.
 */
export async function readRequest(given: Request | null, init: RequestInit | undefined): Promise<Outgoing> {
  if (given === null && typeof init?.body === "string") return ofText(init.body, init);
  // Only a vessel: the address is vetted and kept elsewhere.
  const request = new Request(given ?? "https://vessel.invalid", { duplex: "half", ...init, signal: null });
  const headers = new Headers(request.headers);
  for (const name of hopHeaders) headers.delete(name);
  for (const [name, value] of Object.entries(defaultHeaders)) if (!headers.has(name)) headers.set(name, value);
  const length = headers.get("content-length");
  if (length !== null && !/^\d{1,15}$/.test(length))
    throw guardError("INVALID_LENGTH", "content-length is not a number");

  const { method, body } = request;
  if (body === null) return { method, headers, body };
  if (length !== null) return { method, headers, body };
  if (init?.body instanceof ReadableStream) {
    // Said outright: node:http leaves a DELETE without any framing.
    headers.set("transfer-encoding", "chunked");
    return { method, headers, body };
  }
  const bytes = new Uint8Array(await request.arrayBuffer());
  headers.set("content-length", String(bytes.length));
  return { method, headers, body: bytes };
}

/** The most common kind of request, without making a Request: that costs as much as sending it. */
function ofText(text: string, init: RequestInit): Outgoing {
  const headers = new Headers(init.headers);
  for (const name of [...hopHeaders, "content-length"]) headers.delete(name);
  if (!headers.has("content-type")) headers.set("content-type", "text/plain;charset=UTF-8");
  for (const [name, value] of Object.entries(defaultHeaders)) if (!headers.has(name)) headers.set(name, value);
  const body = new TextEncoder().encode(text);
  headers.set("content-length", String(body.length));
  return { method: (init.method ?? "GET").toUpperCase(), headers, body };
}

/** The stream's chunks; fails when they are more or fewer bytes than `content-length` says. */
export async function* sentChunks(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  contentLength: string | null,
): AsyncGenerator<Uint8Array> {
  let leftBytes = contentLength === null ? Number.POSITIVE_INFINITY : Number(contentLength);
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    leftBytes -= next.value.length;
    if (leftBytes < 0) throw guardError("LENGTH_MISMATCH", "the body is longer than its content-length");
    yield next.value;
  }
  if (contentLength !== null && leftBytes > 0) {
    throw guardError("LENGTH_MISMATCH", "the body is shorter than its content-length");
  }
}

/** Where a redirect answer points; null when it is none, or points nowhere. */
export function redirectLocation(answer: Pick<IncomingMessage, "statusCode" | "headers">, url: URL): URL | null {
  const received = answer.headers.location;
  if (![301, 302, 303, 307, 308].includes(answer.statusCode ?? 0) || received === undefined) return null;
  // Servers write UTF-8 here; node:http reads headers as Latin-1.
  const location = Buffer.from(received, "latin1").toString("utf8");
  if (!URL.canParse(location, url.href)) throw guardError("REDIRECT_REFUSED", "redirected to an invalid URL");
  return new URL(location, url);
}

/**
 * The request for the next hop, by fetch's rules: after 303, and after 301 or
 * 302 to a POST, it is a GET without a body. Credentials stay with their host.
 *
 * @throws an error with code `REDIRECT_REFUSED`: too many hops, from https to
 *   http, or a streamed body that would have to be sent again
 */
export function redirected(outgoing: Outgoing, hop: { from: URL; to: URL; status: number; count: number }): Outgoing {
  if (hop.count > maxRedirects) throw guardError("REDIRECT_REFUSED", "redirected more than 3 times");
  if (hop.from.protocol === "https:" && hop.to.protocol !== "https:") {
    throw guardError("REDIRECT_REFUSED", "redirected from https to another scheme");
  }
  const headers = new Headers(outgoing.headers);
  if (hop.from.origin !== hop.to.origin) for (const name of credentialHeaders) headers.delete(name);
  if (becomesGet(outgoing.method, hop.status)) {
    for (const name of [...headers.keys()].filter((key) => key.startsWith("content-"))) headers.delete(name);
    return { method: "GET", headers, body: null };
  }
  if (outgoing.body instanceof ReadableStream) {
    throw guardError("REDIRECT_REFUSED", "redirected, but a streamed body cannot be resent");
  }
  return { ...outgoing, headers };
}

function becomesGet(method: string, status: number): boolean {
  if (status === 303) return method !== "GET" && method !== "HEAD";
  return (status === 301 || status === 302) && method === "POST";
}
