import { hash } from "node:crypto";
import { createTurns } from "../async/in-turn.ts";
import { createFairTurns, type InFairTurn } from "../async/shares.ts";
import { failureAt, mediaError, passingMediaError } from "../media/fetch-failure.ts";
import { openMedia } from "../media/fetch-stream.ts";
import { findLocationsAt, findLocationsIn, isWithoutLocation } from "../media/find-locations.ts";
import { patched } from "../media/location/patched.ts";
import type { Patch } from "../media/location/search.ts";
import { MediaStoreFailure } from "../media/store/store.ts";
import { isFilmAsAsked } from "../media/transform/as-asked.ts";
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
  /** As it was planned. */
  source: MediaSource;
  /** What it is made into; null: it goes out as it is. */
  change: MediaChange | null;
}

/** A file as it is sent: it lies in the media store, and does not change any more. */
export type FrozenFile = HostedFacts & { stored: StoredFile };

/**
 * Keeps a post's file in the media store before anything is sent, as it is or
 * converted, without location data; the same one whenever and by
 * whomever it is asked for until the post has ended.
 *
 * @throws PublishingError `media_error`; `internal_error` where the file is not to blame
 */
export type SnapshotFiles = (file: FileToFreeze, signal: AbortSignal) => Promise<FrozenFile>;

/** Files that are fetched at once in a process, of which one account gets half at most. */
const copiesAtOnce = 8;

/** Files that a process converts at the same time; one account gets half of the places at most: each takes a core. */
const changesAtOnce = 2;

/** How often two processes may make the same file at once, and one of them take the other's. */
const maxConflicts = 10;

/** What is to be made, for which post, and of what. */
interface Making {
  file: FileToFreeze;
  /** Tells it from all else that the account has. */
  derivation: string;
  open(): Promise<OpenedSource>;
  /** Where it waits for its turn. */
  inTurn: InFairTurn;
}

export function createFreeze(ports: HostingPorts): SnapshotFiles {
  const inTurn = createTurns();
  const copyInTurn = createFairTurns(copiesAtOnce);
  const changeInTurn = createFairTurns(changesAtOnce);

  /** One at a time in this process; of two processes, the one that is done first. */
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

  /** The file as it is: the account's own, or a copy of one on the web, which may change there at any time. */
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

  /** The account's own file stays as it was given: where it says a location, a copy is sent. */
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

/** A file in the store, and what is overwritten when it is read for a network. */
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

/** What a transformer says is the rest of a sentence about the file. */
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

/** @throws StorageConflict when it was deleted meanwhile */
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

/** A post that has ended releases its files once: nothing may begin to keep one for it after that. */
function onlyWhilePublishing({ postId }: FileToFreeze): Operation {
  return { kind: "check", collection: "posts", id: postId, where: { status: "publishing" } };
}

async function userOf(
  { storage }: HostingPorts,
  { postId, accountId }: FileToFreeze,
): Promise<{ id: string; account_id: string; created_at: string }> {
  return { id: postId, account_id: accountId, created_at: isoTime(await storage.now()) };
}

/** What of a made file differs from what was asked for; null: nothing. Squeezed or turned, it is not sent. */
function notAsAsked({ size_bytes, private: { facts } }: ShownMedia, change: MediaChange): string | null {
  const { mime_type, width, height } = facts;
  if (mime_type !== change.mime_type) return otherThan(mime_type, change.mime_type);
  if (size_bytes > change.max_bytes) return otherThan(`${size_bytes} bytes`, `at most ${change.max_bytes}`);
  if (width !== change.width || height !== change.height) {
    return otherThan(`${width} × ${height} pixels`, `${change.width} × ${change.height}`);
  }
  if (change.kind === "image" || isFilmAsAsked(facts, change)) return null;
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
  // What is too large stays so, and room is made by hand.
  return error.status === 413 ? mediaError(url, problem, error) : passingMediaError(url, problem, error);
}
