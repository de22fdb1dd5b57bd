import * as z from "zod";
import { jsonBody, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createJobs, type Job } from "../parts/jobs.ts";
import { formatOf } from "../parts/uploads.ts";
import type { Caller } from "./logins.ts";
import { forbidden, refusal } from "./refusal.ts";
import { mayPostFor, type State } from "./state.ts";

const kinds = { images: "image", videos: "video", documents: "document" } as const;

export type AssetKind = (typeof kinds)[keyof typeof kinds];

/** `WAITING_UPLOAD`, `PROCESSING`, `AVAILABLE`, `PROCESSING_FAILED`. https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/images-api (2026-08) */
export interface Asset {
  urn: string;
  kind: AssetKind;
  owner: string;
  /** The last step of the address that its bytes go to. */
  upload: string;
  upload_ends_at: number;
  /** Of a film: how long it is, and its parts by their first byte, each with its mark. */
  size: number;
  parts: Map<number, { bytes: Uint8Array; etag: string }>;
  /** What came beside a film. */
  beside: Map<"captions" | "thumbnail", Uint8Array>;
  job: Job<string> | null;
}

const newUpload = z.strictObject({ initializeUploadRequest: z.strictObject({ owner: z.string() }) });
/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/videos-api (2026-08) */
const newVideo = z.strictObject({
  initializeUploadRequest: z.strictObject({
    owner: z.string(),
    fileSizeBytes: z.int().min(1).max(500_000_000),
    uploadCaptions: z.boolean(),
    uploadThumbnail: z.boolean(),
  }),
});
const newEnd = z.strictObject({
  finalizeUploadRequest: z.strictObject({
    video: z.string(),
    uploadToken: z.string(),
    uploadedPartIds: z.array(z.string()),
  }),
});
/** "4 MB". Same source. */
const usualPartBytes = 4_194_304;

const uploadMs = 30 * 86_400_000;

export interface Assets {
  initialize(caller: Caller, request: SandboxRequest, kind: keyof typeof kinds): SandboxAnswer;
  /** The bytes of a picture or a document, in one piece. */
  take(request: SandboxRequest, upload: string): SandboxAnswer;
  /** A part of a film, or what belongs to it; the last step says which. Nobody may say who it is. */
  takePart(request: SandboxRequest, upload: string): SandboxAnswer;
  finalize(caller: Caller, request: SandboxRequest): SandboxAnswer;
  /** What came beside a film. */
  besideOf(urn: string): readonly string[];
  /** Parts of films are this long from now on. */
  cutInto(bytes: number): void;
  status(caller: Caller, urn: string): SandboxAnswer;
  /** What a post is made of. @throws Refusal */
  forPost(author: string, urn: string): Asset;
  processFor(seconds: number): void;
  failNext(): void;
}

