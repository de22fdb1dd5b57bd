import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { Staged } from "../contract/commit.ts";
import type { Part, PlannedMedia } from "../contract/plan.ts";
import type { NetworkContext, NetworkResponse } from "../contract/request.ts";
import { apiHost, uploadEndpoint } from "./api.ts";
import type { YoutubeOptions } from "./options.ts";
import { videoParts, videoResource } from "./resource.ts";

/** How long an upload may lie unfinished; the documents name no time (unconfirmed). https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol (2026-09) */
export const sessionSeconds = 24 * 3_600;

/** An upload that has begun: nothing of it is on the channel before its last byte has arrived. */
export type UploadSession = {
  /** A secret by itself: whoever has it can upload. */
  url: string;
  /** Of the file, bytes. */
  total: number;
  /** Milliseconds since 1970. */
  ends_at: number;
};

const sessionSchema = z.object({ url: z.url(), total: z.number(), ends_at: z.number() });

/** Null: none was staged, or nobody knows any more. */
export function sessionIn({ session }: Staged): UploadSession | null {
  return sessionSchema.safeParse(session).data ?? null;
}

/** https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol (2026-09), step 1 */
export async function openSession(
  context: NetworkContext,
  { part, media, total }: { part: Part<YoutubeOptions>; media: PlannedMedia; total: number },
): Promise<UploadSession> {
  const resource: JsonObject = videoResource(part);
  const response = await context.request({
    method: "POST",
    url: uploadEndpoint("videos", {
      uploadType: "resumable",
      part: videoParts(resource).join(","),
      notifySubscribers: String(part.options.notify_subscribers ?? true),
    }),
    headers: { "x-upload-content-length": String(total), "x-upload-content-type": media.mime_type },
    body: { json: resource },
  });
  const url = addressIn(response);
  return { url, total, ends_at: context.now() + sessionSeconds * 1000 };
}

/** The credential goes along with the file: only to where YouTube's own data says. */
function addressIn({ headers }: NetworkResponse): string {
  const location = headers.get("location") ?? "";
  if (!URL.canParse(location)) throw new PublishingError("network_error", "YouTube's response has no upload URL.");
  const { protocol, host } = new URL(location);
  if (protocol !== "https:" || host !== apiHost)
    throw new PublishingError(
      "network_error",
      `YouTube requested the upload to ${host}, which is not one of its known hosts.`,
    );
  return location;
}

/** How far an upload is. */
export type UploadState =
  | { at: "bytes"; held: number }
  /** Whole. `videoId`: null, the answer could not be read. */
  | { at: "end"; videoId: string | null }
  /** Not known any more: it was never finished, or it was and is forgotten. */
  | { at: "gone" };

/** Asks how far an upload is; it only reads, although it is a PUT. Same source, step 4.1. */
export async function readUpload(
  context: Pick<NetworkContext, "request">,
  { url, total }: Pick<UploadSession, "url" | "total">,
): Promise<UploadState> {
  const headers = { "content-range": `bytes */${total}` };
  return stateIn(await context.request({ method: "PUT", url, headers, accept: uploadStatuses }));
}

/** Statuses that say how far an upload is. */
export const uploadStatuses: readonly number[] = [308, 404, 410];

const createdSchema = z.object({ id: z.string().min(1) });

export function createdVideo(body: unknown): string | null {
  return createdSchema.safeParse(body).data?.id ?? null;
}

export function stateIn({ status, headers, body }: NetworkResponse): UploadState {
  if (status === 404 || status === 410) return { at: "gone" };
  if (status !== 308) return { at: "end", videoId: createdVideo(body) };
  const [, last] = /^bytes=0-(\d{1,15})$/.exec(headers.get("range") ?? "") ?? [];
  return { at: "bytes", held: last === undefined ? 0 : Number(last) + 1 };
}

/** `Content-Range` of some of a file's bytes, `to` not among them. */
export function contentRange({ from, to, total }: { from: number; to: number; total: number }): string {
  return `bytes ${from}-${to - 1}/${total}`;
}
