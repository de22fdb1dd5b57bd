import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import { type FileContent, type FileSlice, NotReady, type StageContext } from "../contract/request.ts";
import type { Api } from "./api.ts";
import { assertNotExpired, initialize, keepSeconds, readStatus, waitARound } from "./upload.ts";

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/videos-api (2026-08): `lastByte` is among the bytes. */
const startedSchema = z.object({
  video: z.string().regex(/^urn:li:video:[\w-]+$/),
  uploadInstructions: z
    .array(z.object({ uploadUrl: z.url(), firstByte: z.int().min(0), lastByte: z.int().min(0) }))
    .min(1),
  // It may be empty, and is sent all the same.
  uploadToken: z.string().nullable().exactOptional(),
  uploadUrlsExpireAt: z.number().nullable().exactOptional(),
  captionsUploadUrl: z.url().nullable().exactOptional(),
  thumbnailUploadUrl: z.url().nullable().exactOptional(),
});

type Started = z.infer<typeof startedSchema>;

/** A video on its way. */
export interface VideoUpload {
  /** Under which its name at LinkedIn is kept, once it can be posted. */
  name: string;
  /** For people: `media[0]`. */
  field: string;
  sizeBytes: number;
  contentOf(slice: FileSlice): FileContent;
  /** Read when they are sent; null: none. */
  captions: (() => Promise<FileContent>) | null;
  /** Null: none. */
  thumbnail: FileContent | null;
}

/** So many parts are put on record at once, so that a crash sends few of them again. */
const partsPerRecord = 16;

/**
 * The video's name at LinkedIn: its bytes are there, and LinkedIn has done with them what it does.
 *
 * @throws NotReady while LinkedIn works on it
 */
export async function uploadVideo(context: StageContext, api: Api, upload: VideoUpload): Promise<string> {
  const kept = `upload_${upload.name}`;
  const begin = (): Promise<Started> => begun(context, api, upload);
  const start = startedSchema.parse(await context.once(kept, begin, { keepSeconds, sealed: true }));
  const { video } = start;
  await context.once(
    `finished_${video}`,
    async () => {
      await assertNotExpired(context, { name: kept, endsAt: start.uploadUrlsExpireAt });
      const ids = await sendParts(context, start, upload);
      await sendBeside(context, start, upload);
      await finalize(context, api, { start, ids });
      return true;
    },
    { keepSeconds },
  );
  return context.once(upload.name, () => whenUsable(context, api, { video, kept, upload }), { keepSeconds });
}

function begun(context: StageContext, api: Api, { sizeBytes, captions, thumbnail }: VideoUpload): Promise<Started> {
  const more = { fileSizeBytes: sizeBytes, uploadCaptions: captions !== null, uploadThumbnail: thumbnail !== null };
  return initialize(context, api, { kind: "videos", schema: startedSchema, more });
}

/** Each part's mark, in order. */
async function sendParts(context: StageContext, { video, uploadInstructions }: Started, upload: VideoUpload) {
  const ids: string[] = [];
  for (let first = 0; first < uploadInstructions.length; first += partsPerRecord) {
    const send = async (): Promise<string[]> => {
      const marks: string[] = [];
      for (const { uploadUrl, firstByte, lastByte } of uploadInstructions.slice(first, first + partsPerRecord)) {
        const slice = { from: firstByte, to: Math.min(lastByte + 1, upload.sizeBytes) };
        marks.push(await sendPart(context, uploadUrl, upload.contentOf(slice)));
      }
      return marks;
    };
    ids.push(...(await context.once(`parts_${video}_${first}`, send, { keepSeconds })));
  }
  return ids;
}

/** Without the token, which is not taken here. Same source. */
async function sendPart(context: StageContext, url: string, content: FileContent): Promise<string> {
  const body = { file: { ...content, contentType: "application/octet-stream" } };
  const response = await context.request({ method: "PUT", url, body, credential: "none" });
  // A hash in quotes, or a longer value without. https://github.com/brightbeanxyz/brightbean-studio (2026-08)
  const mark = response.headers.get("etag")?.replace(/^"(.*)"$/, "$1");
  if (mark) return mark;
  throw new PublishingError("network_error", "LinkedIn did not return the ETag of a part of the video.");
}

/** Which headers these two want: (unconfirmed). Same source. */
async function sendBeside(
  context: StageContext,
  { video, captionsUploadUrl, thumbnailUploadUrl }: Started,
  { captions, thumbnail }: VideoUpload,
): Promise<void> {
  const files = [
    { name: `captions_${video}`, url: captionsUploadUrl, content: captions },
    { name: `thumbnail_${video}`, url: thumbnailUploadUrl, content: thumbnail && (async () => thumbnail) },
  ];
  for (const { name, url, content } of files) {
    if (url == null || content === null) continue;
    const send = async (): Promise<boolean> => {
      await context.request({ method: "PUT", url, body: { file: await content() }, credential: "none" });
      return true;
    };
    await context.once(name, send, { keepSeconds });
  }
}

/** Where an earlier one got through, and only its answer was lost, a second one may be refused: the video's state tells then. */
async function finalize(
  context: StageContext,
  api: Api,
  { start, ids }: { start: Started; ids: readonly string[] },
): Promise<void> {
  const { url, headers } = api.rest(["videos"], { action: "finalizeUpload" });
  const finalizeUploadRequest = { video: start.video, uploadToken: start.uploadToken ?? "", uploadedPartIds: [...ids] };
  const body = { json: { finalizeUploadRequest } };
  const { status } = await context.request({ method: "POST", url, headers, body, accept: [400] });
  if (status !== 400) return;
  const state = await readStatus(context, api, { kind: "videos", urn: start.video });
  if (state === null || state.status === "WAITING_UPLOAD")
    throw new PublishingError("media_error", "LinkedIn could not combine the video's parts.");
}

async function whenUsable(
  context: StageContext,
  api: Api,
  { video, kept, upload }: { video: string; kept: string; upload: VideoUpload },
): Promise<string> {
  const state = await readStatus(context, api, { kind: "videos", urn: video });
  if (state === null) await waitARound(context);
  if (state === null || state.status === "AVAILABLE") return video;
  if (state.status !== "PROCESSING_FAILED") throw new NotReady("LinkedIn is processing the video.");
  // Another attempt sends it anew.
  await context.forget(kept);
  const said = state.processingFailureReason ? ` (${state.processingFailureReason})` : "";
  throw new PublishingError("media_error", `${upload.field}: LinkedIn could not process the video.${said}`);
}
