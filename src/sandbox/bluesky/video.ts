import { Buffer } from "node:buffer";
import { contentId } from "../../networks/bluesky/content-id.ts";
import type { Json, JsonObject } from "../../wire/json.ts";
import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createJobs, type Job } from "../parts/jobs.ts";
import { tellsLength } from "../parts/uploads.ts";
import type { Accounts, SandboxAccount } from "./accounts.ts";
import { invalidRequest, refusal } from "./refusal.ts";

interface VideoJob extends Job<string> {
  id: string;
  account: SandboxAccount;
  bytes: Uint8Array;
  link: string;
}

export interface VideoService {
  answer(method: string, request: SandboxRequest): SandboxAnswer;
  /** Sets how long jobs that start from now on take. */
  processFor(seconds: number): void;
  /** Makes the next job end with this `failureCode`. */
  failNext(failureCode: string): void;
}

export interface VideoOptions {
  /** The DID of the accounts' server, which the upload token must be issued for. */
  serverDid: string;
  /** Maximum blob size on the accounts' server. */
  blobLimit: () => number | null;
  /** True: the accounts' server has issued this token. */
  isServiceToken: (token: string) => boolean;
}

/** video.bsky.app. https://docs.bsky.app/docs/tutorials/video (2026-08) */
export function createVideoService(ports: SandboxPorts, accounts: Accounts, options: VideoOptions): VideoService {
  const jobs = new Map<string, VideoJob>();
  const work = createJobs<string>(ports.clock);

  function caller(request: SandboxRequest, wanted: { aud: string; lxm: string }): SandboxAccount {
    const token = request.headers.get("authorization")?.replace(/^Bearer /, "") ?? "";
    if (!options.isServiceToken(token)) throw refusal(401, "AuthMissing", "Authentication Required");
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as JsonObject;
    if (claims.aud !== wanted.aud || claims.lxm !== wanted.lxm)
      throw refusal(401, "InvalidToken", "The token is for another service or method");
    if (Number(claims.exp) * 1000 <= ports.clock.now()) throw refusal(401, "ExpiredToken", "Token has expired");
    return accounts.byHandle(String(claims.iss));
  }

  function status(job: VideoJob): JsonObject {
    const common = { jobId: job.id, did: job.account.did };
    if (!work.isDone(job)) return { ...common, state: "JOB_STATE_ENCODING", progress: 50 };
    const tooLarge = job.bytes.length > (options.blobLimit() ?? Number.POSITIVE_INFINITY);
    const failureCode = job.failure ?? (tooLarge ? "pds_upload_unsupported_blob_size" : null);
    if (failureCode !== null)
      return { ...common, state: "JOB_STATE_FAILED", failureCode, error: "failed", message: "Video could not be used" };
    return { ...common, state: "JOB_STATE_COMPLETED", progress: 100, blob: finish(job) };
  }

  /** The service writes the file to the account's own server. */
  function finish({ account, link, bytes }: VideoJob): Json {
    const blob = { mimeType: "video/mp4", size: bytes.length };
    account.blobs.set(link, blob);
    return { $type: "blob", ref: { $link: link }, ...blob };
  }

  function upload(request: SandboxRequest): SandboxAnswer {
    const account = caller(request, { aud: options.serverDid, lxm: "com.atproto.repo.uploadBlob" });
    if (request.url.searchParams.get("did") !== account.did) throw invalidRequest("did is not the token's account");
    if (request.headers.get("content-type") !== "video/mp4")
      throw refusal(400, "UnsupportedContentType", "Only video/mp4 is supported");
    if (!tellsLength(request)) throw invalidRequest("Content-Length is required");
    const link = contentId("blob", request.bytes);
    const known = [...jobs.values()].find((job) => job.link === link && job.account === account);
    if (known !== undefined && status(known).state === "JOB_STATE_COMPLETED")
      return { status: 409, json: { ...status(known), error: "already_exists", message: "Video already processed" } };
    const job = { id: `job${jobs.size + 1}`, account, bytes: request.bytes, link, ...work.start() };
    jobs.set(job.id, job);
    // The lexicon wraps this in jobStatus; the live service does not. https://github.com/bluesky-social/atproto/issues/3097 (2026-08)
    return ok({ jobId: job.id, did: account.did, state: "JOB_STATE_CREATED", progress: 0 });
  }

  return {
    answer(method, request) {
      if (method === "app.bsky.video.getUploadLimits") {
        caller(request, { aud: "did:web:video.bsky.app", lxm: method });
        return ok({ canUpload: true, remainingDailyVideos: 25, remainingDailyBytes: 10_000_000_000 });
      }
      if (method === "app.bsky.video.uploadVideo") return upload(request);
      const job = jobs.get(request.url.searchParams.get("jobId") ?? "");
      if (method !== "app.bsky.video.getJobStatus" || job === undefined) throw invalidRequest("No such job");
      return ok({ jobStatus: status(job) });
    },
    processFor: work.take,
    failNext: work.failNext,
  };
}
