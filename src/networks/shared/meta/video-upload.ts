import * as z from "zod";
import { PublishingError } from "../../../wire/errors.ts";
import { withRemedy } from "../../../wire/remedy.ts";
import type { MediaRule } from "../../contract/limits.ts";
import type { PlannedMedia } from "../../contract/plan.ts";
import type { StageContext } from "../../contract/request.ts";
import type { NetworkSpec } from "../../contract/spec.ts";
import { answersOf } from "../answer.ts";
import { uploadFailed } from "./errors.ts";
import { uploadHost } from "./graph.ts";

/** How videos reach Meta: `pull`, it fetches them from an address; `push`, they are sent. */
export type VideoUpload = "pull" | "push";

/** The adapters' setting of this name. */
export const videoUploadSetting = z.enum(["pull", "push"]);

/** Slower than this an upload is given up, bytes a second. */
const slowestBytesPerSecond = 100_000;
/** What any upload may take, seconds. */
const leastSeconds = 300;

const successSchema = z.object({ success: z.literal(true) });

/** The credential goes along: only to where Meta's own data says. */
export function ownUploadAddress(name: string, address: string): string {
  const { protocol, host } = new URL(address);
  if (protocol === "https:" && host === uploadHost) return address;
  throw new PublishingError(
    "network_error",
    `${name} requested the upload to ${host}, which is not one of its known hosts.`,
  );
}

/**
 * Sends a whole video, once: of what fails some bytes may have arrived, so it is begun anew, with another upload.
 * https://developers.facebook.com/documentation/instagram-platform/content-publishing/resumable-uploads (2026-03)
 *
 * @param name the network, as it writes itself
 * @param url where the network wants it
 * @returns false: the network could not use it, this time
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

/** What Meta wants to know before the first byte. @throws PublishingError `media_error` where nobody knows it */
export function sizeOfVideo({ size_bytes }: Pick<PlannedMedia, "size_bytes">): number {
  if (size_bytes !== null) return size_bytes;
  const message = withRemedy(
    "The video's host does not report its size. Upload the file first, or use another host.",
    "Uploads need a store: set createSocialService's mediaStore.",
  );
  throw new PublishingError("media_error", message);
}

/** What a network takes whose videos are sent: they need no address that it can fetch them from. */
export function withVideoUpload<Spec extends NetworkSpec>(spec: Spec, upload: VideoUpload): Spec {
  if (upload === "pull") return spec;
  const sent = (rule: MediaRule): MediaRule => (rule.type === "video" ? { ...rule, pulled: false } : rule);
  const variants = spec.variants?.map((variant) => {
    const types = variant.media?.types?.map(sent);
    return types === undefined ? variant : { ...variant, media: { ...variant.media, types } };
  });
  return { ...spec, media: { ...spec.media, types: spec.media.types.map(sent) }, ...(variants && { variants }) };
}
