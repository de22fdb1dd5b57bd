import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import { withRemedy } from "../../wire/remedy.ts";
import type { Staged } from "../contract/commit.ts";
import type { Part, PlannedMedia } from "../contract/plan.ts";
import type { NetworkContext } from "../contract/request.ts";
import { endpoint, jsonBody, ownHosts, readAnswer } from "./api.ts";
import type { TiktokOptions } from "./options.ts";
import { type Disabled, videoInfo } from "./post-info.ts";

/** The address is good for an hour; what is begun later than this would not end. https://developers.tiktok.com/doc/content-posting-api-reference-direct-post (2026-11) */
export const uploadSeconds = 55 * 60;

/** In what pieces files go, bytes. */
export interface PieceSizes {
  /** A file of at most this many goes in one piece. At least `2 * chunkBytes - 1`: one piece is always the whole file. */
  wholeBytes: number;
  /** Of each piece but the last of a larger file. */
  chunkBytes: number;
}

/**
 * A file of at most 64 MB goes in one piece. Of a larger one a piece may have 5 to 64 MB, the last one up to 128:
 * what stays clear of every edge.
 * https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide (2026-11)
 */
export const takenPieces: PieceSizes = { wholeBytes: 64_000_000, chunkBytes: 10_000_000 };

/** An upload that has begun: nothing of it is posted before its last byte has arrived. */
export type Upload = {
  publish_id: string;
  /** A secret by itself: whoever has it can upload. */
  url: string;
  /** Of the file, bytes. */
  total: number;
  /** Of each piece but the last, bytes. */
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

/** Null: none was staged, or nobody knows any more. */
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

/** In what pieces a file of `total` bytes goes. A single piece is as long as the file, or TikTok refuses it: "The chunk size is invalid". */
export function sourceInfo(total: number, { wholeBytes, chunkBytes }: PieceSizes) {
  const chunk = total <= wholeBytes ? total : chunkBytes;
  const total_chunk_count = chunkCount({ total, chunk });
  return { source: "FILE_UPLOAD", video_size: total, chunk_size: chunk, total_chunk_count } as const;
}

function sizeOf({ size_bytes }: PlannedMedia): number {
  if (size_bytes !== null) return size_bytes;
  const message = withRemedy(
    "The file's host does not report its size. Upload the file first, or use another host.",
    "Uploads need a store: set createSocialService's mediaStore.",
  );
  throw new PublishingError("media_error", message);
}

/** The file goes only to where TikTok's own data says. */
function assertOwn(address: string): string {
  const host = URL.canParse(address) ? new URL(address) : null;
  if (host?.protocol === "https:" && host.hostname.endsWith(ownHosts)) return address;
  throw new PublishingError(
    "network_error",
    `TikTok requested the upload to ${host?.host ?? "no host"}, which is not one of its known hosts.`,
  );
}

/** What is left over goes with the last piece. https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide (2026-11) */
function chunkCount({ total, chunk }: Pick<Upload, "total" | "chunk">): number {
  return Math.max(1, Math.floor(total / chunk));
}

/** Where the last piece begins. */
export function lastChunkStart(upload: Pick<Upload, "total" | "chunk">): number {
  return (chunkCount(upload) - 1) * upload.chunk;
}

/** `Content-Range` of some of a file's bytes, `to` not among them. */
export function contentRange({ from, to, total }: { from: number; to: number; total: number }): string {
  return `bytes ${from}-${to - 1}/${total}`;
}

/**
 * How many bytes there are after a piece that ends at `to`, by what the answer says. Whether it names the last byte or
 * their number is documented nowhere (unconfirmed). Same source.
 */
export function heldIn(headers: Headers, to: number): number {
  const [, last] = /^bytes 0-(\d{1,15})\/\d+$/.exec(headers.get("content-range") ?? "") ?? [];
  const told = last === undefined ? to : Number(last) + 1;
  return Math.abs(told - to) <= 1 ? to : told;
}
