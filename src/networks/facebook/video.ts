import * as z from "zod";
import type { PublishingFailure } from "../contract/acceptance.ts";
import type { NetworkContext } from "../contract/request.ts";
import { graphErrorCodes } from "../shared/meta/errors.ts";
import { type Api, getAnswer, readAnswer } from "./api.ts";

const reasonSchema = z.object({ message: z.string().nullish() });

const phaseSchema = z
  .object({
    status: z.string().nullish(),
    error: reasonSchema.nullish(),
    errors: z.array(reasonSchema).nullish(),
    /** The guide writes it with one r, the code of Meta's SDK with two. */
    bytes_transfered: z.coerce.number().nullish(),
    bytes_transferred: z.coerce.number().nullish(),
    publish_status: z.string().nullish(),
  })
  .nullish();

/** https://developers.facebook.com/docs/video-api/guides/reels-publishing (2026-09), https://github.com/facebook/facebook-business-sdk-codegen (2026-04) */
const videoSchema = z.object({
  status: z
    .object({
      video_status: z.string().nullish(),
      uploading_phase: phaseSchema,
      processing_phase: phaseSchema,
      publishing_phase: phaseSchema,
    })
    .nullish(),
  post_id: z.union([z.string(), z.number()]).transform(String).nullish(),
  permalink_url: z.string().nullish(),
});

export type Video = z.infer<typeof videoSchema>;

/** What is asked of a video while it is uploaded, and of one that may be public. */
const fieldsFor = { staging: "status", looking: "status,post_id,permalink_url" } as const;

/** How a video is: `idle` is one that nobody has asked to publish, as far as it says. */
export type VideoState =
  | { at: "published" }
  | { at: "failed"; failure: PublishingFailure }
  | { at: "working" | "expired" | "idle" };

/** Null: Facebook shows none under this id, or not yet. https://github.com/DayMoonDevelopment/post-for-me/pull/355 (2026-09) */
export async function readVideo(
  context: Pick<NetworkContext, "request">,
  api: Api,
  { id, why }: { id: string; why: keyof typeof fieldsFor },
): Promise<Video | null> {
  const url = api.endpoint([id], { fields: fieldsFor[why] });
  const response = await context.request({ method: "GET", url, accept: [400] });
  if (response.status === 200) return readAnswer(videoSchema, response);
  if (graphErrorCodes(response.body).includes("100/33")) return null;
  return getAnswer(videoSchema, context, url);
}

/** How many bytes Facebook says that it has; null: it does not say. */
export function bytesHeld({ status }: Video): number | null {
  const { bytes_transferred, bytes_transfered } = status?.uploading_phase ?? {};
  return bytes_transferred ?? bytes_transfered ?? null;
}

const failedStatuses: ReadonlySet<string> = new Set(["error", "upload_failed"]);

/** What has been published stays so: a failure that is told beside it does not make it vanish. */
export function stateOf({ status }: Video): VideoState {
  const { video_status, uploading_phase, processing_phase, publishing_phase } = status ?? {};
  const phases = [uploading_phase, processing_phase, publishing_phase];
  if (publishing_phase?.publish_status === "published") return { at: "published" };
  const failed = phases.find((phase) => phase?.status === "error" || phase?.publish_status === "error");
  if (failed != null || failedStatuses.has(video_status ?? "")) return { at: "failed", failure: failureOf(failed) };
  if (video_status === "expired") return { at: "expired" };
  const isWorking = phases.some((phase) => phase?.status === "in_progress");
  if (isWorking || video_status === "processing" || status == null) return { at: "working" };
  return { at: "idle" };
}

/** Has all of it arrived? */
export function isUploaded({ status }: Video): boolean {
  const phase = status?.uploading_phase?.status ?? "";
  const whole = ["upload_complete", "processing", "ready"];
  return phase === "complete" || phase === "completed" || whole.includes(status?.video_status ?? "");
}

function failureOf(phase: z.infer<typeof phaseSchema>): PublishingFailure {
  const words = phase?.error?.message ?? phase?.errors?.[0]?.message ?? "";
  const detail = words === "" ? "" : ` (${words.slice(0, 200)})`;
  return { code: "media_error", message: `Facebook could not use the video.${detail}` };
}
