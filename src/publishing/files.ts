import type { FrozenFile, SnapshotFiles } from "../hosting/derive.ts";
import type { MediaChange } from "../media/transform/transformer.ts";
import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { MediaSource, Part, PlannedLink, PlannedMedia, StoredFile } from "../networks/contract/plan.ts";
import type { FittedMedia } from "../planning/check-media.ts";
import { PublishingError } from "../wire/errors.ts";
import type { TargetRow, TargetState } from "./rows.ts";

/** What files are made into before they are sent, by their addresses; the others go out as they are. */
export function changesOf(files: readonly FittedMedia[]): Record<string, MediaChange> {
  return Object.fromEntries(files.flatMap(({ item, fit }) => (fit.kind === "change" ? [[item.url, fit.change]] : [])));
}

/** True when it has files, and they are not kept yet. */
export function hasFilesToFreeze({ private: { parts, files } }: TargetRow): boolean {
  return (
    files === undefined &&
    (parts ?? []).some(({ media, option_files = [], link }) => media.length + option_files.length > 0 || link?.picture)
  );
}

/** A target's files as they are sent, by their addresses. */
type FrozenFiles = Required<Pick<TargetState, "files" | "extras">> & Pick<TargetState, "link_picture">;

/**
 * Stores all files of a target, converted where needed, and unchanged the covers of its
 * videos and the files that its options name, each once. A link's card goes out
 * without its picture where that cannot be kept.
 *
 * @throws PublishingError `media_error`
 */
export async function freezeFiles(
  freeze: SnapshotFiles,
  { account_id: accountId, post_id: postId, private: { parts, changes = {}, link_change } }: TargetRow,
  signal: AbortSignal,
): Promise<FrozenFiles> {
  const media = (parts ?? []).flatMap((part) => part.media);
  const keep = (source: MediaSource, change: MediaChange | null) =>
    freeze({ accountId, postId, source, change }, signal);
  const besides = [...media.flatMap(coverOf), ...(parts ?? []).flatMap(({ option_files = [] }) => option_files)];
  const picture = (parts ?? []).flatMap(({ link }) => link?.picture ?? [])[0];
  const [files, kept, link_picture] = await Promise.all([
    eachOnce(media, (item) => keep(item, changes[item.url] ?? null)),
    eachOnce(besides, (file) => keep(file, null)),
    picture && keep(picture, link_change ?? null).catch((error) => withoutPicture(error, link_change !== undefined)),
  ]);
  const extras = Object.entries(kept).map(([url, { stored }]) => [url, stored] as const);
  return { files, extras: Object.fromEntries(extras), ...(link_picture === undefined ? {} : { link_picture }) };
}

/** What fails for now and is sent as it is, is tried once more while the post is sent; else there is none, null. */
function withoutPicture(error: unknown, isChanged: boolean): null | undefined {
  if (!PublishingError.is(error)) throw error;
  return error.isPassing && !isChanged ? undefined : null;
}

async function eachOnce<Source extends MediaSource>(
  sources: readonly Source[],
  keep: (source: Source) => Promise<FrozenFile>,
): Promise<Record<string, FrozenFile>> {
  const byAddress = new Map(sources.map((source) => [source.url, source]));
  const kept = [...byAddress].map(async ([url, source]) => [url, await keep(source)] as const);
  return Object.fromEntries(await Promise.all(kept));
}

/** The cover that goes out with a video, if any does. */
function coverOf({ thumbnail_url: url, thumbnail_mime_type: mime_type }: PlannedMedia): MediaSource[] {
  return url === null || mime_type === undefined ? [] : [{ url, mime_type }];
}

/**
 * A target's parts. They were stored with options that the schema had parsed;
 * parsed once more, they have the defaults that it has got since. Those that a
 * schema has come to refuse go out as they were accepted. From here on the
 * adapter takes their type as given.
 */
export function partsOf({ private: state }: TargetRow, { options }: Pick<NetworkAdapter, "options">): Part[] {
  return (state.parts ?? []).map((part) => ({
    ...withFrozen(part, state),
    options: options.safeParse(part.options).data ?? part.options,
  }));
}

/** A part with its files as they are sent. */
function withFrozen(
  { link, ...part }: Part,
  { files = {}, extras = {}, link_picture }: Pick<TargetState, "files" | "extras" | "link_picture">,
): Part {
  const media = part.media.map((item) => {
    const cover = item.thumbnail_url === null ? undefined : extras[item.thumbnail_url];
    return { ...asSent(item, files[item.url]), ...(cover && { thumbnail_stored: cover }) };
  });
  const sent = { ...part, media, link: withPicture(link, link_picture) };
  if (part.option_files === undefined) return sent;
  return { ...sent, option_files: part.option_files.map((file) => ({ ...file, ...storedOf(extras[file.url]) })) };
}

function withPicture(link: PlannedLink | null, kept: FrozenFile | null | undefined): PlannedLink | null {
  if (link?.picture == null || kept === undefined) return link;
  if (kept === null) return { ...link, picture: null };
  const { mime_type, size_bytes, stored } = kept;
  return { ...link, picture: { url: link.picture.url, mime_type, size_bytes, stored } };
}

function storedOf(stored: StoredFile | undefined): Pick<MediaSource, "stored"> {
  return stored === undefined ? {} : { stored };
}

function asSent(item: PlannedMedia, file: FrozenFile | undefined): PlannedMedia {
  const { url, alt, thumbnail_url, thumbnail_mime_type } = item;
  const cover = thumbnail_mime_type === undefined ? {} : { thumbnail_mime_type };
  return file === undefined ? item : { url, alt, thumbnail_url, ...cover, ...file };
}
