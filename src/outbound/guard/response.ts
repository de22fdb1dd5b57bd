import type { IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { guardError } from "./errors.ts";

/** The function of `node:zlib` that undoes each encoding. */
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
 * An answer on the wire as a WHATWG Response with a streamed body: nothing is
 * read before somebody reads, and a cancelled body ends the connection. A
 * compressed body is decoded and loses `content-encoding` and
 * `content-length`, which do not describe it any more; a part of one cannot be decoded.
 */
export function toResponse(incoming: IncomingMessage, request: AnsweredRequest): Response {
  const status = incoming.statusCode ?? 0;
  if (status < 200 || status > 599) {
    throw guardError("INVALID_STATUS", `answered with status ${status}, which is not an HTTP status`);
  }
  const headers = readHeaders(incoming.rawHeaders);
  const hasBody = request.method !== "HEAD" && ![204, 205, 304].includes(status);
  // A 205 may bring a body all the same, and one without end.
  if (status === 205) incoming.destroy();
  else if (!hasBody) incoming.resume();
  const response = new Response(hasBody ? streamOf(decoded(incoming, headers)) : null, {
    status,
    statusText: printable(incoming.statusMessage ?? ""),
    headers,
  });
  // The constructor leaves these empty; fetch fills them.
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

/** Undoes one content encoding; what has several or an unknown one is handed on as it is. */
function decoded(incoming: IncomingMessage, headers: Headers): Readable {
  if (incoming.statusCode === 206) return incoming;
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  const name = decoders.get(encoding);
  if (name === undefined) return incoming;
  headers.delete("content-encoding");
  headers.delete("content-length");
  const decoder = process.getBuiltinModule("node:zlib")[name]();
  // Passes errors on and destroys both ends; the reader of the decoder sees the error.
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
    // Pulls only when somebody reads: what nobody reads stays on the other side.
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
