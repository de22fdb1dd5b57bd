import type { IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { guardError } from "./errors.ts";

/** The function of `node:zlib` that decodes each encoding. */
const decoders = new Map<string, "createGunzip" | "createInflate" | "createBrotliDecompress">([
  ["gzip", "createGunzip"],
  ["x-gzip", "createGunzip"],
  ["deflate", "createInflate"],
  ["br", "createBrotliDecompress"],
]);

interface AnsweredRequest {
  url: URL;
  method: string;
  isRedirected: boolean;
}

/**
 * Converts Node's response to a WHATWG Response with a streamed body. Nothing is read before the consumer reads, and
 * cancelling the body closes the connection. A compressed body is decoded and loses `content-encoding` and
 * `content-length`, which no longer describe it; a partial one cannot be decoded.
 */
export function toResponse(incoming: IncomingMessage, request: AnsweredRequest): Response {
  const status = incoming.statusCode ?? 0;
  if (status < 200 || status > 599) {
    throw guardError("INVALID_STATUS", `returned status ${status}, which is not an HTTP status`);
  }
  const headers = readHeaders(incoming.rawHeaders);
  const hasBody = request.method !== "HEAD" && ![204, 205, 304].includes(status);
  // A 205 may have a body all the same, even an endless one.
  if (status === 205) incoming.destroy();
  else if (!hasBody) incoming.resume();
  const response = new Response(hasBody ? streamOf(decoded(incoming, headers)) : null, {
    status,
    statusText: printable(incoming.statusMessage ?? ""),
    headers,
  });
  // The constructor cannot set these; fetch does.
  Object.defineProperty(response, "url", { value: withoutFragment(request.url) });
  Object.defineProperty(response, "redirected", { value: request.isRedirected });
  return response;
}

function readHeaders(rawHeaders: readonly string[]): Headers {
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  }
  return headers;
}

/** Decodes one content encoding; a body with several or an unknown one is returned unchanged. */
function decoded(incoming: IncomingMessage, headers: Headers): Readable {
  if (incoming.statusCode === 206) return incoming;
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  const name = decoders.get(encoding);
  if (name === undefined) return incoming;
  headers.delete("content-encoding");
  headers.delete("content-length");
  const decoder = process.getBuiltinModule("node:zlib")[name]();
  // Forwards errors and destroys both ends; the decoder's reader sees the error.
  pipeline(incoming, decoder, () => {});
  return decoder;
}

function streamOf(readable: Readable): ReadableStream<Uint8Array> {
  const chunks = readable[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(new Uint8Array(value));
      },
      cancel() {
        readable.destroy();
      },
    },
    // Pulls only on demand: unread bytes stay at the server.
    { highWaterMark: 0 },
  );
}

function printable(statusMessage: string): string {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(statusMessage) ? statusMessage : "";
}

function withoutFragment(url: URL): string {
  const copy = new URL(url);
  copy.hash = "";
  return copy.href;
}
