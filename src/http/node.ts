import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ReadableStream } from "node:stream/web";
import { quietLogger } from "../ports/logger.ts";
import { answerFor, failureAnswer, invalid } from "./answer.ts";
import { assertHandler } from "./assert-handler.ts";

/** A request of `node:http`, with what Express, Connect and body parsers add. */
export type NodeRequest = IncomingMessage & {
  /** The address before a mount took its prefix off. */
  originalUrl?: string;
  /** What a body parser has made of the body. */
  body?: unknown;
};

/** What `node:http`, Express and Connect take as it is, and Fastify with `request.raw` and `reply.raw`. */
export type NodeHandler = (request: NodeRequest, response: ServerResponse) => Promise<void>;

/**
 * A Fetch handler as a listener of Node. It always answers, never rejects, and
 * never passes on to the next handler. A client that goes away cancels nothing.
 *
 * Mount it before any body parser. Behind one it works with what the parser
 * left in `request.body`, written as JSON again: the bytes are then not those
 * that were sent.
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
      // A body that nobody has read must not keep the connection from its next request.
      incoming.resume();
    }
  };
}

async function toRequest(incoming: NodeRequest): Promise<Request> {
  const { method = "GET" } = incoming;
  const address = addressOf(incoming);
  const headers = headersOf(incoming);
  if (method === "GET" || method === "HEAD") return new Request(address, { method, headers });
  if (!isTakenByFetch(method)) return new Request(address, { method: "OPTIONS", headers }); // No endpoint has either.
  if (!incoming.readableDidRead)
    return new Request(address, { method, headers, body: streamOf(incoming), duplex: "half" });
  for (const name of ["content-length", "content-encoding", "transfer-encoding"]) headers.delete(name);
  const request = new Request(address, { method, headers, body: rewritten(incoming.body) });
  // Nothing is left of the body: it counts as used, and the handler says what to do.
  if (incoming.body === undefined) await request.text();
  return request;
}

/** Fetch refuses some methods, and takes others by their lower-case name, which is another one: RFC 9110, section 9.1. */
function isTakenByFetch(method: string): boolean {
  return /^[A-Z-]+$/.test(method) && !["CONNECT", "TRACE", "TRACK"].includes(method);
}

/** The whole address, whatever the client has put into its first line and into Host. */
function addressOf({ originalUrl, url = "/", headers, socket }: NodeRequest): string {
  const target = originalUrl ?? url;
  const absolute = /^https?:\/\//i.test(target) && URL.canParse(target) ? new URL(target) : null;
  const scheme = "encrypted" in socket ? "https" : "http";
  const origin = `${scheme}://${hostOf(absolute?.host ?? headers.host ?? headers[":authority"])}`;
  // Put together as text: `//double/slashes` are a path here, not a host.
  if (absolute !== null) return origin + absolute.pathname + absolute.search;
  return origin + (target.startsWith("/") ? target : `/${target}`);
}

/** A placeholder where the client gave no host, or one that would be read as part of the path. */
function hostOf(given: string | string[] = ""): string {
  const host = String(given);
  return /^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}`) ? host : "host.invalid";
}

/** As the host's own code sees them, not as they arrived: it may have taken out what it does not trust. */
function headersOf(incoming: NodeRequest): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headers)) {
    if (name.startsWith(":")) continue; // HTTP/2 has its first line there.
    for (const value of [values ?? []].flat()) headers.append(name, value);
  }
  return headers;
}

/** The body as it arrives. Reading may stop early: the connection stays open for the answer. */
function streamOf(incoming: NodeRequest): ReadableStream<Uint8Array> {
  return ReadableStream.from<Uint8Array>(incoming.iterator({ destroyOnReturn: false }));
}

/** @throws HttpFailure for what cannot be written again */
function rewritten(body: unknown): string | Uint8Array {
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  try {
    return JSON.stringify(body) ?? "";
  } catch {
    throw invalid("The body is nested too deeply.", "body");
  }
}

async function send(answer: Response, outgoing: ServerResponse): Promise<void> {
  // Something else has answered, such as a timeout of the host's, or the client is gone.
  if (outgoing.headersSent || outgoing.destroyed) return answer.body?.cancel();
  outgoing.statusCode = answer.status;
  for (const [name, value] of answer.headers) {
    if (name === "set-cookie") outgoing.appendHeader(name, value);
    else outgoing.setHeader(name, value);
  }
  if (answer.body === null) return void outgoing.end();
  // A client that goes away ends the answer, and nothing else.
  await pipeline(Readable.fromWeb(answer.body), outgoing).catch(() => undefined);
}

/** `handler` does not throw if it is ours; what the host has put around it may. */
function faultAnswer(error: unknown): Response {
  quietLogger.error("a request failed", {
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  return failureAnswer({ code: "internal_error", status: 500, message: "Something went wrong here." });
}
