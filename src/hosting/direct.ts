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

/** Time in which an upload directly into the store must begin, seconds. */
const directSeconds = 900;

/**
 * Creates a signed URL for an upload directly into the store. The row is hidden until a request for the file finds it
 * complete.
 *
 * @throws SocialError `unsupported` if the store has no such URLs
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
 * Checks a directly uploaded file when it is first requested. Returns the unchanged row if the file was not uploaded
 * directly, or the file is not there yet.
 *
 * @throws SocialError for an unsupported file, which is deleted
 */
export async function withDirectFile(ports: HostingPorts, row: MediaRow | null): Promise<MediaRow | null> {
  if (row?.status !== "hidden" || !row.private.is_direct) return row;
  const stored = await ports.store.head(row.id);
  if (stored === null) return row;
  try {
    if (stored.size_bytes !== row.size_bytes) throw notTaken("file", "has a different length than announced");
    return await showFile(ports, row, { field: "file" });
  } catch (error) {
    // A concurrent request has changed the row.
    if (isConflictIn("media", error)) return readMediaRow(ports.storage, row.id);
    if (isRefusal(error)) await discardFile(ports, row, { mayArrive: false });
    throw error;
  }
}
