import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { PlannedMedia } from "../contract/plan.ts";
import { NotReady, type StageContext } from "../contract/request.ts";
import { graphId } from "../shared/meta/graph-id.ts";
import { sizeOfVideo } from "../shared/meta/video-upload.ts";
import { type Api, readAnswer } from "./api.ts";
import { limits } from "./limits.ts";
import { keepSeconds } from "./staged.ts";
import { bytesHeld, readVideo, stateOf } from "./video.ts";

const offset = z.coerce.number().int().nonnegative();

/** https://developers.facebook.com/docs/graph-api/reference/page/videos/ (2026-09) */
const startedSchema = z.object({
  upload_session_id: graphId,
  video_id: graphId,
  start_offset: offset,
  end_offset: offset,
});
const piecesSchema = z.object({ start_offset: offset, end_offset: offset });

interface Upload {
  context: StageContext;
  url: string;
  media: PlannedMedia;
  session: string;
}

/**
 * Uploads a video in pieces of the length that Facebook asks for: started (`video`) and sent (`sent_{its id}`). It
 * stays unpublished until the finishing request.
 */
export async function stageVideo(context: StageContext, api: Api, media: PlannedMedia): Promise<void> {
  const url = api.endpoint([context.profile.external_id, "videos"]);
  const total = sizeOfVideo(media);
  let isNew = false;
  const start = async () => {
    isNew = true;
    const form = { upload_phase: "start", file_size: String(total) };
    const response = await context.request({ method: "POST", url, body: { form } });
    const { start_offset, end_offset, ...ids } = readAnswer(startedSchema, response);
    return { ...ids, piece: end_offset - start_offset };
  };
  const { upload_session_id, video_id, piece } = await context.once("video", start, { keepSeconds });
  const upload: Upload = { context, url, media, session: upload_session_id };
  const send = async (): Promise<true> => {
    const held = isNew ? 0 : await heldBefore(context, api, video_id);
    await sendPieces(upload, { held, end: Math.min(held + piece, total), total });
    return true;
  };
  await context.once(`sent_${video_id}`, send, { keepSeconds });
}

/**
 * Number of bytes that Facebook already has. Restarts an upload that is gone or of unknown progress: nothing was
 * published.
 */
async function heldBefore(context: StageContext, api: Api, id: string): Promise<number> {
  const video = await readVideo(context, api, { id, why: "staging" });
  const state = video === null ? null : stateOf(video);
  const held = video === null || state?.at === "failed" || state?.at === "expired" ? null : bytesHeld(video);
  if (held !== null) return held;
  await context.forget("video");
  throw new NotReady("Facebook does not report the upload's progress; the upload restarts.");
}

/** Sends the pieces. None is repeated immediately, because some of its bytes may have arrived. */
async function sendPieces(upload: Upload, from: { held: number; end: number; total: number }): Promise<void> {
  const { context } = upload;
  let { held, end } = from;
  while (held < end && held < from.total) {
    const response = await context.request(pieceRequest(upload, { from: held, to: end }));
    const next = readAnswer(piecesSchema, response);
    if (next.start_offset <= held || next.end_offset > from.total)
      throw new PublishingError("network_error", "Facebook rejects the next bytes of the video.");
    ({ start_offset: held, end_offset: end } = next);
  }
}

function pieceRequest(
  { url, media, session }: Upload,
  slice: { from: number; to: number },
): Parameters<StageContext["request"]>[0] {
  const maxBytes = limits.media.types.find(({ mime }) => mime === media.mime_type)?.max_bytes ?? 0;
  const file = { contentType: media.mime_type, media, maxBytes, slice };
  const multipart = [
    ...Object.entries({ upload_phase: "transfer", upload_session_id: session, start_offset: String(slice.from) }).map(
      ([name, value]) => ({ name, value }),
    ),
    { name: "video_file_chunk", filename: "video", file },
  ];
  return { method: "POST", url, body: { multipart }, repeat: false };
}
