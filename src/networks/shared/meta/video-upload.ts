import * as z from "zod";
import { PublishingError } from "../../../wire/errors.ts";
import type { MediaRule } from "../../contract/limits.ts";
import type { PlannedMedia } from "../../contract/plan.ts";
import type { StageContext } from "../../contract/request.ts";
import type { NetworkSpec } from "../../contract/spec.ts";
import { answersOf } from "../answer.ts";
import { sizeOf } from "../file-size.ts";
import { uploadFailed } from "./errors.ts";
import { uploadHost } from "./graph.ts";

/** How videos reach Meta. `pull`: Meta fetches them from a URL · `push`: the service uploads them. */
export type VideoUpload = "pull" | "push";

/** The adapters' setting `videoUpload`. */
export const videoUploadSetting = z.enum(["pull", "push"]);

/** The slowest accepted upload, bytes per second. A slower one is aborted. */
const slowestBytesPerSecond = 100_000;
/** Minimum timeout of an upload, seconds. */
const leastSeconds = 300;

const successSchema = z.object({ success: z.literal(true) });

/** Uploads only to Meta's known host, because the request carries the credential. */
export function ownUploadAddress(name: string, address: string): string {
  const { protocol, host } = new URL(address);
  if (protocol === "https:" && host === uploadHost) return address;
  throw new PublishingError(
    "network_error",
    `${name} requested the upload to ${host}, which is not one of its known hosts.`,
  );
}

/**
 * Uploads a whole video, once. After a failure some bytes may have arrived, so the caller starts a new upload.
 * https://developers.facebook.com/documentation/instagram-platform/content-publishing/resumable-uploads (2026-03)
 *
 * @param name the network's own spelling of its name
 * @param url the upload URL from the network
 * @returns false: the network could not process it this time
 * @throws PublishingError
 */
export async function sendVideo(
  context: StageContext,
  { name, url, media }: { name: string; url: string; media: PlannedMedia },
): Promise<boolean> {
  const size = sizeOfVideo(media);
  const response = await context.request({
    method: "POST",
    url: ownUploadAddress(name, url),
    headers: { offset: "0", file_size: String(size) },
    body: { file: { contentType: "application/octet-stream", media, maxBytes: size } },
    hardEndSeconds: Math.max(leastSeconds, Math.ceil(size / slowestBytesPerSecond)),
    repeat: false,
    acceptCodes: [uploadFailed],
  });
  return response.status >= 400 ? false : answersOf(name).readAnswer(successSchema, response).success;
}

/** The size, which Meta needs before the first byte. @throws PublishingError `media_error` if it is unknown */
export function sizeOfVideo(video: Pick<PlannedMedia, "size_bytes">): number {
  return sizeOf(video, "The video's host does not report its size.");
}

/** The spec for this kind of upload. Pushed videos need no URL from which the network can fetch them. */
export function withVideoUpload<Spec extends NetworkSpec>(spec: Spec, upload: VideoUpload): Spec {
  if (upload === "pull") return spec;
  const sent = (rule: MediaRule): MediaRule => (rule.type === "video" ? { ...rule, pulled: false } : rule);
  const variants = spec.variants?.map((variant) => {
    const types = variant.media?.types?.map(sent);
    return types === undefined ? variant : { ...variant, media: { ...variant.media, types } };
  });
  return { ...spec, media: { ...spec.media, types: spec.media.types.map(sent) }, ...(variants && { variants }) };
}
