import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { PlannedMedia } from "../contract/plan.ts";
import { NotReady, type StageContext } from "../contract/request.ts";
import { isFirstTime } from "../shared/first-time.ts";
import { fetchFailed } from "../shared/meta/errors.ts";
import { graphId } from "../shared/meta/graph-id.ts";
import { ownUploadAddress, sendVideo, type VideoUpload } from "../shared/meta/video-upload.ts";
import { type Api, readAnswer } from "./api.ts";
import { keepSeconds, pullSeconds } from "./staged.ts";
import { isUploaded, readVideo, stateOf } from "./video.ts";

const startedSchema = z.object({ video_id: graphId, upload_url: z.url() });
const successSchema = z.object({ success: z.literal(true) });

/**
 * Stages a reel or a story video. It is started and, with `push`, sent (`video`); with `pull`, Facebook downloads it
 * from a URL. Then waits until it has arrived. https://developers.facebook.com/docs/video-api/guides/reels-publishing
 * (2026-09)
 */
export async function stageWholeVideo(
  context: StageContext,
  api: Api,
  {
    media,
    edge,
    videoUpload,
  }: { media: PlannedMedia; edge: "video_reels" | "video_stories"; videoUpload: VideoUpload },
): Promise<void> {
  const start = async () => {
    const url = api.endpoint([context.profile.external_id, edge]);
    const response = await context.request({ method: "POST", url, body: { form: { upload_phase: "start" } } });
    const started = readAnswer(startedSchema, response);
    if (videoUpload === "push" && !(await sendVideo(context, { name: "Facebook", url: started.upload_url, media })))
      return begunAnew(context, { code: "media_error", message: "Facebook could not process the video." });
    return { ...started, upload_url: ownUploadAddress("Facebook", started.upload_url) };
  };
  const { video_id, upload_url } = await context.once("video", start, { keepSeconds });
  const pull = async (): Promise<true> => {
    const file_url = await context.signedUrl(media.url, { seconds: pullSeconds });
    const request = { method: "POST", url: upload_url, headers: { file_url }, acceptCodes: [fetchFailed] } as const;
    const response = await context.request(request);
    if (response.status < 400) return readAnswer(successSchema, response).success;
    return begunAnew(context, { code: "media_error", message: "Facebook could not fetch the video from its URL." });
  };
  if (videoUpload === "pull") await context.once(`sent_${video_id}`, pull, { keepSeconds });
  await context.once(`arrived_${video_id}`, () => waitFor(context, api, video_id), { keepSeconds });
}

/** @throws NotReady until Facebook has the video · PublishingError if it cannot use it */
async function waitFor(context: StageContext, api: Api, id: string): Promise<true> {
  const video = await readVideo(context, api, { id, why: "staging" });
  const state = video === null ? null : stateOf(video);
  if (state?.at === "failed") return begunAnew(context, state.failure);
  if (state?.at === "expired") return begunAnew(context, null);
  // If the video is already published, the commit or a look reports it.
  if (video !== null && (state?.at === "published" || isUploaded(video))) return true;
  throw new NotReady("Facebook is fetching the video.");
}

/**
 * Uploads the video again after a failure, once: a failed video can never be published, but some failures are
 * temporary.
 */
async function begunAnew(
  context: StageContext,
  failure: { code: PublishingError["code"]; message: string } | null,
): Promise<never> {
  const isFirst = await isFirstTime(context, "begun_anew", { keepSeconds });
  if (!isFirst && failure !== null) throw new PublishingError(failure.code, failure.message);
  await context.forget("video");
  throw new NotReady(`${failure?.message ?? "Facebook discarded the video."} The upload is repeated.`);
}
