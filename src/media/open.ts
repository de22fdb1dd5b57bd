import { readBounded } from "../async/bounded-read.ts";
import { createFairTurns, type InFairTurn } from "../async/shares.ts";
import type { MediaSource } from "../networks/contract/plan.ts";
import type { FileSlice } from "../networks/contract/request.ts";
import { PublishingError } from "../wire/errors.ts";
import { withRemedy } from "../wire/remedy.ts";
import { openSlice } from "./fetch-slice.ts";
import { openMedia } from "./fetch-stream.ts";
import { createFindLocations, type FindLocations, findLocationsIn } from "./find-locations.ts";
import { patched } from "./location/patched.ts";
import type { MediaHttp } from "./ports.ts";
import type { MediaStore } from "./store/store.ts";

export interface MediaOpening extends MediaHttp {
  /** Null: the service has none. */
  store: MediaStore | null;
  /** The key of a file that lies in it, by its address; null: it lies elsewhere. */
  keyOf(url: string): string | null;
  /** Null: files are sent with the locations in them. */
  findLocations: FindLocations | null;
}

/** @param keepsLocation files are sent with the locations in them */
export function mediaOpening(given: Omit<MediaOpening, "findLocations">, keepsLocation: boolean): MediaOpening {
  return { ...given, findLocations: keepsLocation ? null : createFindLocations(given) };
}

export interface OpenSourceOptions {
  /** A larger file is refused. */
  maxBytes: number;
  /** @default all of it */
  slice?: FileSlice | undefined;
  /** True: it need not be a picture or video. @default false */
  anyKind?: boolean | undefined;
}

interface StartOptions {
  /** How many of them are wanted. */
  bytes: number;
  /** A larger file is refused. */
  maxBytes: number;
}

/** Opened: read it to its end, or cancel it. */
interface OpenedSource {
  stream: ReadableStream<Uint8Array>;
  /** Null when its host does not tell. */
  size_bytes: number | null;
}

/**
 * Opens a post's file where it lies: in the media store, or at its address. What
 * says where it was made is overwritten; what was kept for the post is sent as it is kept.
 *
 * @throws PublishingError `media_error`, here or from the stream: not there, not as it was planned, too large
 */
export async function openSource(
  source: MediaSource,
  { maxBytes, slice, anyKind }: OpenSourceOptions,
  { store, keyOf, findLocations, ...media }: MediaOpening,
): Promise<OpenedSource> {
  const isCleaned = findLocations !== null && source.stored === undefined;
  const key = source.stored?.key ?? keyOf(source.url);
  if (key !== null) return openStored(key, { maxBytes, slice, isCleaned }, store);
  // Captions and documents hold no picture.
  const patches = isCleaned && anyKind !== true ? await findLocations(source, slice) : [];
  const options = { ...media, maxBytes, anyKind, expect: source };
  const opened = await (slice === undefined ? openMedia(source.url, options) : openSlice(source.url, slice, options));
  return { size_bytes: opened.size_bytes, stream: patched(opened.stream, slice?.from ?? 0, patches) };
}

/** Parts of posts that hold whole files in memory at once, of which one account gets half: 25 MiB each for Discord. */
const wholeFilesAtOnce = 8;

/** How the files of posts are read, as whoever sends them wants it. */
export function mediaReading(opening: MediaOpening): {
  inFileTurn: InFairTurn;
  readMedia(source: MediaSource, options: OpenSourceOptions): Promise<Uint8Array>;
  readStart(source: MediaSource, options: StartOptions): Promise<Uint8Array>;
} {
  return {
    inFileTurn: createFairTurns(wholeFilesAtOnce),
    readMedia: (source, options) => readSource(source, options, opening),
    readStart: (source, options) => readBeginning(source, options, opening),
  };
}

/** Reads a post's file, or a slice of it, into memory. */
export async function readSource(
  source: MediaSource,
  options: OpenSourceOptions,
  opening: MediaOpening,
): Promise<Uint8Array> {
  const { stream } = await openSource(source, options, opening);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Reads no more than the beginning of a post's file, of any kind: `bytes` bytes, or all where it is shorter. */
async function readBeginning(
  source: MediaSource,
  { bytes, maxBytes }: StartOptions,
  opening: MediaOpening,
): Promise<Uint8Array> {
  const { stream } = await openSource(source, { maxBytes, anyKind: true }, opening);
  const read = await readBounded(stream, { maxBytes: bytes });
  return read.bytes;
}

async function openStored(
  key: string,
  { maxBytes, slice, isCleaned }: OpenSourceOptions & { isCleaned: boolean },
  store: MediaStore | null,
): Promise<OpenedSource> {
  if (store === null)
    throw unreadable(
      withRemedy(
        "The file is in a media store that this process does not have.",
        "Set createSocialService's mediaStore to the same store in every process.",
      ),
    );
  const found = await store.head(key);
  if (found === null) throw unreadable("The file is no longer in the media store; create the post again.");
  if (found.size_bytes > maxBytes) throw unreadable(`The file is larger than ${maxBytes} bytes, the limit.`);
  const patches = isCleaned ? await findLocationsIn(store, key, found.size_bytes) : [];
  const { from, to } = slice ?? { from: 0, to: found.size_bytes };
  const stream = await store.read(key, { from, to });
  if (stream === null) throw unreadable("The file is no longer in the media store; create the post again.");
  return { stream: patched(stream, from, patches), size_bytes: to - from };
}

function unreadable(message: string): PublishingError {
  return new PublishingError("media_error", message);
}
