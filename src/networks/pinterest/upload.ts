import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { PlannedMedia } from "../contract/plan.ts";
import { NotReady, type StageContext } from "../contract/request.ts";
import { isFirstTime } from "../shared/first-time.ts";
import { endpoint, getAnswer, pinterestId, readAnswer } from "./api.ts";
import { names } from "./staged.ts";

/** How long an upload is kept is documented nowhere (unconfirmed). */
const keepSeconds = 12 * 3600;

/** https://github.com/pinterest/api-description, `MediaUpload` (2025-12) */
const registeredSchema = z.object({
  media_id: pinterestId,
  upload_url: z.url({ protocol: /^https$/ }),
  upload_parameters: z.record(z.string(), z.string().nullish()),
});

/** Same source. */
const stateSchema = z.object({ status: z.string() });

/** Has Pinterest take a video, and waits until it can be pinned. Nobody sees it before. */
export async function stageVideo(context: StageContext, media: PlannedMedia): Promise<void> {
  const id = await context.once(names.media, () => upload(context, media), { keepSeconds });
  const { status } = await getAnswer(stateSchema, context, endpoint(["media", id]));
  if (status === "succeeded") return;
  if (status !== "failed") throw new NotReady("Pinterest is processing the video.");
  await again(context);
}

/** Registered and uploaded in one go: what an upload is signed with does not outlive this. */
async function upload(context: StageContext, media: PlannedMedia): Promise<string> {
  const url = endpoint(["media"]);
  const response = await context.request({ method: "POST", url, body: { json: { media_type: "video" } } });
  const { media_id, upload_url, upload_parameters } = readAnswer(registeredSchema, response);
  const fields = Object.entries(upload_parameters).flatMap(([name, value]) => (value == null ? [] : [{ name, value }]));
  const file = { contentType: media.mime_type, media, maxBytes: media.size_bytes ?? maxVideoBytes };
  await context.request({
    method: "POST",
    url: upload_url,
    // The store answers 400 to a token, and reads no field behind the file.
    credential: "none",
    body: { multipart: [...fields, { name: "file", filename: "video", file }] },
  });
  return media_id;
}

const maxVideoBytes = 2_000_000_000;

/** No reason is given. A second upload is made, and no third. */
async function again(context: StageContext): Promise<never> {
  const message = "Pinterest could not process the video.";
  if (!(await isFirstTime(context, "upload_failed", { keepSeconds })))
    throw new PublishingError("media_error", message);
  await context.forget(names.media);
  throw new NotReady(`${message} It is retried once.`);
}
