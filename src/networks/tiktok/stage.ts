import { PublishingError } from "../../wire/errors.ts";
import type { Staged } from "../contract/commit.ts";
import type { Part, PlannedMedia } from "../contract/plan.ts";
import { NotReady, type StageContext } from "../contract/request.ts";
import { readCreator } from "./creator.ts";
import { uploadOperation } from "./errors.ts";
import { limits } from "./limits.ts";
import type { TiktokOptions } from "./options.ts";
import { type Disabled, disabledOn, kindOf } from "./post-info.ts";
import { tooLong } from "./rules.ts";
import { readStatus } from "./status.ts";
import {
  beginUpload,
  contentRange,
  heldIn,
  lastChunkStart,
  type PieceSizes,
  type Upload,
  uploadSeconds,
} from "./upload.ts";

/** TikTok fetches pictures for up to an hour. https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide (2026-11) */
const pullSeconds = 2 * 3_600;
const keepAddressSeconds = 3_600;

/**
 * Of a video begins the upload (`upload`) and sends all of the file but its
 * last piece, which publishes: `ready` says where that begins, and after a
 * request that may have arrived in part, `resumed`. Of photos only finds
 * addresses: `address_0`, `address_1`, … What the account may do is read first
 * (`creator`), as TikTok demands.
 */
export async function stage(context: StageContext, part: Part<TiktokOptions>, pieces: PieceSizes): Promise<void> {
  const disabled = await stageCreator(context, part);
  if (kindOf(part) === "video") return stageVideo(context, part, { pieces, disabled });
  for (const [index, media] of part.media.entries()) await stageAddress(context, index, media);
}

const nothingDisabled: Disabled = { comment: false, duet: false, stitch: false };

/** @throws PublishingError for what this account cannot post now */
function stageCreator(context: StageContext, part: Part<TiktokOptions>): Promise<Disabled> {
  const { inbox, privacy_level } = part.options;
  if (inbox === true) return Promise.resolve(nothingDisabled);
  const read = async (): Promise<Disabled> => {
    const creator = await readCreator(context);
    const levels = creator.privacy_level_options;
    // TikTok counts each such refusal against the app.
    if (!levels.includes(privacy_level ?? ""))
      throw new PublishingError(
        "invalid_request",
        `networks.tiktok.privacy_level: TikTok allows this account ${levels.join(", ")} at the moment.`,
      );
    const long = tooLong(part.media, creator.max_video_post_duration_sec ?? null);
    if (long !== null) throw new PublishingError("media_error", `${long.field}: ${long.message}`);
    return disabledOn(creator);
  };
  return context.once("creator", read, { keepSeconds: uploadSeconds });
}

function stageAddress(context: StageContext, index: number, { url }: PlannedMedia): Promise<string> {
  const address = (): Promise<string> => context.signedUrl(url, { seconds: pullSeconds, ownHost: true });
  return context.once(`address_${index}`, address, { keepSeconds: keepAddressSeconds });
}

interface Sending {
  context: StageContext;
  upload: Upload;
  media: PlannedMedia;
}

async function stageVideo(
  context: StageContext,
  part: Part<TiktokOptions>,
  { pieces, disabled }: { pieces: PieceSizes; disabled: Disabled },
): Promise<void> {
  const [media] = part.media;
  if (media === undefined) return;
  let isNew = false;
  const begin = (): Promise<Upload> => {
    isNew = true;
    return beginUpload(context, { part, media, disabled, pieces });
  };
  const upload = await context.once("upload", begin, { keepSeconds: uploadSeconds, sealed: true });
  const sending: Sending = { context, upload, media };
  const keepSeconds = Math.max(1, Math.floor((upload.ends_at - context.now()) / 1000));
  let isFirst = false;
  const firstTime = async (): Promise<number> => {
    isFirst = true;
    return sendChunks(sending, isNew ? 0 : await heldBefore(sending));
  };
  const ready = await context.once("ready", firstTime, { keepSeconds });
  if (isFirst) return;
  const held = await readHeld(sending);
  // What is done or not known the request that publishes will be told: what follows from that is not for a stage to say.
  if (held === null || held === ready || held >= upload.total) return;
  await context.forget("resumed");
  await context.once("resumed", () => sendChunks(sending, held), { keepSeconds });
}

/** Where the last piece begins. */
export function lastChunkFrom({ ready, resumed }: Staged): number {
  const from = resumed ?? ready;
  if (typeof from !== "number") throw new PublishingError("internal_error", "The upload was not staged.");
  return from;
}

/** Null: TikTok does not say, or no longer waits for bytes. */
async function readHeld({ context, upload }: Sending): Promise<number | null> {
  const status = await readStatus(context, upload.publish_id);
  return status?.status === "PROCESSING_UPLOAD" ? status.uploadedBytes : null;
}

/** Nothing was sent that publishes: an upload that TikTok gave up never was anything. */
async function heldBefore(sending: Sending): Promise<number> {
  const status = await readStatus(sending.context, sending.upload.publish_id);
  if (status === null) throw new NotReady("TikTok does not list the upload yet.");
  if (status.status === "FAILED") return beginAnew(sending.context);
  return status.uploadedBytes ?? 0;
}

async function beginAnew(context: StageContext): Promise<never> {
  await context.forget("upload");
  throw new NotReady("TikTok discarded the upload; it restarts.");
}

/**
 * Each goes on from what TikTok says that it holds. None is repeated at once:
 * some of its bytes may have arrived.
 *
 * @returns what is held then: from there on the rest is the last piece
 */
async function sendChunks(sending: Sending, heldAlready: number): Promise<number> {
  const { upload } = sending;
  const end = lastChunkStart(upload);
  let held = heldAlready;
  while (held < end) {
    const to = (Math.floor(held / upload.chunk) + 1) * upload.chunk;
    const response = await sending.context.request(chunkRequest(sending, { from: held, to }));
    const now = heldIn(response.headers, to);
    if (response.status !== 206 || now <= held)
      throw new PublishingError("network_error", "TikTok rejects the next bytes of the file.");
    held = now;
  }
  return held;
}

function chunkRequest(
  { upload: { url, total }, media }: Sending,
  slice: { from: number; to: number },
): Parameters<StageContext["request"]>[0] {
  const maxBytes = limits.media.types.find(({ mime }) => mime === media.mime_type)?.max_bytes ?? 0;
  return {
    method: "PUT",
    url,
    headers: { "content-range": contentRange({ ...slice, total }) },
    body: { file: { contentType: media.mime_type, media, maxBytes, slice } },
    credential: "none",
    operation: uploadOperation,
    repeat: false,
  };
}
