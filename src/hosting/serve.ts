import type { ByteRange } from "../media/store/store.ts";
import { isRefusal } from "../wire/errors.ts";
import { isKey } from "./address.ts";
import { findFile } from "./find.ts";
import type { HostingPorts } from "./ports.ts";
import type { ShownMedia } from "./rows.ts";

/** A file for every request with its URL. */
export interface ServedFile {
  contentType: string;
  sizeBytes: number;
  /** Tells it from every other file: the bytes under an address never change. */
  tag: string;
  /** For how long the answer may be given again without asking; a file may be deleted at any time, seconds. */
  freshSeconds: number;
  /** Only for requests with the signed URL. */
  isPrivate: boolean;
  /** Null when the store does not have it. */
  read(range?: ByteRange): Promise<ReadableStream<Uint8Array> | null>;
}

const maxFreshSeconds = 3_600;

/**
 * The file at the end of an address, below `media/`; null when there is none,
 * `forbidden` when only signed addresses are answered and this is none, or is over.
 */
export async function findServed(
  ports: HostingPorts,
  key: string,
  search: URLSearchParams,
): Promise<ServedFile | "forbidden" | null> {
  if (!isKey(key)) return null;
  const now = Math.floor(ports.clock.now() / 1_000);
  const end = ports.isPrivate ? ports.signer.endOf(key, search, now) : Number.POSITIVE_INFINITY;
  if (end === null) return "forbidden";
  const file = await findFile(ports, key).catch(nullIfRefused);
  return file === null ? null : served(ports, file, end - now);
}

/** Somebody else has written it, and it is none of those that are taken. */
function nullIfRefused(error: unknown): null {
  if (isRefusal(error)) return null;
  throw error;
}

function served(
  { store, logger, isPrivate }: HostingPorts,
  { id, size_bytes, private: { facts } }: ShownMedia,
  leftSeconds: number,
): ServedFile {
  return {
    contentType: facts.mime_type,
    sizeBytes: size_bytes,
    tag: `"${id.slice(id.indexOf("/") + 1)}"`,
    freshSeconds: Math.min(maxFreshSeconds, leftSeconds),
    isPrivate,
    async read(range) {
      const stream = await store.read(id, range);
      if (stream === null) logger.error("a hosted file is not in the media store", { key: id });
      return stream;
    },
  };
}
