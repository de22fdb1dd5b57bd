import type { IncomingMessage } from "node:http";
import { guardError } from "./errors.ts";

/** A request as it is sent. */
export interface Outgoing {
  method: string;
  headers: Headers;
  body: Uint8Array | ReadableStream<Uint8Array> | null;
}

/** Headers of one connection, which the guard writes itself. */
const hopHeaders = ["connection", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"];

/** Headers that are not sent to another host. */
const credentialHeaders = ["authorization", "cookie", "proxy-authorization"];

const defaultHeaders = { accept: "*/*", "accept-encoding": "gzip, deflate, br", "user-agent": "postrider" };

const maxRedirects = 3;

/**
 * Reads fetch's arguments except the URL. A body is held in memory and sent with its length. A stream is sent with
 * the caller's `content-length`, or in chunks without one.
 */
export async function readRequest(given: Request | null, init: RequestInit | undefined): Promise<Outgoing> {
  if (given === null && typeof init?.body === "string") return ofText(init.body, init);
  // Only a container: the URL is checked and kept elsewhere.
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
    // Set explicitly: node:http sends a DELETE without any framing.
    headers.set("transfer-encoding", "chunked");
    return { method, headers, body };
  }
  const bytes = new Uint8Array(await request.arrayBuffer());
  headers.set("content-length", String(bytes.length));
  return { method, headers, body: bytes };
}

/** The most common kind of request, without creating a Request, which costs as much as sending it. */
function ofText(text: string, init: RequestInit): Outgoing {
  const headers = new Headers(init.headers);
  for (const name of [...hopHeaders, "content-length"]) headers.delete(name);
  if (!headers.has("content-type")) headers.set("content-type", "text/plain;charset=UTF-8");
  for (const [name, value] of Object.entries(defaultHeaders)) if (!headers.has(name)) headers.set(name, value);
  const body = new TextEncoder().encode(text);
  headers.set("content-length", String(body.length));
  return { method: (init.method ?? "GET").toUpperCase(), headers, body };
}

/** The stream's chunks; fails if their length differs from `content-length`. */
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

/** The target of a redirect; null: the response is none, or has no target. */
export function redirectLocation(answer: Pick<IncomingMessage, "statusCode" | "headers">, url: URL): URL | null {
  const received = answer.headers.location;
  if (![301, 302, 303, 307, 308].includes(answer.statusCode ?? 0) || received === undefined) return null;
  // Servers send UTF-8 here; node:http decodes headers as Latin-1.
  const location = Buffer.from(received, "latin1").toString("utf8");
  if (!URL.canParse(location, url.href)) throw guardError("REDIRECT_REFUSED", "redirected to an invalid URL");
  return new URL(location, url);
}

/**
 * The request for the next redirect, by fetch's rules: after 303, and after 301 or 302 to a POST, a GET without a
 * body. Credentials are not sent to another host.
 *
 * @throws an error with code `REDIRECT_REFUSED`: too many redirects, from https to http, or a streamed body that
 * would have to be sent again
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
