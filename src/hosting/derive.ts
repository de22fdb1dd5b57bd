import { hash } from "node:crypto";
import { createTurns } from "../async/in-turn.ts";
import { createFairTurns, type InFairTurn } from "../async/shares.ts";
import { failureAt, mediaError, passingMediaError } from "../media/fetch-failure.ts";
import { openMedia } from "../media/fetch-stream.ts";
import { findLocationsAt, findLocationsIn, isWithoutLocation } from "../media/find-locations.ts";
import { patched } from "../media/location/patched.ts";
import type { Patch } from "../media/location/search.ts";
import { MediaStoreFailure } from "../media/store/store.ts";
import { isVideoAsAsked } from "../media/transform/as-asked.ts";
import { transformerFor } from "../media/transform/choose.ts";
import { unable } from "../media/transform/refused.ts";
import type { MediaChange, MediaTransformer, TransformSource } from "../media/transform/transformer.ts";
import type { MediaSource, StoredFile } from "../networks/contract/plan.ts";
import { isoTime } from "../ports/clock.ts";
import { retryConflicts } from "../storage/conflict-retry.ts";
import { isConflictIn, type Operation } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import { isRefusal, PublishingError } from "../wire/errors.ts";
import { withRemedy } from "../wire/remedy.ts";
import { findForPost, type HostedFacts } from "./find.ts";
import type { HostingPorts } from "./ports.ts";
import { type MediaRow, type ShownMedia, wholeStatuses } from "./rows.ts";
import type { OpenedSource } from "./source.ts";
import { uploadFile } from "./upload.ts";
import { isUsedBy, useOperation, useOperations } from "./uses.ts";

/** A file of a post that is about to be sent. */
export interface FileToFreeze {
  accountId: string;
  postId: string;
  /** The file as planned. */
  source: MediaSource;
  /** What the file is converted to; null: it is sent unchanged. */
  change: MediaChange | null;
}

/** A file as it is sent. It is in the media store and no longer changes. */
export type FrozenFile = HostedFacts & { stored: StoredFile };

/**
 * Stores a post's file before anything is sent: unchanged or converted, without location data. Every call for the
 * post returns the same file until the post has ended, in any process.
 *
 * @throws PublishingError `media_error`; `internal_error` if the file is not to blame
 */
export type SnapshotFiles = (file: FileToFreeze, signal: AbortSignal) => Promise<FrozenFile>;

/** Concurrent copies in a process; one account gets half of them at most. */
const copiesAtOnce = 8;

/** Concurrent conversions in a process; one account gets half of them at most. Each occupies a core. */
const changesAtOnce = 2;

/** How often two processes may create the same file concurrently, so that one of them uses the other's. */
const maxConflicts = 10;

/** A file to create: for which post, and from which source. */
interface Making {
  file: FileToFreeze;
  /** Identifies the result within the account. */
  derivation: string;
  open(): Promise<OpenedSource>;
  /** The queue that limits its concurrency. */
  inTurn: InFairTurn;
}

