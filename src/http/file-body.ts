import type { UploadSource } from "../hosting/source.ts";
import { invalid } from "./answer.ts";
import { assertPlain, assertUnread, brokenOff, isJson } from "./body.ts";
import { boundaryOf, readFilePart } from "./multipart.ts";

/**
 * A request's body as a file, which is read when it is written and not before:
 * the body as it is, or the one file of a form. Null for JSON, and for nothing at all.
 *
 * @throws HttpFailure 400 for a form that holds no file, or is none
 */
export async function openFileBody(request: Request): Promise<UploadSource | null> {
  const type = request.headers.get("content-type");
  if (isJson(type)) return null;
  assertUnread(request);
  assertPlain(request);
  if (request.body === null) throw invalid("The body is empty; send a picture or video.", "body");
  const boundary = boundaryOf(type);
  const stream = orBrokenOff(request.body);
  if (boundary !== null) return { stream: await readFilePart(stream, boundary) };
  const length = request.headers.get("content-length") ?? "";
  return { stream, ...(/^\d{1,15}$/.test(length) ? { size_bytes: Number(length) } : {}) };
}

/** The same bytes. A sender that goes away is no fault of ours. */
function orBrokenOff(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await reader.read().catch(brokenOff);
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
