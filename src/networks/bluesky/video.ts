import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { Json } from "../../wire/json.ts";
import type { PlannedMedia } from "../contract/plan.ts";
import { NotReady, type StageContext } from "../contract/request.ts";
import { withBearer } from "../shared/bearer.ts";
import { token } from "../shared/credential-fields.ts";
import { getAnswer, readAnswer, xrpc } from "./api.ts";
import { blobSchema, keepSeconds } from "./blob.ts";
import { videoFailures } from "./errors.ts";
import { maxVideoBytes } from "./limits.ts";

/** https://docs.bsky.app/docs/tutorials/video (2026-08) */
const videoService = "https://video.bsky.app";
const videoServiceDid = "did:web:video.bsky.app";
/** The server's own maximum is an hour. */
const uploadTokenSeconds = 30 * 60;
/** A job may fail for reasons that pass. */
const maxUploads = 3;

const jobSchema = z.object({
  jobId: z.string().nullish(),
  state: z.string().nullish(),
  blob: blobSchema.nullish(),
  failureCode: z.string().nullish(),
  message: z.string().nullish(),
});

/** Documented is the wrapped shape; uploadVideo answers the flat one. https://github.com/bluesky-social/atproto/issues/3097 (2026-08) */
const answerSchema = z.union([z.object({ jobStatus: jobSchema }).transform((answer) => answer.jobStatus), jobSchema]);
const allowanceSchema = z.object({ canUpload: z.boolean(), message: z.string().nullish() });
const tokenSchema = z.object({ token });

type Job = z.infer<typeof jobSchema>;

/**
 * Has the video converted and kept as `video`.
 *
 * @throws NotReady while the service works on it
 */
export async function stageVideo(context: StageContext, media: PlannedMedia): Promise<void> {
  await context.once("video", () => convert(context, media), { keepSeconds });
}

async function convert(context: StageContext, media: PlannedMedia): Promise<Json> {
  let lastReason = "";
  for (let upload = 0; upload < maxUploads; upload++) {
    const started = await context.once(`video_job_${upload}`, () => startJob(context, media), { keepSeconds });
    const job = await readJob(context, jobSchema.parse(started));
    if (job.blob != null) return job.blob as Json;
    if (job.state !== "JOB_STATE_FAILED") throw new NotReady("Bluesky is converting the video.");
    const failure = videoFailures[job.failureCode ?? ""];
    if (failure !== undefined) throw new PublishingError(failure.as, withDetail(failure.message, job.message));
    lastReason = job.message ?? job.failureCode ?? "";
  }
  throw new PublishingError("network_error", withDetail("Bluesky could not convert the video.", lastReason));
}

async function startJob(context: StageContext, media: PlannedMedia): Promise<Json> {
  await assertAllowed(context);
  const pds = new URL(String(context.profile.account_facts.pds));
  const token = await serviceToken(context, {
    aud: `did:web:${pds.hostname}`,
    lxm: "com.atproto.repo.uploadBlob",
    exp: String(Math.floor(context.now() / 1000) + uploadTokenSeconds),
  });
  const did = context.profile.external_id;
  const url = xrpc(videoService, "app.bsky.video.uploadVideo", { did, name: `${context.profile.id}.mp4` });
  const file = { contentType: "video/mp4", media, maxBytes: maxVideoBytes };
  // 409: the service has these very bytes already, and names their job or blob.
  const response = await context.request(withBearer({ method: "POST", url, body: { file }, accept: [409] }, token));
  const job = readAnswer(answerSchema, response);
  if (job.blob == null && !job.jobId)
    throw new PublishingError("network_error", "The video service's response has no job id.");
  return job as Json;
}

/** What has become of a job that was started. */
async function readJob(context: StageContext, started: Job): Promise<Job> {
  if (started.blob != null) return started;
  const url = xrpc(videoService, "app.bsky.video.getJobStatus", { jobId: String(started.jobId) });
  return await getAnswer(answerSchema, context, url);
}

async function assertAllowed(context: StageContext): Promise<void> {
  const lxm = "app.bsky.video.getUploadLimits";
  const token = await serviceToken(context, { aud: videoServiceDid, lxm });
  const response = await context.request(withBearer({ method: "GET", url: xrpc(videoService, lxm) }, token));
  const allowance = readAnswer(allowanceSchema, response);
  if (!allowance.canUpload)
    throw new PublishingError(
      "rejected_by_network",
      withDetail("Bluesky does not allow this account to upload a video now.", allowance.message),
    );
}

/** A token for one method of another service, made by the account's own server. */
async function serviceToken(context: StageContext, parameters: Record<string, string>): Promise<string> {
  const pds = String(context.profile.account_facts.pds);
  const url = xrpc(pds, "com.atproto.server.getServiceAuth", parameters);
  const response = await context.request({ method: "GET", url });
  return readAnswer(tokenSchema, response).token;
}

function withDetail(message: string, detail: string | null | undefined): string {
  return detail ? `${message} (${detail})` : message;
}
