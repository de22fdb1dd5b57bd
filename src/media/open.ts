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
  /** The key of a stored file, by its URL; null: it is elsewhere. */
  keyOf(url: string): string | null;
  /** Null: files are sent with the locations in them. */
  findLocations: FindLocations | null;
}

/** @param keepsLocation files are sent with the locations in them */
export function mediaOpening(given: Omit<MediaOpening, "findLocations">, keepsLocation: boolean): MediaOpening {
  return { ...given, findLocations: keepsLocation ? null : createFindLocations(given) };
}

export interface OpenSourceOptions {
  /** A larger file is rejected. */
  maxBytes: number;
  /** @default the whole file */
  slice?: FileSlice | undefined;
  /** True: it need not be an image or video. @default false */
  anyKind?: boolean | undefined;
}

interface StartOptions {
  /** How many bytes to read. */
  bytes: number;
  /** A larger file is rejected. */
  maxBytes: number;
}

/** An open file. Read the stream to its end, or cancel it. */
interface OpenedSource {
  stream: ReadableStream<Uint8Array>;
  /** Null: its host does not state it. */
  size_bytes: number | null;
}

/**
 * Opens a post's file: from the media store, or at its URL. Locations in it are overwritten, except in a file that
 * was stored for the post, which is sent unchanged.
 *
 * @throws PublishingError `media_error`, here or from the stream: missing, not as planned, too large
 */
export async function openSource(
  source: MediaSource,
  { maxBytes, slice, anyKind }: OpenSourceOptions,
  { store, keyOf, findLocations, ...media }: MediaOpening,
): Promise<OpenedSource> {
  const isCleaned = findLocations !== null && source.stored === undefined;
  const key = source.stored?.key ?? keyOf(source.url);
  if (key !== null) return openStored(key, { maxBytes, slice, isCleaned }, store);
  // Captions and documents are not images.
  const patches = isCleaned && anyKind !== true ? await findLocations(source, slice) : [];
  const options = { ...media, maxBytes, anyKind, expect: source };
  const opened = await (slice === undefined ? openMedia(source.url, options) : openSlice(source.url, slice, options));
  return { size_bytes: opened.size_bytes, stream: patched(opened.stream, slice?.from ?? 0, patches) };
}

/**
 * Maximum number of parts of posts that hold whole files in memory concurrently, 25 MiB each for Discord. One account
 * gets half of them at most.
 */
const wholeFilesAtOnce = 8;

/** The functions with which adapters read a post's files. */
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

/** Reads only the beginning of a post's file, of any kind: `bytes` bytes, or all if it is shorter. */
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
