import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { Staged } from "../contract/commit.ts";
import type { Part, PlannedMedia } from "../contract/plan.ts";
import type { NetworkContext } from "../contract/request.ts";
import { sizeOf } from "../shared/file-size.ts";
import { endpoint, jsonBody, ownHosts, readAnswer } from "./api.ts";
import type { TiktokOptions } from "./options.ts";
import { type Disabled, videoInfo } from "./post-info.ts";

/**
 * How long an upload is continued, seconds; its URL is valid for an hour.
 * https://developers.tiktok.com/doc/content-posting-api-reference-direct-post (2026-11)
 */
export const uploadSeconds = 55 * 60;

/** Sizes of the pieces of a file, bytes. */
export interface PieceSizes {
  /**
   * Maximum size of a file sent in one piece. At least `2 * chunkBytes - 1`, so that a single piece is always the whole
   * file.
   */
  wholeBytes: number;
  /** Size of each piece of a larger file, except the last. */
  chunkBytes: number;
}

/**
 * A file of at most 64 MB may be sent in one piece. The pieces of a larger one may have 5 to 64 MB, and the last one up
 * to 128. These sizes stay clear of the limits.
 * https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide (2026-11)
 */
export const takenPieces: PieceSizes = { wholeBytes: 64_000_000, chunkBytes: 10_000_000 };

/** A started upload. Nothing is posted before its last byte has arrived. */
export type Upload = {
  publish_id: string;
  /** Secret: its holder can upload. */
  url: string;
  /** Size of the file, bytes. */
  total: number;
  /** Size of each piece except the last, bytes. */
  chunk: number;
  /** Milliseconds since 1970. */
  ends_at: number;
};

const uploadSchema = z.object({
  publish_id: z.string().min(1),
  url: z.url(),
  total: z.number(),
  chunk: z.number(),
  ends_at: z.number(),
});

/** Null: none was staged, or it is no longer known. */
export function uploadIn({ upload }: Staged): Upload | null {
  return uploadSchema.safeParse(upload).data ?? null;
}

const begunSchema = z.object({ data: z.object({ publish_id: z.string().min(1), upload_url: z.string().min(1) }) });

/** https://developers.tiktok.com/doc/content-posting-api-reference-direct-post (2026-11), …-upload-video (2026-11) for drafts */
export async function beginUpload(
  context: NetworkContext,
  {
    part,
    media,
    disabled,
    pieces,
  }: {
    part: Part<TiktokOptions>;
    media: PlannedMedia;
    disabled: Disabled;
    pieces: PieceSizes;
  },
): Promise<Upload> {
  const source_info = sourceInfo(sizeOf(media), pieces);
  const { video_size: total, chunk_size: chunk } = source_info;
  const isDraft = part.options.inbox === true;
  const response = await context.request({
    method: "POST",
    url: endpoint(isDraft ? "post/publish/inbox/video/init" : "post/publish/video/init"),
    body: jsonBody(isDraft ? { source_info } : { post_info: videoInfo(part, disabled), source_info }),
  });
  const { publish_id, upload_url } = readAnswer(begunSchema, response).data;
  return { publish_id, url: assertOwn(upload_url), total, chunk, ends_at: context.now() + uploadSeconds * 1000 };
}

/**
 * The pieces of a file of `total` bytes. TikTok rejects a single piece that is not exactly as long as the file: "The
 * chunk size is invalid".
 */
export function sourceInfo(total: number, { wholeBytes, chunkBytes }: PieceSizes) {
  const chunk = total <= wholeBytes ? total : chunkBytes;
  const total_chunk_count = chunkCount({ total, chunk });
  return { source: "FILE_UPLOAD", video_size: total, chunk_size: chunk, total_chunk_count } as const;
}

/** Checks that the file is sent only to TikTok's own hosts. */
function assertOwn(address: string): string {
  const host = URL.canParse(address) ? new URL(address) : null;
  if (host?.protocol === "https:" && host.hostname.endsWith(ownHosts)) return address;
  throw new PublishingError(
    "network_error",
    `TikTok requested the upload to ${host?.host ?? "no host"}, which is not one of its known hosts.`,
  );
}

/**
 * Number of pieces. The remainder is part of the last one.
 * https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide (2026-11)
 */
function chunkCount({ total, chunk }: Pick<Upload, "total" | "chunk">): number {
  return Math.max(1, Math.floor(total / chunk));
}

/** Where the last piece begins. */
export function lastChunkStart(upload: Pick<Upload, "total" | "chunk">): number {
  return (chunkCount(upload) - 1) * upload.chunk;
}

/** The `Content-Range` of a slice, without the byte at `to`. */
export function contentRange({ from, to, total }: { from: number; to: number; total: number }): string {
  return `bytes ${from}-${to - 1}/${total}`;
}

/**
 * Number of bytes that have arrived after a piece ending at `to`. It is not documented whether the response contains
 * the last byte's index or the count (unconfirmed). Same source.
 */
export function heldIn(headers: Headers, to: number): number {
  const [, last] = /^bytes 0-(\d{1,15})\/\d+$/.exec(headers.get("content-range") ?? "") ?? [];
  const told = last === undefined ? to : Number(last) + 1;
  return Math.abs(told - to) <= 1 ? to : told;
}
