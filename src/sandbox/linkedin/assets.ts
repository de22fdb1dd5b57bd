import * as z from "zod";
import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createJobs, type Job } from "../parts/jobs.ts";
import { route } from "../parts/routes.ts";
import { formatOf } from "../parts/uploads.ts";
import type { Caller, Logins } from "./logins.ts";
import { forbidden, refusal } from "./refusal.ts";
import { bodyOf, mayPostFor, type State } from "./state.ts";

const kinds = { images: "image", videos: "video", documents: "document" } as const;

export type AssetKind = (typeof kinds)[keyof typeof kinds];

/** `WAITING_UPLOAD`, `PROCESSING`, `AVAILABLE`, `PROCESSING_FAILED`. https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/images-api (2026-08) */
export interface Asset {
  urn: string;
  kind: AssetKind;
  owner: string;
  /** The last segment of its upload URL. */
  upload: string;
  upload_ends_at: number;
  /** For a video: its length, and its uploaded parts by their first byte, each with its ETag. */
  size: number;
  parts: Map<number, { bytes: Uint8Array; etag: string }>;
  /** The files uploaded with a video. */
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

export type Assets = ReturnType<typeof createAssets>;

const states = { working: "PROCESSING", done: "AVAILABLE", failed: "PROCESSING_FAILED" } as const;

export function createAssets(state: State, logins: Logins, { clock }: SandboxPorts) {
  const assets: Asset[] = [];
  const jobs = createJobs<string>(clock);
  let partBytes = usualPartBytes;

  const assetOf = (urn: string): Asset | undefined => assets.find((each) => each.urn === urn);
  const stateOf = ({ job }: Asset): string => (job === null ? "WAITING_UPLOAD" : states[jobs.stateOf(job)]);
  const writer = (request: SandboxRequest, resource: string): Caller =>
    logins.callerOf(request, resource, "w_member_social", "w_organization_social");

  function find(upload: string): Asset {
    const asset = assets.find((each) => each.upload === upload);
    if (asset === undefined) throw refusal(404, null, "There is no such upload.");
    if (clock.now() >= asset.upload_ends_at) throw refusal(400, "EXPIRED_UPLOAD_URL", "The upload has expired.");
    return asset;
  }

  function place(kind: AssetKind, owner: string, size: number): Asset {
    const id = state.newId();
    const urn = `urn:li:${kind}:C4D${id}`;
    const upload_ends_at = clock.now() + uploadMs;
    const asset = {
      urn,
      kind,
      owner,
      upload: id,
      upload_ends_at,
      size,
      job: null,
      parts: new Map(),
      beside: new Map(),
    };
    assets.push(asset);
    return asset;
  }

  function assertOwner({ member, version }: Caller, owner: string): void {
    if (!mayPostFor(state, member, owner)) throw forbidden("assets.INITIALIZE_UPLOAD", version);
  }

  function beginVideo(caller: Caller, request: SandboxRequest): SandboxAnswer {
    const given = bodyOf(newVideo, request).initializeUploadRequest;
    const { owner, fileSizeBytes, uploadCaptions, uploadThumbnail } = given;
    assertOwner(caller, owner);
    const { urn, upload, upload_ends_at } = place("video", owner, fileSizeBytes);
    const at = (step: string | number): string => `https://www.linkedin.com/dms-uploads/sp/${upload}/${step}`;
    const uploadInstructions = Array.from({ length: Math.ceil(fileSizeBytes / partBytes) }, (_, index) => ({
      uploadUrl: at(index * partBytes),
      firstByte: index * partBytes,
      lastByte: Math.min((index + 1) * partBytes, fileSizeBytes) - 1,
    }));
    const value = {
      video: urn,
      uploadInstructions,
      uploadToken: "",
      uploadUrlsExpireAt: upload_ends_at,
      captionsUploadUrl: uploadCaptions ? at("captions") : undefined,
      thumbnailUploadUrl: uploadThumbnail ? at("thumbnail") : undefined,
    };
    return ok({ value });
  }

  function initialize(request: SandboxRequest, kind: keyof typeof kinds): SandboxAnswer {
    const caller = writer(request, `${kind}.INITIALIZE_UPLOAD`);
    if (kind === "videos") return beginVideo(caller, request);
    const { owner } = bodyOf(newUpload, request).initializeUploadRequest;
    assertOwner(caller, owner);
    const { urn, upload, upload_ends_at } = place(kinds[kind], owner, 0);
    const uploadUrl = `https://www.linkedin.com/dms-uploads/${upload}?ca=vector_ads&e=${upload_ends_at}`;
    return ok({ value: { uploadUrl, uploadUrlExpiresAt: upload_ends_at, [kinds[kind]]: urn } });
  }

  /** Receives the bytes of an image or document, in one piece. */
  function take(request: SandboxRequest, upload: string): SandboxAnswer {
    writer(request, "dms-uploads.PUT");
    const asset = find(upload);
    const job = asset.job ?? jobs.start();
    asset.job = isTaken(asset.kind, request.bytes) ? job : { ...job, failure: "another kind of file" };
    return { status: 201 };
  }

  /**
   * Receives a part of a video, or a file that belongs to it; the last path segment says which. The request must have
   * no token.
   */
  function takePart({ bytes, headers }: SandboxRequest, upload: string, what: string): SandboxAnswer {
    const asset = find(upload);
    if (headers.has("authorization")) throw refusal(400, "ILLEGAL_ARGUMENT", "No Authorization header is taken here.");
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
  }

  function finalize(request: SandboxRequest): SandboxAnswer {
    const { member } = writer(request, "videos.FINALIZE_UPLOAD");
    const { video, uploadedPartIds } = bodyOf(newEnd, request).finalizeUploadRequest;
    const asset = assetOf(video);
    if (asset === undefined || !mayPostFor(state, member, asset.owner))
      throw refusal(400, "INVALID_VIDEO_ID", `${video} is unknown.`);
    if (asset.job !== null) throw refusal(400, "ILLEGAL_ARGUMENT", "The upload has been finalized.");
    const parts = [...asset.parts].sort(([one], [other]) => one - other).map(([, part]) => part);
    const length = parts.reduce((sum, { bytes }) => sum + bytes.length, 0);
    if (length !== asset.size || parts.map(({ etag }) => etag).join() !== uploadedPartIds.join())
      throw refusal(400, "ILLEGAL_ARGUMENT", "A part is missing, or another one than was sent.");
    const [first] = parts;
    asset.job = jobs.start(first !== undefined && isTaken("video", first.bytes) ? null : "no video");
    return { status: 200 };
  }

  function status({ scopes, version }: Caller, urn: string): SandboxAnswer {
    const asset = assetOf(urn);
    if (asset === undefined) throw refusal(404, "NOT_FOUND", `Could not find entity ${urn}`);
    // An app that may only post cannot read a member's files. Same source.
    const isOfOrganization = asset.owner.startsWith("urn:li:organization:");
    const isVideo = asset.kind === "video" && !state.hidesVideos;
    if (!isVideo && (!isOfOrganization || !scopes.includes("w_organization_social"))) {
      const message = `Accessing this image resource is forbidden (${version})`;
      throw refusal(403, "ACCESS_DENIED", message);
    }
    const why = stateOf(asset) === "PROCESSING_FAILED" ? asset.job?.failure : undefined;
    return ok({ id: urn, owner: asset.owner, status: stateOf(asset), processingFailureReason: why });
  }

  return {
    routes: [
      ...(["images", "videos", "documents"] as const).flatMap((kind) => {
        const name = { images: "Image", videos: "Video", documents: "Document" }[kind];
        return [
          route(`initialize${name}`, `POST /rest/${kind}?action=initializeUpload`, (request) =>
            initialize(request, kind),
          ),
          route(`status${name}`, `GET /rest/${kind}/:asset`, (request, urn) =>
            status(writer(request, `${kind}.GET`), urn),
          ),
        ];
      }),
      route("finalizeVideo", "POST /rest/videos?action=finalizeUpload", finalize),
      route("uploadFile", "PUT /dms-uploads/:id", take),
      route("uploadPart", "PUT /dms-uploads/sp/:id/:part", takePart),
    ],

    /** The asset, for use in a post. @throws Refusal */
    forPost(author: string, urn: string): Asset {
      const asset = assetOf(urn);
      if (asset === undefined || asset.owner !== author)
        throw refusal(400, "INVALID_URN_ID", `The author does not own ${urn}.`);
      const at = stateOf(asset);
      if (at === "PROCESSING_FAILED")
        throw refusal(400, "MEDIA_ASSET_PROCESSING_FAILED", `${urn} could not be processed.`);
      if (at !== "AVAILABLE") throw refusal(400, "MEDIA_ASSET_WAITING_UPLOAD", `${urn} is not there yet.`);
      return asset;
    },

    switches: {
      besideOf: (urn: string): string[] => [...(assetOf(urn)?.beside.keys() ?? [])],
      cutVideosInto(bytes: number): void {
        partBytes = bytes;
      },
      processMediaFor: jobs.take,
      failNextMedia: () => jobs.failNext("could not be processed"),
    },
  };
}

const formats: Readonly<Record<AssetKind, readonly (string | null)[]>> = {
  image: ["jpeg", "png", "gif"],
  video: ["mp4"],
  document: [null],
};

function isTaken(kind: AssetKind, bytes: Uint8Array): boolean {
  return formats[kind].includes(formatOf(bytes)) && (kind !== "document" || isDocument(bytes));
}

/** A PDF, or one of Office's container formats. */
function isDocument(bytes: Uint8Array): boolean {
  return ["%PDF-", "PK\x03\x04", "\xd0\xcf\x11\xe0"].some(
    (start) => String.fromCharCode(...bytes.subarray(0, start.length)) === start,
  );
}
