import { pullFile } from "../parts/graph-files.ts";
import { formatOf, isPlayable } from "../parts/uploads.ts";
import type { Draft } from "./draft.ts";

/**
 * Why a container's status is `ERROR`, by its own field. https://developers.facebook.com/docs/threads/troubleshooting
 * (2026-08)
 */
export type PullFailure = "FAILED_DOWNLOADING_VIDEO" | "FAILED_PROCESSING_VIDEO" | "INVALID_DURATION" | "UNKNOWN";

const maxImageBytes = 8 * 1024 * 1024;
const maxVideoBytes = 1_000_000_000;

/** Fetches a container's file; null: it is valid. Threads does not document the error for an unusable image. */
export async function pull(fetchFile: typeof fetch, { kind, address }: Draft): Promise<PullFailure | null> {
  if (address === null) return null;
  const isVideo = kind === "VIDEO";
  const file = await pullFile(fetchFile, address, isVideo ? "video/" : "image/");
  if (file === null) return isVideo ? "FAILED_DOWNLOADING_VIDEO" : "UNKNOWN";
  const format = formatOf(file) ?? "";
  if (!isVideo) return ["jpeg", "png"].includes(format) && file.length <= maxImageBytes ? null : "UNKNOWN";
  const isUsable = ["mp4", "mov"].includes(format) && isPlayable(file);
  return isUsable && file.length <= maxVideoBytes ? null : "FAILED_PROCESSING_VIDEO";
}
