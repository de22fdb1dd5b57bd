import type { Freeze, FrozenFile } from "../hosting/derive.ts";
import type { MediaChange } from "../media/transform/transformer.ts";
import type { Part, PlannedMedia } from "../networks/contract/plan.ts";
import type { FittedMedia } from "../planning/check-media.ts";
import type { TargetRow, TargetState } from "./rows.ts";

/** What files are made into before they are sent, by their addresses; the others go out as they are. */
export function changesOf(files: readonly FittedMedia[]): Record<string, MediaChange> {
  return Object.fromEntries(files.flatMap(({ item, fit }) => (fit.kind === "change" ? [[item.url, fit.change]] : [])));
}

/** True when it has files, and they are not kept yet. */
export function hasFilesToFreeze({ private: { parts, files } }: TargetRow): boolean {
  return files === undefined && (parts ?? []).some(({ media }) => media.length > 0);
}

/**
 * Keeps all files of a target, made to fit, each once.
 *
 * @throws PublishingError `media_error`
 */
export async function freezeFiles(
  freeze: Freeze,
  { account_id: accountId, post_id: postId, private: { parts, changes = {} } }: TargetRow,
  signal: AbortSignal,
): Promise<Record<string, FrozenFile>> {
  const media = new Map((parts ?? []).flatMap((part) => part.media.map((item) => [item.url, item] as const)));
  const frozen = [...media].map(async ([url, source]) => {
    const file = await freeze({ accountId, postId, source, change: changes[url] ?? null }, signal);
    return [url, file] as const;
  });
  return Object.fromEntries(await Promise.all(frozen));
}

/** A part with its files as they are sent. */
export function withFrozen(part: Part, { files = {} }: Pick<TargetState, "files">): Part {
  return { ...part, media: part.media.map((item) => asSent(item, files[item.url])) };
}

function asSent(item: PlannedMedia, file: FrozenFile | undefined): PlannedMedia {
  const { url, alt, thumbnail_url, thumbnail_mime_type } = item;
  const cover = thumbnail_mime_type === undefined ? {} : { thumbnail_mime_type };
  return file === undefined ? item : { url, alt, thumbnail_url, ...cover, ...file };
}
