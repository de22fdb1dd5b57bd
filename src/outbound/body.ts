import { joined, readBounded } from "../async/bounded-read.ts";
import type { MediaSource } from "../networks/contract/plan.ts";
import type { FileContent, FileSlice, MultipartField, RequestBody } from "../networks/contract/request.ts";
import { PublishingError } from "../wire/errors.ts";

/** A body ready to be sent: bytes, or a stream whose length is known. */
export interface EncodedBody {
  contentType: string;
  content: Uint8Array | { stream: ReadableStream<Uint8Array>; sizeBytes: number };
}

/** Opens a media file, or a slice of it; a file of more than `maxBytes` is refused. */
export type OpenMedia = (
  source: MediaSource,
  options: { maxBytes: number; slice?: FileSlice | undefined; anyKind?: boolean | undefined },
) => Promise<{ stream: ReadableStream<Uint8Array>; size_bytes: number | null }>;

export interface EncodeBodyOptions {
  openMedia: OpenMedia;
  /** 16 random bytes or more: the multipart boundary must not occur in a file. */
  boundary: string;
}

export async function encodeBody(body: RequestBody, options: EncodeBodyOptions): Promise<EncodedBody> {
  if ("json" in body)
    return {
      contentType: body.contentType ?? "application/json",
      content: utf8(JSON.stringify(body.json)),
    };
  if ("form" in body) {
    const form = new URLSearchParams({ ...body.form }).toString();
    return {
      contentType: "application/x-www-form-urlencoded",
      content: utf8(form),
    };
  }
  if ("file" in body) {
    return {
      contentType: body.file.contentType,
      content: join([await readFile(body.file, options.openMedia)]),
    };
  }
  return {
    contentType: `multipart/form-data; boundary=${options.boundary}`,
    content: join(await multipartPieces(body.multipart, options)),
  };
}

type Piece = Exclude<EncodedBody["content"], never>;

async function multipartPieces(fields: readonly MultipartField[], options: EncodeBodyOptions): Promise<Piece[]> {
  const pieces: Piece[] = [];
  try {
    for (const field of fields) await addField(pieces, field, options);
  } catch (error) {
    await dropPieces(pieces);
    throw error;
  }
  pieces.push(utf8(`--${options.boundary}--\r\n`));
  return pieces;
}

async function addField(pieces: Piece[], field: MultipartField, options: EncodeBodyOptions): Promise<void> {
  const head = `--${options.boundary}\r\nContent-Disposition: form-data; name="${quoted(field.name)}"`;
  if ("value" in field) {
    const type = field.contentType === undefined ? "" : `\r\nContent-Type: ${field.contentType}`;
    pieces.push(utf8(`${head}${type}\r\n\r\n${field.value}\r\n`));
    return;
  }
  const { filename, file } = field;
  pieces.push(utf8(`${head}; filename="${quoted(filename)}"\r\nContent-Type: ${file.contentType}\r\n\r\n`));
  pieces.push(await readFile(file, options.openMedia), utf8("\r\n"));
}

/** Lets files go that were opened and are not sent: each holds a connection to its host. */
async function dropPieces(pieces: readonly Piece[]): Promise<void> {
  await Promise.allSettled(pieces.map((piece) => (piece instanceof Uint8Array ? null : piece.stream.cancel())));
}

/** The longest file of a length that its host does not tell, bytes: it is read whole to be measured, beside those of others. */
export const maxUnmeasuredBytes = 50_000_000;

/** A file as a piece of known length: some servers refuse a body that does not say how long it is. */
async function readFile(file: FileContent, openMedia: OpenMedia): Promise<Piece> {
  if ("bytes" in file) return file.bytes;
  const { media, ...options } = file;
  const opened = await openMedia(media, options);
  if (opened.size_bytes !== null) return { stream: opened.stream, sizeBytes: opened.size_bytes };
  const read = await readBounded(opened.stream, { maxBytes: maxUnmeasuredBytes });
  if (read.isWhole) return read.bytes;
  throw new PublishingError(
    "media_error",
    `The host of a file does not report its size, and it is larger than ${maxUnmeasuredBytes / 1_000_000} MB: use a host that sends Content-Length, or upload the file first, with social.media.upload.`,
  );
}

function join(pieces: readonly Piece[]): EncodedBody["content"] {
  const sizeBytes = pieces.reduce(
    (sum, piece) => sum + (piece instanceof Uint8Array ? piece.length : piece.sizeBytes),
    0,
  );
  if (pieces.every((piece) => piece instanceof Uint8Array)) return joined(pieces, sizeBytes);
  return { stream: streamOf(pieces), sizeBytes };
}

function streamOf(pieces: readonly Piece[]): ReadableStream<Uint8Array> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) {
      if (piece instanceof Uint8Array) yield piece;
      else yield* piece.stream;
    }
  }
  const read = chunks();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await read.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await read.return(undefined);
        await dropPieces(pieces);
      },
    },
    { highWaterMark: 0 },
  );
}

/** As browsers do it: the three characters that would end or break the field. */
function quoted(value: string): string {
  return value.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
