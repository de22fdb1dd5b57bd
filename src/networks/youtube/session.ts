import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { Staged } from "../contract/commit.ts";
import type { Part, PlannedMedia } from "../contract/plan.ts";
import type { NetworkContext, NetworkResponse } from "../contract/request.ts";
import { apiHost, uploadEndpoint } from "./api.ts";
import type { YoutubeOptions } from "./options.ts";
import { videoParts, videoResource } from "./resource.ts";

/**
 * How long an unfinished upload is continued, seconds; its lifetime is not documented (unconfirmed).
 * https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol (2026-09)
 */
export const sessionSeconds = 24 * 3_600;

/** A started upload. Nothing is on the channel before its last byte has arrived. */
export type UploadSession = {
  /** Secret: its holder can upload. */
  url: string;
  /** Size of the file, bytes. */
  total: number;
  /** Milliseconds since 1970. */
  ends_at: number;
};

const sessionSchema = z.object({ url: z.url(), total: z.number(), ends_at: z.number() });

/** Null: none was staged, or it is no longer known. */
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

/** Checks the upload URL: the access token is sent with the file, so only to YouTube's own host. */
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

/** The state of an upload. */
export type UploadState =
  | { at: "bytes"; held: number }
  /** Complete. `videoId` null: the response could not be read. */
  | { at: "end"; videoId: string | null }
  /** Unknown to YouTube: it was never finished, or was finished and forgotten. */
  | { at: "gone" };

/** Reads the state of an upload. Only reads, although it is a PUT. Same source, step 4.1. */
export async function readUpload(
  context: Pick<NetworkContext, "request">,
  { url, total }: Pick<UploadSession, "url" | "total">,
): Promise<UploadState> {
  const headers = { "content-range": `bytes */${total}` };
  return stateIn(await context.request({ method: "PUT", url, headers, accept: uploadStatuses }));
}

/** Statuses that show the state of an upload. */
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

/** The `Content-Range` of a slice, without the byte at `to`. */
export function contentRange({ from, to, total }: { from: number; to: number; total: number }): string {
  return `bytes ${from}-${to - 1}/${total}`;
}
