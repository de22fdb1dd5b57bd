import type { MediaSource } from "../networks/contract/plan.ts";
import type { FileSlice } from "../networks/contract/request.ts";
import { requestFile } from "./fetch.ts";
import { type Download, startDownload } from "./fetch-download.ts";
import { beginsAt, checkStatus, contentLength, mediaFailure } from "./fetch-failure.ts";
import { remoteReader } from "./fetch-reader.ts";
import { findLocations } from "./location/find.ts";
import type { Patch } from "./location/search.ts";
import type { MediaHttp } from "./ports.ts";
import type { MediaStore } from "./store/store.ts";

/**
 * Finds the patches that overwrite the locations in the file at a URL. Reads its headers, with Range requests if they
 * are not at its beginning.
 *
 * @throws PublishingError `media_error`, passing if the host fails: a file is not sent unchecked
 */
export async function findLocationsAt(url: string, { http, clock }: MediaHttp): Promise<readonly Patch[]> {
  const download = startDownload(url, clock);
  const { next, signal } = download;
  try {
    const response = await next(() => requestFile({ url, http, signal }));
    const reader = remoteReader({
      body: response.body && inTime(response.body, next),
      sizeBytes: contentLength(response),
      async openAt(offset) {
        const stream = await next(() => requestFrom(url, offset, { http, signal }));
        return stream && inTime(stream, next);
      },
    });
    try {
      checkStatus(url, response.status);
      return (await findLocations(reader)).patches;
    } finally {
      await reader.close();
    }
  } catch (error) {
    throw mediaFailure(url, error);
  } finally {
    download.end(new Error("all was found"));
  }
}

/** The same stream, with a time limit for each piece. */
function inTime(stream: ReadableStream<Uint8Array>, next: Download["next"]): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await next(() => reader.read());
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** The file from `offset` on; null: its host supports no ranges. */
async function requestFrom(
  url: string,
  offset: number,
  { http, signal }: { http: typeof fetch; signal: AbortSignal },
): Promise<ReadableStream<Uint8Array> | null> {
  const headers = { "accept-encoding": "identity", range: `bytes=${offset}-` };
  const response = await http(url, { redirect: "follow", headers, signal });
  if (beginsAt(response, offset)) return response.body;
  await response.body?.cancel();
  if (response.status !== 206 && response.status !== 416) checkStatus(url, response.status);
  return null;
}

/** Finds the patches that overwrite the locations in a stored file. */
export async function findLocationsIn(store: MediaStore, key: string, sizeBytes: number): Promise<readonly Patch[]> {
  const openAt = (from: number): Promise<ReadableStream<Uint8Array> | null> => store.read(key, { from });
  const reader = remoteReader({ body: await store.read(key), sizeBytes, openAt });
  try {
    return (await findLocations(reader)).patches;
  } finally {
    await reader.close();
  }
}

/** True: the file was checked when the post was planned, and cannot have changed unnoticed. */
export function isWithoutLocation({ has_location, size_bytes }: MediaSource): boolean {
  return has_location === false && size_bytes != null;
}

/** As `findLocationsAt`, for the files of posts. A file that is sent in slices is searched once. */
export type FindLocations = (source: MediaSource, slice?: FileSlice) => Promise<readonly Patch[]>;

/** Maximum number of cached results for files that are sent in slices; the newest are kept. */
const maxRemembered = 500;

export function createFindLocations(media: MediaHttp): FindLocations {
  const remembered = new Map<string, readonly Patch[]>();
  return async (source, slice) => {
    if (isWithoutLocation(source)) return [];
    const key = JSON.stringify([source.url, source.size_bytes, source.etag]);
    const known = slice === undefined || slice.from === 0 ? undefined : remembered.get(key);
    if (known !== undefined) return known;
    const found = await findLocationsAt(source.url, media);
    if (slice !== undefined) remember(remembered, key, found);
    return found;
  };
}

function remember(remembered: Map<string, readonly Patch[]>, key: string, found: readonly Patch[]): void {
  remembered.delete(key);
  remembered.set(key, found);
  const [oldest] = remembered.keys();
  if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest);
}
