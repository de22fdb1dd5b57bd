import type { ByteRange } from "../media/store/store.ts";
import { isRefusal } from "../wire/errors.ts";
import { isKey } from "./address.ts";
import { findFile } from "./find.ts";
import type { HostingPorts } from "./ports.ts";
import type { ShownMedia } from "./rows.ts";

/** A file for a request to its URL. */
export interface ServedFile {
  contentType: string;
  sizeBytes: number;
  /** Unique to the file: the bytes at a URL never change. */
  tag: string;
  /** How long caches may reuse the response, seconds. Limited, since a file may be deleted at any time. */
  freshSeconds: number;
  /** True: only for requests with the signed URL. */
  isPrivate: boolean;
  /** Null: the store does not have it. */
  read(range?: ByteRange): Promise<ReadableStream<Uint8Array> | null>;
}

const maxFreshSeconds = 3_600;

/**
 * The file with a key; null: there is none. `forbidden`: only signed URLs are served, and this one is not, or has
 * expired.
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

/** It was uploaded directly and is unsupported. */
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
