import { isoTime } from "../ports/clock.ts";
import { isConflictIn } from "../storage/storage.ts";
import { isRefusal, SocialError } from "../wire/errors.ts";
import { notTaken, tooLarge } from "./bounds.ts";
import { discardFile } from "./erase.ts";
import type { HostingPorts } from "./ports.ts";
import { reserveFile } from "./reserve.ts";
import { type MediaRow, readMediaRow } from "./rows.ts";
import type { CreateUpload, MediaUpload } from "./schema.ts";
import { showFile } from "./upload.ts";

/** Until when such an upload must have begun, seconds. */
const directSeconds = 900;

/**
 * Lets the caller write a file into the store itself. The row is hidden until
 * somebody asks for the file and it is there.
 *
 * @throws SocialError `unsupported` where the store cannot be written to by others
 */
export async function createDirectUpload(
  ports: HostingPorts,
  accountId: string,
  { content_type, size_bytes }: CreateUpload,
): Promise<MediaUpload> {
  const { store, bounds, addresses, clock } = ports;
  if (store.upload === undefined) {
    throw new SocialError("unsupported", "This media store accepts no direct uploads; use POST /v1/media.");
  }
  if (size_bytes > bounds.maxFileBytes) throw tooLarge("size_bytes", bounds);
  const file = { field: "size_bytes", sizeBytes: size_bytes, isDirect: true };
  const { row } = await reserveFile(ports, accountId, file);
  const expires_at = isoTime(clock.now() + directSeconds * 1_000);
  const how = { contentType: content_type, sizeBytes: size_bytes, seconds: directSeconds };
  const direct = await store.upload(row.id, how).catch(async (error: unknown) => {
    await discardFile(ports, row, { mayArrive: false });
    throw error;
  });
  return { ...direct, url: addresses.urlOf(row.id), expires_at };
}

/**
 * A file that somebody else has written: looked at when it is first asked for.
 * The row as it was when it is no such file, or not there yet.
 *
 * @throws SocialError for a file that is none of those that are taken; nothing of it is kept
 */
export async function withDirectFile(ports: HostingPorts, row: MediaRow | null): Promise<MediaRow | null> {
  if (row?.status !== "hidden" || !row.private.is_direct) return row;
  const stored = await ports.store.head(row.id);
  if (stored === null) return row;
  try {
    if (stored.size_bytes !== row.size_bytes) throw notTaken("file", "has a different length than announced");
    return await showFile(ports, row, { field: "file" });
  } catch (error) {
    // Two have asked at once.
    if (isConflictIn("media", error)) return readMediaRow(ports.storage, row.id);
    if (isRefusal(error)) await discardFile(ports, row, { mayArrive: false });
    throw error;
  }
}
