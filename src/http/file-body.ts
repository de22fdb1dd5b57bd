import type { UploadSource } from "../hosting/source.ts";
import { invalid } from "./answer.ts";
import { assertPlain, assertUnread, brokenOff, isJson } from "./body.ts";
import { boundaryOf, readFilePart } from "./multipart.ts";

/**
 * Opens a request's body as a file: the body itself, or the one file of a form. It is read only while it is written
 * to the store. Null: JSON, or no body.
 *
 * @throws HttpFailure 400 for an invalid form, or one without a file
 */
export async function openFileBody(request: Request): Promise<UploadSource | null> {
  const type = request.headers.get("content-type");
  if (isJson(type)) return null;
  assertUnread(request);
  assertPlain(request);
  if (request.body === null) throw invalid("The body is empty; send an image or video.", "body");
  const boundary = boundaryOf(type);
  const stream = orBrokenOff(request.body);
  if (boundary !== null) return { stream: await readFilePart(stream, boundary) };
  const length = request.headers.get("content-length") ?? "";
  return { stream, ...(/^\d{1,15}$/.test(length) ? { size_bytes: Number(length) } : {}) };
}

/** The same bytes. If the sender disconnects, the failure is the caller's, not an internal error. */
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
