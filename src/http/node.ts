import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ReadableStream } from "node:stream/web";
import { quietLogger } from "../ports/logger.ts";
import { answerFor, failureAnswer, invalid } from "./answer.ts";
import { assertHandler } from "./assert-handler.ts";

/** A request of `node:http`, with the fields that Express, Connect and body parsers add. */
export type NodeRequest = IncomingMessage & {
  /** The URL before a mount removed its prefix. */
  originalUrl?: string;
  /** The body as a body parser left it. */
  body?: unknown;
};

/** A listener for `node:http`, Express and Connect; also for Fastify, with `request.raw` and `reply.raw`. */
export type NodeHandler = (request: NodeRequest, response: ServerResponse) => Promise<void>;

/**
 * Adapts a Fetch handler to Node. It always responds, never rejects, and never calls the next handler. A client that
 * disconnects cancels no work.
 *
 * Mount it before any body parser. Behind one, it serializes `request.body` as JSON again, so that the bytes may
 * differ from those that were sent.
 *
 * @throws SocialError `invalid_options` for anything but a function, such as the service itself
 *
 * @example
 * app.use("/social", toNodeHandler(createHandler(social, { basePath: "/social" })));
 *
 * @example
 * // Fastify; `onRequest` comes before its body parser.
 * const onRequest = (request, reply) => (reply.hijack(), listener(request.raw, reply.raw));
 * app.all("/social/*", { onRequest }, () => {});
 */
export function toNodeHandler(handler: (request: Request) => Response | Promise<Response>): NodeHandler {
  assertHandler("toNodeHandler", handler);
  return async (incoming, outgoing) => {
    try {
      await send(await handler(await toRequest(incoming)), outgoing);
    } catch (error) {
      await send(answerFor(error) ?? faultAnswer(error), outgoing);
    } finally {
      // An unread body would block the connection's next request.
      incoming.resume();
    }
  };
}

async function toRequest(incoming: NodeRequest): Promise<Request> {
  const { method = "GET" } = incoming;
  const address = addressOf(incoming);
  const headers = headersOf(incoming);
  if (method === "GET" || method === "HEAD") return new Request(address, { method, headers });
  if (!isTakenByFetch(method)) return new Request(address, { method: "OPTIONS", headers }); // No route has either.
  if (!incoming.readableDidRead)
    return new Request(address, { method, headers, body: streamOf(incoming), duplex: "half" });
  for (const name of ["content-length", "content-encoding", "transfer-encoding"]) headers.delete(name);
  const request = new Request(address, { method, headers, body: rewritten(incoming.body) });
  // The body is lost: marking it as used makes the handler respond with the remedy.
  if (incoming.body === undefined) await request.text();
  return request;
}

/** False: Fetch forbids the method, or would change its case. Methods are case-sensitive: RFC 9110, section 9.1. */
function isTakenByFetch(method: string): boolean {
  return /^[A-Z-]+$/.test(method) && !["CONNECT", "TRACE", "TRACK"].includes(method);
}

/** The absolute URL of a request, even from a malformed request line or Host header. */
function addressOf({ originalUrl, url = "/", headers, socket }: NodeRequest): string {
  const target = originalUrl ?? url;
  const absolute = /^https?:\/\//i.test(target) && URL.canParse(target) ? new URL(target) : null;
  const scheme = "encrypted" in socket ? "https" : "http";
  const origin = `${scheme}://${hostOf(absolute?.host ?? headers.host ?? headers[":authority"])}`;
  // Built as text: `//double/slashes` are a path here, not a host.
  if (absolute !== null) return origin + absolute.pathname + absolute.search;
  return origin + (target.startsWith("/") ? target : `/${target}`);
}

/** A placeholder if the client sent no host, or one that would be parsed as part of the path. */
function hostOf(given: string | string[] = ""): string {
  const host = String(given);
  return /^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}`) ? host : "host.invalid";
}

/** The parsed headers rather than the raw ones: the host's own code may have removed untrusted ones. */
function headersOf(incoming: NodeRequest): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headers)) {
    if (name.startsWith(":")) continue; // HTTP/2 pseudo-headers.
    for (const value of [values ?? []].flat()) headers.append(name, value);
  }
  return headers;
}

/** The body as a stream. If reading stops early, the connection stays open for the response. */
function streamOf(incoming: NodeRequest): ReadableStream<Uint8Array> {
  return ReadableStream.from<Uint8Array>(incoming.iterator({ destroyOnReturn: false }));
}

/** @throws HttpFailure for a body that cannot be serialized */
function rewritten(body: unknown): string | Uint8Array {
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  try {
    return JSON.stringify(body) ?? "";
  } catch {
    throw invalid("The body is nested too deeply.", "body");
  }
}

async function send(answer: Response, outgoing: ServerResponse): Promise<void> {
  // Other code has responded, such as a timeout of the host's, or the client has disconnected.
  if (outgoing.headersSent || outgoing.destroyed) return answer.body?.cancel();
  outgoing.statusCode = answer.status;
  for (const [name, value] of answer.headers) {
    if (name === "set-cookie") outgoing.appendHeader(name, value);
    else outgoing.setHeader(name, value);
  }
  if (answer.body === null) return void outgoing.end();
  // A client that disconnects ends only the response.
  await pipeline(Readable.fromWeb(answer.body), outgoing).catch(() => undefined);
}

/** Our `handler` does not throw; code that the host has wrapped around it may. */
function faultAnswer(error: unknown): Response {
  quietLogger.error("a request failed", {
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  return failureAnswer({ code: "internal_error", status: 500, message: "Something went wrong here." });
}