export function createAssets(state: State, { clock }: SandboxPorts): Assets {
  const assets = new Map<string, Asset>();
  const jobs = createJobs<string>(clock);
  let partBytes = usualPartBytes;

  function stateOf({ job }: Asset): string {
    if (job === null) return "WAITING_UPLOAD";
    if (!jobs.isDone(job)) return "PROCESSING";
    return job.failure === null ? "AVAILABLE" : "PROCESSING_FAILED";
  }

  function find(upload: string): Asset {
    const asset = [...assets.values()].find((each) => each.upload === upload);
    if (asset === undefined) throw refusal(404, null, "There is no such upload.");
    if (clock.now() >= asset.upload_ends_at) throw refusal(400, "EXPIRED_UPLOAD_URL", "The upload has expired.");
    return asset;
  }

  function place(kind: AssetKind, owner: string, size: number): Asset {
    const id = state.newId();
    const urn = `urn:li:${kind}:C4D${id}`;
    const upload_ends_at = clock.now() + uploadMs;
    const asset: Asset = {
      ...{ urn, kind, owner, upload: id, upload_ends_at, size, job: null },
      ...{ parts: new Map(), beside: new Map() },
    };
    assets.set(urn, asset);
    return asset;
  }

  function assertOwner({ member, version }: Caller, owner: string): void {
    if (!mayPostFor(state, member, owner)) throw forbidden("assets.INITIALIZE_UPLOAD", version);
  }

  function beginVideo(caller: Caller, request: SandboxRequest): SandboxAnswer {
    const { owner, fileSizeBytes, uploadCaptions, uploadThumbnail } = checked(
      newVideo,
      request,
    ).initializeUploadRequest;
    assertOwner(caller, owner);
    const { urn, upload, upload_ends_at } = place("video", owner, fileSizeBytes);
    const at = (step: string | number): string => `https://www.linkedin.com/dms-uploads/sp/${upload}/${step}`;
    const uploadInstructions = Array.from({ length: Math.ceil(fileSizeBytes / partBytes) }, (_, index) => ({
      uploadUrl: at(index * partBytes),
      firstByte: index * partBytes,
      lastByte: Math.min((index + 1) * partBytes, fileSizeBytes) - 1,
    }));
    const value = {
      ...{ video: urn, uploadInstructions, uploadToken: "", uploadUrlsExpireAt: upload_ends_at },
      ...(uploadCaptions ? { captionsUploadUrl: at("captions") } : {}),
      ...(uploadThumbnail ? { thumbnailUploadUrl: at("thumbnail") } : {}),
    };
    return { status: 200, json: { value } };
  }

  return {
    initialize(caller, request, kind) {
      if (kind === "videos") return beginVideo(caller, request);
      const { owner } = checked(newUpload, request).initializeUploadRequest;
      assertOwner(caller, owner);
      const { urn, upload, upload_ends_at } = place(kinds[kind], owner, 0);
      const uploadUrl = `https://www.linkedin.com/dms-uploads/${upload}?ca=vector_ads&e=${upload_ends_at}`;
      return { status: 200, json: { value: { uploadUrl, uploadUrlExpiresAt: upload_ends_at, [kinds[kind]]: urn } } };
    },

    take({ bytes }, upload) {
      const asset = find(upload);
      const job = asset.job ?? jobs.start();
      asset.job = isTaken(asset.kind, bytes) ? job : { ...job, failure: "another kind of file" };
      return { status: 201 };
    },

    takePart({ bytes, headers }, step) {
      const [upload = "", what = ""] = step.split("/");
      const asset = find(upload);
      if (headers.has("authorization"))
        throw refusal(400, "ILLEGAL_ARGUMENT", "No Authorization header is taken here.");
      if (what === "captions" || what === "thumbnail") {
        asset.beside.set(what, bytes);
        return { status: 201 };
      }
      const from = Number(what);
      if (bytes.length !== Math.min(partBytes, asset.size - from))
        throw refusal(400, "ILLEGAL_ARGUMENT", "The part is not as long as its instruction says.");
      const etag = `/ambry-video/signedId/${upload}-${from}`;
      asset.parts.set(from, { bytes, etag });
      return { status: 200, headers: { etag: from === 0 ? `"${etag}"` : etag } };
    },

    finalize(caller, request) {
      const { video, uploadedPartIds } = checked(newEnd, request).finalizeUploadRequest;
      const asset = assets.get(video);
      if (asset === undefined || !mayPostFor(state, caller.member, asset.owner))
        throw refusal(400, "INVALID_VIDEO_ID", `${video} is unknown.`);
      if (asset.job !== null) throw refusal(400, "ILLEGAL_ARGUMENT", "The upload has been finalized.");
      const parts = [...asset.parts].sort(([one], [other]) => one - other).map(([, part]) => part);
      const length = parts.reduce((sum, { bytes }) => sum + bytes.length, 0);
      if (length !== asset.size || parts.map(({ etag }) => etag).join() !== uploadedPartIds.join())
        throw refusal(400, "ILLEGAL_ARGUMENT", "A part is missing, or another one than was sent.");
      const [first] = parts;
      const job = jobs.start();
      asset.job = first !== undefined && isTaken("video", first.bytes) ? job : { ...job, failure: "no film" };
      return { status: 200 };
    },

    besideOf: (urn) => [...(assets.get(urn)?.beside.keys() ?? [])],
    cutInto(bytes) {
      partBytes = bytes;
    },

    status({ scopes, version }, urn) {
      const asset = assets.get(urn);
      if (asset === undefined) throw refusal(404, "NOT_FOUND", `Could not find entity ${urn}`);
      // Those who may only post are not told. Same source.
      const isOfOrganization = asset.owner.startsWith("urn:li:organization:");
      const isFilm = asset.kind === "video" && !state.hidesFilms;
      if (!isFilm && (!isOfOrganization || !scopes.includes("w_organization_social"))) {
        const message = `Accessing this image resource is forbidden (${version})`;
        throw refusal(403, "ACCESS_DENIED", message);
      }
      const why = asset.job?.failure ?? null;
      const reason = why !== null && stateOf(asset) === "PROCESSING_FAILED" ? { processingFailureReason: why } : {};
      return { status: 200, json: { id: urn, owner: asset.owner, status: stateOf(asset), ...reason } };
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

function checked<Schema extends z.ZodType>(schema: Schema, request: SandboxRequest): z.infer<Schema> {
  const parsed = schema.safeParse(jsonBody(request));
  if (parsed.success) return parsed.data;
  throw refusal(400, "ILLEGAL_ARGUMENT", parsed.error.issues[0]?.message ?? "no JSON");
}

const formats: Readonly<Record<AssetKind, readonly (string | null)[]>> = {
  image: ["jpeg", "png", "gif"],
  video: ["mp4"],
  document: [null],
};

function isTaken(kind: AssetKind, bytes: Uint8Array): boolean {
  return formats[kind].includes(formatOf(bytes)) && (kind !== "document" || isDocument(bytes));
}

/** A PDF, or one of Office's containers. */
function isDocument(bytes: Uint8Array): boolean {
  return ["%PDF-", "PK\x03\x04", "\xd0\xcf\x11\xe0"].some(
    (start) => String.fromCharCode(...bytes.subarray(0, start.length)) === start,
  );
}
