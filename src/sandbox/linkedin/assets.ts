import { z } from "zod";
import { jsonBody, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createJobs, type Job } from "../parts/jobs.ts";
import { formatOf } from "../parts/uploads.ts";
import type { Caller } from "./logins.ts";
import { forbidden, refusal } from "./refusal.ts";
import { mayPostFor, type State } from "./state.ts";

/** `WAITING_UPLOAD`, `PROCESSING`, `AVAILABLE`, `PROCESSING_FAILED`. https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/images-api (2026-08) */
export interface Asset {
  urn: string;
  kind: "image";
  owner: string;
  /** The last step of the address that its bytes go to. */
  upload: string;
  upload_ends_at: number;
  job: Job<string> | null;
}

const newUpload = z.strictObject({ initializeUploadRequest: z.strictObject({ owner: z.string() }) });

const uploadMs = 30 * 86_400_000;

export interface Assets {
  initialize(caller: Caller, request: SandboxRequest): SandboxAnswer;
  /** The bytes of a picture, in one piece. */
  take(request: SandboxRequest, upload: string): SandboxAnswer;
  status(caller: Caller, urn: string): SandboxAnswer;
  /** What a post is made of. @throws Refusal */
  forPost(author: string, urn: string): Asset;
  processFor(seconds: number): void;
  failNext(): void;
}

export function createAssets(state: State, { clock }: SandboxPorts): Assets {
  const assets = new Map<string, Asset>();
  const jobs = createJobs<string>(clock);

  function stateOf({ job }: Asset): string {
    if (job === null) return "WAITING_UPLOAD";
    if (!jobs.isDone(job)) return "PROCESSING";
    return job.failure === null ? "AVAILABLE" : "PROCESSING_FAILED";
  }

  return {
    initialize(caller, request) {
      const parsed = newUpload.safeParse(jsonBody(request));
      if (!parsed.success) throw refusal(400, "ILLEGAL_ARGUMENT", parsed.error.issues[0]?.message ?? "no JSON");
      const { owner } = parsed.data.initializeUploadRequest;
      if (!mayPostFor(state, caller.member, owner)) throw forbidden("images.INITIALIZE_UPLOAD", caller.version);
      const id = state.newId();
      const urn = `urn:li:image:C4D${id}`;
      const upload_ends_at = clock.now() + uploadMs;
      assets.set(urn, { urn, kind: "image", owner, upload: id, upload_ends_at, job: null });
      const uploadUrl = `https://www.linkedin.com/dms-uploads/${id}?ca=vector_ads&e=${upload_ends_at}`;
      return { status: 200, json: { value: { uploadUrl, uploadUrlExpiresAt: upload_ends_at, image: urn } } };
    },

    take({ bytes }, upload) {
      const asset = [...assets.values()].find((each) => each.upload === upload);
      if (asset === undefined) throw refusal(404, null, "There is no such upload.");
      if (clock.now() >= asset.upload_ends_at) throw refusal(400, "EXPIRED_UPLOAD_URL", "The upload has expired.");
      const format = formatOf(bytes);
      const job = asset.job ?? jobs.start();
      asset.job =
        format === "jpeg" || format === "png" || format === "gif" ? job : { ...job, failure: "not a picture" };
      return { status: 201 };
    },

    status({ scopes, version }, urn) {
      const asset = assets.get(urn);
      if (asset === undefined) throw refusal(404, "NOT_FOUND", `Could not find entity ${urn}`);
      // Those who may only post are not told. Same source.
      const isOfOrganization = asset.owner.startsWith("urn:li:organization:");
      if (!isOfOrganization || !scopes.includes("w_organization_social")) {
        const message = `Accessing this image resource is forbidden (${version})`;
        throw refusal(403, "ACCESS_DENIED", message);
      }
      return { status: 200, json: { id: urn, owner: asset.owner, status: stateOf(asset) } };
    },

    forPost(author, urn) {
      const asset = assets.get(urn);
      if (asset === undefined || asset.owner !== author)
        throw refusal(400, "INVALID_URN_ID", `The author does not own ${urn}.`);
      const at = stateOf(asset);
      if (at === "PROCESSING_FAILED")
        throw refusal(400, "MEDIA_ASSET_PROCESSING_FAILED", `${urn} could not be processed.`);
      if (at !== "AVAILABLE") throw refusal(400, "MEDIA_ASSET_WAITING_UPLOAD", `${urn} is not there yet.`);
      return asset;
    },

    processFor: jobs.take,
    failNext: () => jobs.failNext("could not be processed"),
  };
}
