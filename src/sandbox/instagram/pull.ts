import { pullFile } from "../parts/graph-files.ts";
import { formatOf, isPlayable } from "../parts/uploads.ts";
import type { Draft } from "./draft.ts";

/**
 * Why a file cannot be used, by Instagram's error code.
 * https://developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/error-codes (2026-06)
 */
export type PullFailure = 2207052 | 2207005 | 2207004 | 2207026;

/** Under 8 MiB. Same source. */
const maxImageBytes = 8 * 1024 * 1024;
const maxVideoBytes = 300_000_000;

/**
 * Fetches a container's files as Instagram does, without following redirects, or checks the uploaded file. Null: all
 * files are valid.
 */
export async function pull(
  fetchFile: typeof fetch,
  { kind, address, cover, sent }: Draft,
): Promise<PullFailure | null> {
  if (kind === "CAROUSEL_ALBUM") return null;
  const failure =
    sent !== null
      ? videoFailure(sent.bytes)
      : kind === "VIDEO"
        ? await pullVideo(fetchFile, address ?? "")
        : await pullImage(fetchFile, address ?? "");
  if (failure !== null || cover === null) return failure;
  return pullImage(fetchFile, cover);
}

async function pullImage(fetchFile: typeof fetch, address: string): Promise<PullFailure | null> {
  const file = await pullFile(fetchFile, address, "image/");
  if (file === null) return 2207052;
  if (formatOf(file) !== "jpeg") return 2207005;
  return file.length < maxImageBytes ? null : 2207004;
}

async function pullVideo(fetchFile: typeof fetch, address: string): Promise<PullFailure | null> {
  return videoFailure(await pullFile(fetchFile, address, "video/"));
}

function videoFailure(file: Uint8Array | null): PullFailure | null {
  if (file === null) return 2207052;
  const format = formatOf(file);
  const isVideo = (format === "mp4" || format === "mov") && isPlayable(file);
  return isVideo && file.length <= maxVideoBytes ? null : 2207026;
}
