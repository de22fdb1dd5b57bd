import { open } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { openMedia } from "../media/fetch-stream.ts";
import { isBytes } from "../wire/describe-value.ts";
import { PublishingError, SocialError } from "../wire/errors.ts";
import type { FileField } from "./bounds.ts";
import type { HostingPorts } from "./ports.ts";

/**
 * The file itself: bytes, a Blob or File, a stream (also Node's), or a URL object, which `pathToFileURL("photo.jpg")`
 * creates for a file on this machine. A string cannot name that file, because strings may come from the sender of a
 * request.
 */
export type FileItself = Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | URL;

/** A file to store: the file itself, a file on this machine, or one on the web. */
export type UploadSource =
  | FileItself
  | {
      /** The bytes. */
      stream: ReadableStream<Uint8Array>;
      /** The length. A stream of another length is rejected. */
      size_bytes?: number | undefined;
    }
  | {
      /** Path of a file on this machine. */
      path: string;
    }
  | {
      /** Public URL of a file on the web. */
      url: string;
    };

/** A file that is ready to be read. */
export interface OpenedSource {
  field: FileField;
  stream: ReadableStream<Uint8Array>;
  /** Null: unknown. */
  sizeBytes: number | null;
}

/** Bytes per read, of bytes in memory and of a file on this machine. */
const readBytes = 256 * 1024;

const wrongSource =
  "Must be bytes, a Blob, a stream of bytes, a URL object, { path } of a file on this machine, or { url } of one on the web.";

/** @throws SocialError `invalid_request` for an invalid or unreadable source */
export async function openSource(ports: HostingPorts, source: UploadSource): Promise<OpenedSource> {
  if (source instanceof URL) return openAddress(ports, source);
  if (source instanceof Blob) return { field: "file", stream: source.stream(), sizeBytes: source.size };
  if (source instanceof ReadableStream) return openStream(source, null);
  if (isIterable(source)) return openStream(streamOf(source), null);
  if (isBytes(source)) return openBytes(source as ArrayBuffer | ArrayBufferView);
  const {
    stream,
    size_bytes = null,
    path,
    url,
  } = (source ?? {}) as Partial<Record<"stream" | "size_bytes" | "path" | "url", unknown>>;
  if (stream instanceof ReadableStream) return openStream(stream, sizeOf(size_bytes));
  if (typeof path === "string") return openPath(path);
  if (typeof url === "string") return openUrl(ports, url);
  throw refused("file", wrongSource);
}

/** True: the file itself, not a description of where it is. */
export function isFileItself(value: unknown): value is FileItself {
  return isBytes(value) || value instanceof ReadableStream || value instanceof URL || isIterable(value);
}

function openAddress(ports: HostingPorts, url: URL): Promise<OpenedSource> {
  return url.protocol === "file:" ? openPath(fileURLToPath(url)) : openUrl(ports, url.href);
}

function openStream(stream: ReadableStream<Uint8Array>, sizeBytes: number | null): OpenedSource {
  if (stream.locked) throw refused("file", "The stream is already being read; pass one without a reader.");
  return { field: "file", stream, sizeBytes };
}

function isIterable(source: unknown): source is AsyncIterable<Uint8Array> {
  return typeof source === "object" && source !== null && Symbol.asyncIterator in source;
}

function streamOf(source: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await iterator.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: async () => void (await iterator.return?.()),
    },
    { highWaterMark: 0 },
  );
}

/** Read in pieces, without a copy of the whole, since there may be many uploads. */
function openBytes(source: ArrayBuffer | ArrayBufferView): OpenedSource {
  const bytes = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
  let offset = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (offset >= bytes.length) return controller.close();
        controller.enqueue(bytes.subarray(offset, offset + readBytes));
        offset += readBytes;
      },
    },
    { highWaterMark: 0 },
  );
  return { field: "file", stream, sizeBytes: bytes.length };
}

function sizeOf(given: unknown): number | null {
  if (given === null || (Number.isSafeInteger(given) && Number(given) >= 0)) return given as number | null;
  throw refused("file", "size_bytes: Must be a whole number of bytes, or left out.");
}

function refused(field: FileField, message: string, options: { code?: string; cause?: unknown } = {}): SocialError {
  const { code = "invalid_request", cause } = options;
  const details = [{ field, code, message }];
  return new SocialError("invalid_request", "The file was rejected and not stored.", { details, cause });
}

async function openUrl({ untrustedHttp, clock }: HostingPorts, url: string): Promise<OpenedSource> {
  try {
    // The account's limits are checked later, as for every source.
    const opened = await openMedia(url, { http: untrustedHttp, clock, maxBytes: Number.POSITIVE_INFINITY });
    return { field: "url", stream: opened.stream, sizeBytes: opened.size_bytes };
  } catch (error) {
    throw asRefusal("url", error);
  }
}

/** The error of reading a file on the web, as the error of a request. */
export function asRefusal(field: FileField, error: unknown): unknown {
  if (!PublishingError.is(error)) return error;
  return refused(field, error.message, { code: error.code, cause: error });
}

async function openPath(path: string): Promise<OpenedSource> {
  const file = await open(path).catch((cause: unknown) => {
    throw refused("file", `${path} cannot be read (${codeOf(cause)}).`, { cause });
  });
  const stat = await file.stat();
  if (!stat.isFile()) {
    await file.close();
    throw refused("file", `${path} is not a file.`);
  }
  let offset = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { bytesRead, buffer } = await file.read(new Uint8Array(readBytes), 0, readBytes, offset);
        offset += bytesRead;
        if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead));
        await file.close();
        controller.close();
      },
      cancel: () => file.close(),
    },
    { highWaterMark: 0 },
  );
  return { field: "file", stream, sizeBytes: stat.size };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
