import type { CommitBody, CommitFile, CommitSlice } from "../networks/contract/commit.ts";
import type { StoredFile } from "../networks/contract/plan.ts";
import type { FileContent, FileSlice } from "../networks/contract/request.ts";
import { PublishingError } from "../wire/errors.ts";
import { keepWhile } from "../work/lease.ts";
import { sha256 } from "./intent.ts";
import type { PartRun } from "./part-run.ts";

/** A file of a request: its bytes, or the source from which they are streamed. */
interface RequestFile {
  content: FileContent;
  /** SHA-256 that identifies it. */
  hash: string;
}

/** The files of a request in order, by field name. */
export type Files = ReadonlyMap<string, RequestFile>;

/**
 * The files that a request's body names. A file in the media store never changes and is streamed. Any other file (or
 * its slice) is read whole, because the bytes sent must be those on record.
 */
export async function filesOf(run: PartRun, body: CommitBody): Promise<Files> {
  const wanted = namedIn(body);
  if (wanted.length === 0) return new Map();
  const read = async (file: CommitFile | CommitSlice) => [nameOf(file), await fileOf(run, file)] as const;
  return new Map(await keepWhile(run.lease, run.ports.clock, () => Promise.all(wanted.map(read))));
}

export function hashesOf(files: Files): string[] {
  return [...files.values()].map(({ hash }) => hash);
}

export function contentIn(files: Files, file: CommitFile | CommitSlice): FileContent {
  const found = files.get(nameOf(file));
  if (found === undefined) throw new PublishingError("internal_error", `The file ${nameOf(file)} was not read.`);
  return found.content;
}

function namedIn(body: CommitBody): (CommitFile | CommitSlice)[] {
  if ("slice" in body) return [body.slice];
  return "multipart" in body ? body.multipart.filter((field) => "media" in field) : [];
}

/** A slice is the whole body and has no field name. */
function nameOf(file: CommitFile | CommitSlice): string {
  return "name" in file ? file.name : "slice";
}

async function fileOf(run: PartRun, file: CommitFile | CommitSlice): Promise<RequestFile> {
  const media = run.publisher.media[file.media];
  if (media === undefined) throw new PublishingError("internal_error", `The part has no media ${file.media}.`);
  const rule = run.adapter.spec.media.types.find(({ mime }) => mime === media.mime_type);
  const slice = "from" in file ? { from: file.from, to: file.to } : undefined;
  const limits = { maxBytes: rule?.max_bytes ?? 0, ...(slice && { slice }) };
  if (media.stored !== undefined) {
    return { content: { contentType: media.mime_type, media, ...limits }, hash: hashOfStored(media.stored, slice) };
  }
  const bytes = await run.ports.readMedia(media, limits);
  return { content: { contentType: media.mime_type, bytes }, hash: sha256(bytes) };
}

/** The key identifies the bytes. */
function hashOfStored({ key }: StoredFile, slice: FileSlice | undefined): string {
  return sha256(slice === undefined ? key : `${key} ${slice.from}-${slice.to}`);
}