export function createFreeze(ports: HostingPorts): SnapshotFiles {
  const inTurn = createTurns();
  const copyInTurn = createFairTurns(copiesAtOnce);
  const changeInTurn = createFairTurns(changesAtOnce);

  /** One at a time in this process. Of two processes, the first to finish decides. */
  function makeOnce(making: Making): Promise<ShownMedia> {
    const { accountId } = making.file;
    const attempt = async (): Promise<ShownMedia> => {
      const made = await findDerived(ports, accountId, making.derivation);
      if (made !== null) return useDerived(ports, making.file, made);
      return making.inTurn(accountId, () => keepDerived(ports, making));
    };
    const unless = (conflict: unknown) => !isConflictIn("media", conflict) && !isConflictIn("media_uses", conflict);
    return inTurn(`${accountId} ${making.derivation}`, () => retryConflicts(attempt, { max: maxConflicts, unless }));
  }

  /** The unchanged file: the account's own, or a copy of one on the web, which may change there at any time. */
  async function original(file: FileToFreeze): Promise<Original> {
    const { accountId, postId, source } = file;
    if (ports.addresses.keyOf(source.url) !== null) {
      const of = await findForPost(ports, accountId, source.url);
      return { of, patches: await locationsIn(ports, of) };
    }
    const derivation = derivationOf("copy", postId, source.url);
    const of = await makeOnce({ file, derivation, open: () => openCopy(ports, source), inTurn: copyInTurn });
    return { of, patches: [] };
  }

  /** The account's own file keeps its content. If it contains a location, a cleaned copy is sent. */
  async function unchanged(file: FileToFreeze, { of, patches }: Original): Promise<ShownMedia> {
    if (patches.length === 0) return of;
    const derivation = derivationOf("without location", of.id);
    const open = async (): Promise<OpenedSource> => ({
      field: "file",
      stream: await sourceOf(ports, { of, patches }).read(),
      sizeBytes: of.size_bytes,
    });
    return makeOnce({ file, derivation, open, inTurn: copyInTurn });
  }

  async function changed(
    { file, change, signal }: { file: FileToFreeze; change: MediaChange; signal: AbortSignal },
    { of, patches }: Original,
  ): Promise<ShownMedia> {
    const { mime_type } = of.private.facts;
    const transformer = transformerFor(ports.transformers, change, mime_type);
    const { url } = file.source;
    if (transformer === undefined) throw failureAt(url, unable(noTransformer(change, mime_type)));
    const version = await transformer.version().catch((error) => nameFile(url, error));
    const derivation = derivationOf(of.id, JSON.stringify(change), version);
    const open = (): Promise<OpenedSource> =>
      transform(transformer, sourceOf(ports, { of, patches }), { file, change, signal });
    const made = await makeOnce({ file, derivation, open, inTurn: changeInTurn });
    const problem = notAsAsked(made, change);
    if (problem !== null) throw failureAt(url, unable(problem));
    return made;
  }

  return async (file, signal) => {
    try {
      const kept = await original(file);
      const { change } = file;
      const sent = await (change === null ? unchanged(file, kept) : changed({ file, change, signal }, kept));
      const { id, size_bytes, private: state } = sent;
      return { ...state.facts, size_bytes, stored: { key: id } };
    } catch (error) {
      throw asPublishingError(file.source.url, error);
    }
  };
}

/** A stored file, and what is overwritten when a network gets it. */
interface Original {
  of: ShownMedia;
  patches: readonly Patch[];
}

async function locationsIn(
  { store, keepsLocation }: HostingPorts,
  { id, size_bytes, private: { facts } }: ShownMedia,
): Promise<readonly Patch[]> {
  return keepsLocation || facts.has_location === false ? [] : findLocationsIn(store, id, size_bytes);
}

function derivationOf(...parts: string[]): string {
  return hash("sha256", parts.join("\n"));
}

async function openCopy(
  { untrustedHttp, clock, bounds, keepsLocation }: HostingPorts,
  source: MediaSource,
): Promise<OpenedSource> {
  const media = { http: untrustedHttp, clock };
  const patches = keepsLocation || isWithoutLocation(source) ? [] : await findLocationsAt(source.url, media);
  const options = { ...media, maxBytes: bounds.maxFileBytes, expect: source };
  const { stream, size_bytes } = await openMedia(source.url, options);
  return { field: "url", stream: patched(stream, 0, patches), sizeBytes: size_bytes };
}

async function transform(
  transformer: MediaTransformer,
  source: TransformSource,
  { file, change, signal }: { file: FileToFreeze; change: MediaChange; signal: AbortSignal },
): Promise<OpenedSource> {
  signal.throwIfAborted();
  const made = await transformer
    .transform(source, change, { signal })
    .catch((error) => nameFile(file.source.url, error));
  return { field: "file", stream: made.body, sizeBytes: made.size_bytes };
}

/** Adds the file's URL to a transformer's error, whose message is the rest of a sentence about the file. */
function nameFile(url: string, error: unknown): never {
  throw PublishingError.is(error) ? failureAt(url, error) : error;
}

