import { z } from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { PlannedMedia } from "../contract/plan.ts";
import { NotReady, type StageContext } from "../contract/request.ts";
import { graphId } from "../shared/meta/graph-id.ts";
import { type Api, readAnswer, uploadHost } from "./api.ts";
import { keepSeconds, pullSeconds } from "./staged.ts";
import { isUploaded, readVideo, stateOf } from "./video.ts";

const startedSchema = z.object({ video_id: graphId, upload_url: z.url() });
const successSchema = z.object({ success: z.literal(true) });

/**
 * A reel, or a film as a story: begun (`video`), fetched by Facebook from the address that it is told (`sent`), and
 * waited for. https://developers.facebook.com/docs/video-api/guides/reels-publishing (2026-09)
 */
export async function stagePulledFilm(
  context: StageContext,
  api: Api,
  { media, edge }: { media: PlannedMedia; edge: "video_reels" | "video_stories" },
): Promise<void> {
  const start = async () => {
    const url = api.endpoint([context.profile.external_id, edge]);
    const response = await context.request({ method: "POST", url, body: { form: { upload_phase: "start" } } });
    const started = readAnswer(startedSchema, response);
    return { ...started, upload_url: ownAddress(started.upload_url) };
  };
  const { video_id, upload_url } = await context.once("video", start, { keepSeconds });
  const send = async (): Promise<true> => {
    const file_url = await context.pullUrl(media.url, { seconds: pullSeconds });
    const response = await context.request({ method: "POST", url: upload_url, headers: { file_url } });
    return readAnswer(successSchema, response).success;
  };
  await context.once("sent", send, { keepSeconds });
  await context.once("arrived", () => waitFor(context, api, video_id), { keepSeconds });
}

/** The credential goes along: only to where Facebook's own data says. */
function ownAddress(address: string): string {
  const { protocol, host } = new URL(address);
  if (protocol === "https:" && host === uploadHost) return address;
  throw new PublishingError("network_error", `Facebook wants the film at ${host}, which is none of its hosts here.`);
}

/** @throws NotReady until Facebook has the film · PublishingError when it cannot use it */
async function waitFor(context: StageContext, api: Api, id: string): Promise<true> {
  const video = await readVideo(context, api, { id, why: "staging" });
  const state = video === null ? null : stateOf(video);
  if (state?.at === "failed") return begunAnew(context, state.failure);
  if (state?.at === "expired") return begunAnew(context, null);
  // A film that has been published by now is the request's to tell, or the look's.
  if (video !== null && (state?.at === "published" || isUploaded(video))) return true;
  throw new NotReady("Facebook is fetching the film.");
}

/** A film that failed can never be published; some failures pass, so it is sent a second time, and no third. */
async function begunAnew(
  context: StageContext,
  failure: { code: PublishingError["code"]; message: string } | null,
): Promise<never> {
  let isFirst = false;
  const note = async () => {
    isFirst = true;
    return true;
  };
  await context.once("begun_anew", note, { keepSeconds });
  if (!isFirst && failure !== null) throw new PublishingError(failure.code, failure.message);
  for (const name of ["video", "sent"]) await context.forget(name);
  throw new NotReady(`${failure?.message ?? "Facebook has let go of the film."} It is sent once more.`);
}
