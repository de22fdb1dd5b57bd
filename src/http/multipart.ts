import { type HttpFailure, invalid } from "./answer.ts";

/** Maximum size of a part's headers, bytes. */
const maxHeaderBytes = 8_192;

/** The required name of the part. */
const partName = "file";

const dashes = Buffer.from("--");
const lineEnd = Buffer.from("\r\n");
const headersEnd = Buffer.from("\r\n\r\n");

/**
 * The boundary of a form, from its `Content-Type`; null: it is not a form.
 *
 * @throws HttpFailure 400 for a form without one (RFC 2046, section 5.1.1: 1 to 70 characters)
 */
export function boundaryOf(contentType: string | null): string | null {
  if (!/^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType ?? "")) return null;
  const found = /;\s*boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'()+,./:=?-]{1,70}))\s*(?:;|$)/i.exec(
    contentType ?? "",
  );
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined || boundary.endsWith(" ")) {
    throw invalid("The form has no boundary, or an invalid one, in its Content-Type.", "Content-Type");
  }
  return boundary;
}

/**
 * The file of a form (RFC 7578) with one part, named `file`. An invalid form makes the stream fail, at the latest at
 * the end of the file.
 *
 * @throws HttpFailure 400
 */
export async function readFilePart(
  body: ReadableStream<Uint8Array>,
  boundary: string,
): Promise<ReadableStream<Uint8Array>> {
  const bytes = createBuffer(body);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  try {
    await skipOpening(bytes, delimiter);
    checkHeaders(await readHeaders(bytes));
  } catch (error) {
    bytes.cancel(error);
    throw error;
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const piece = await nextPiece(bytes, delimiter);
          if (piece.length > 0) controller.enqueue(piece);
          if (piece.length > 0) return;
          await checkClosing(bytes, delimiter);
          bytes.cancel();
          controller.close();
        } catch (error) {
          bytes.cancel(error);
          throw error;
        }
      },
      cancel: bytes.cancel,
    },
    { highWaterMark: 0 },
  );
}

/** Received bytes of a body that were not used yet. */
interface BodyBuffer {
  bytes(): Buffer;
  /** Waits for more bytes. @throws HttpFailure at the end of the body */
  more(): Promise<void>;
  /** Removes this many bytes from the beginning and returns them. */
  take(length: number): Buffer;
  cancel(reason?: unknown): void;
}

function createBuffer(body: ReadableStream<Uint8Array>): BodyBuffer {
  const reader = body.getReader();
  let held: Buffer = Buffer.alloc(0);
  return {
    bytes: () => held,
    async more() {
      const next = await reader.read();
      if (next.done) throw broken("The form ends in the middle.");
      const { buffer, byteOffset, length } = next.value;
      const piece = Buffer.from(buffer, byteOffset, length);
      held = held.length === 0 ? piece : Buffer.concat([held, piece]);
    },
    take(length) {
      const taken = held.subarray(0, length);
      held = held.subarray(length);
      return taken;
    },
    // Not awaited: a stalled body would block the caller.
    cancel: (reason) => void reader.cancel(reason).catch(() => undefined),
  };
}

async function atLeast(bytes: BodyBuffer, length: number): Promise<Buffer> {
  while (bytes.bytes().length < length) await bytes.more();
  return bytes.take(length);
}

/** Skips the first boundary, which has no line before it, or an empty one. */
async function skipOpening(bytes: BodyBuffer, delimiter: Buffer): Promise<void> {
  const start = await atLeast(bytes, 2);
  const rest = start.equals(lineEnd) ? delimiter.subarray(2) : delimiter.subarray(4);
  const isOpening = start.equals(lineEnd) || start.equals(dashes);
  const isBoundary = isOpening && (await atLeast(bytes, rest.length)).equals(rest);
  if (!isBoundary) throw broken("The form does not begin with its boundary.");
  if (!(await atLeast(bytes, 2)).equals(lineEnd)) throw broken("The form has no part.");
}

async function readHeaders(bytes: BodyBuffer): Promise<string> {
  for (;;) {
    const end = bytes.bytes().indexOf(headersEnd);
    if (end > maxHeaderBytes || (end === -1 && bytes.bytes().length > maxHeaderBytes)) {
      throw broken(`The head of the part is longer than ${maxHeaderBytes} bytes.`);
    }
    if (end !== -1) return bytes.take(end + headersEnd.length).toString("latin1");
    await bytes.more();
  }
}

function checkHeaders(headers: string): void {
  if (/\r(?!\n)|(?<!\r)\n|\0/.test(headers)) throw broken("The head of the part has invalid characters.");
  const disposition = headerOf(headers, "content-disposition");
  const encoding = headerOf(headers, "content-transfer-encoding") ?? "binary";
  if (!/^(?:binary|8bit|7bit)$/i.test(encoding)) throw broken("The part is encoded; send it as binary.");
  const isFormData = /^form-data\s*;/i.test(disposition ?? "");
  if (!isFormData || nameIn(disposition ?? "") !== partName) {
    throw broken(`Send a form with one part, named ${partName}.`);
  }
}

function headerOf(headers: string, name: string): string | null {
  const line = headers.split("\r\n").find((each) => each.toLowerCase().startsWith(`${name}:`));
  return line === undefined ? null : line.slice(name.length + 1).trim();
}

/** The parameter `name`, as written between its quotes. */
function nameIn(disposition: string): string | null {
  for (const [, key = "", quoted, plain] of disposition.matchAll(/;\s*([\w*]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g)) {
    if (key.toLowerCase() === "name") return quoted ?? plain ?? null;
  }
  return null;
}

/** The next bytes of the file; empty: the file has ended, and the boundary is next. */
async function nextPiece(bytes: BodyBuffer, delimiter: Buffer): Promise<Buffer> {
  for (;;) {
    const end = bytes.bytes().indexOf(delimiter);
    if (end !== -1) return bytes.take(end);
    // The last bytes may be the beginning of the boundary.
    const sure = bytes.bytes().length - delimiter.length + 1;
    if (sure > 0) return bytes.take(sure);
    await bytes.more();
  }
}

async function checkClosing(bytes: BodyBuffer, delimiter: Buffer): Promise<void> {
  await atLeast(bytes, delimiter.length);
  const after = await atLeast(bytes, dashes.length);
  if (after.equals(dashes)) return;
  throw broken(after.equals(lineEnd) ? "The form has several parts; send one file." : "The form's boundary is broken.");
}

function broken(message: string): HttpFailure {
  return invalid(message, "body");
}