function sourceOf({ store }: HostingPorts, { of, patches }: Original): TransformSource {
  const { id, size_bytes, private: state } = of;
  const { facts } = state;
  return {
    ...facts,
    size_bytes,
    async read(range) {
      const stream = await store.read(id, range);
      if (stream === null) throw new MediaStoreFailure("unavailable", `The media store has no object ${id}.`);
      return patched(stream, range?.from ?? 0, patches);
    },
  };
}

async function findDerived(
  { storage }: HostingPorts,
  accountId: string,
  derivation: string,
): Promise<ShownMedia | null> {
  const where = { account_id: accountId, derivation, status: { in: wholeStatuses } };
  const { rows } = await storage.find("media", { where, limit: 1, isCounted: false });
  return rows[0] === undefined ? null : fromRow<MediaRow & ShownMedia>(rows[0]);
}

/** @throws StorageConflict if it was deleted meanwhile */
async function useDerived(ports: HostingPorts, file: FileToFreeze, made: ShownMedia): Promise<ShownMedia> {
  const { storage, ids } = ports;
  if (await isUsedBy(storage, file.postId, made.id)) return made;
  const version = Buffer.from(ids.bytes(8)).toString("hex");
  const uses = useOperations({ ...(await userOf(ports, file)), version }, [made.id]);
  await storage.write([onlyWhilePublishing(file), ...uses]);
  return made;
}

async function keepDerived(ports: HostingPorts, { file, derivation, open }: Making): Promise<ShownMedia> {
  const user = await userOf(ports, file);
  const opened = await open();
  const uses = (key: string) => [onlyWhilePublishing(file), useOperation(user, key)];
  return uploadFile(ports, file.accountId, opened, { status: "derived", derivation, uses });
}

/** A post that has ended releases its files once, so that no file may be stored for it afterwards. */
function onlyWhilePublishing({ postId }: FileToFreeze): Operation {
  return { kind: "check", collection: "posts", id: postId, where: { status: "publishing" } };
}

async function userOf(
  { storage }: HostingPorts,
  { postId, accountId }: FileToFreeze,
): Promise<{ id: string; account_id: string; created_at: string }> {
  return { id: postId, account_id: accountId, created_at: isoTime(await storage.now()) };
}

/** Checks a converted file; null: it is as requested. A file that is distorted or rotated is not sent. */
function notAsAsked({ size_bytes, private: { facts } }: ShownMedia, change: MediaChange): string | null {
  const { mime_type, width, height } = facts;
  if (mime_type !== change.mime_type) return otherThan(mime_type, change.mime_type);
  if (size_bytes > change.max_bytes) return otherThan(`${size_bytes} bytes`, `at most ${change.max_bytes}`);
  if (width !== change.width || height !== change.height) {
    return otherThan(`${width} × ${height} pixels`, `${change.width} × ${change.height}`);
  }
  if (change.kind === "image" || isVideoAsAsked(facts, change)) return null;
  return otherThan("a video with the wrong codec, sound, frame rate or index position", "another");
}

function otherThan(made: string, asked: string): string {
  return `was converted to ${made} instead of ${asked}; the error is in the service's mediaTransformers, not in the file`;
}

function noTransformer({ kind }: MediaChange, mimeType: string): string {
  return withRemedy(
    "cannot be converted by this process.",
    `In every process, set createSocialService's mediaTransformers to a list with one that makes ${kind}s from ${mimeType}.`,
  );
}

function asPublishingError(url: string, error: unknown): unknown {
  if (error instanceof MediaStoreFailure) {
    return passingMediaError(url, `could not be stored: ${error.message}; see the media store`, error);
  }
  if (!isRefusal(error)) return error;
  if (PublishingError.is(error.cause)) return error.cause;
  const problem = `could not be stored: ${error.details[0]?.message ?? error.message}`;
  // A file that is too large stays so, and only the account's owner can free space.
  return error.status === 413 ? mediaError(url, problem, error) : passingMediaError(url, problem, error);
}
