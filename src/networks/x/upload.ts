import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { Json } from "../../wire/json.ts";
import {
  type FileContent,
  type FileSlice,
  type NetworkResponse,
  NotReady,
  type StageContext,
} from "../contract/request.ts";
import { chunksOf } from "../shared/chunks.ts";
import { endpoint, getAnswer, readAnswer, xId } from "./api.ts";
import { refusalIn } from "./errors.ts";

/** A file to be uploaded. */
export interface Upload {
  /** The field, for humans: `media[0]`. */
  field: string;
  mediaType: string;
  category: "tweet_image" | "tweet_gif" | "tweet_video" | "subtitles";
  sizeBytes: number;
  contentOf(slice: FileSlice): FileContent;
}

/**
 * X keeps a finalized, unused file for a day. https://docs.x.com/x-api/media/quickstart/media-upload-chunked (2026-09)
 */
export const keepSeconds = 12 * 3600;

/**
 * "At most 5 MB": X rejected 5 MB and 8 MB with 413. The index may reach 9,999, which suffices for the largest file.
 * https://docs.x.com/x-api/media/quickstart/media-upload-chunked (2026-09),
 * https://github.com/trypostit/trypost/pull/31 (2026-08)
 */
const segmentBytes = 4_000_000;

/** Number of segments recorded together, so that a crash repeats few of them. */
const segmentsPerRecord = 16;

const initializedSchema = z.object({ data: z.object({ id: xId }) });

/** Without `processing_info` the file is ready. */
const mediaSchema = z.object({
  data: z.object({
    id: xId,
    processing_info: z
      .object({
        state: z.enum(["pending", "in_progress", "succeeded", "failed"]),
        error: z.object({ message: z.string().nullish() }).nullish(),
      })
      .nullish(),
  }),
});

type Medium = z.infer<typeof mediaSchema>["data"];

/**
 * Uploads a file and returns its media id once X has processed it.
 *
 * @param name part of the names of staged values: `upload_<bytes of a segment>_<name>`; each upload also has its
 * segments and its end
 * @throws NotReady while X is processing it
 */
export async function uploadFile(context: StageContext, name: string, upload: Upload): Promise<string> {
  // An upload that was started with segments of another size cannot be continued.
  const kept = `upload_${segmentBytes}_${name}`;
  const id = await context.once(kept, () => initialize(context, upload), { keepSeconds });
  const segments = chunksOf(upload.sizeBytes, segmentBytes);
  for (let first = 0; first < segments.length; first += segmentsPerRecord) {
    const send = async (): Promise<Json> => {
      for (const [offset, slice] of segments.slice(first, first + segmentsPerRecord).entries())
        await append(context, upload, { id, slice, index: first + offset });
      return true;
    };
    await context.once(`segments_${id}_${first}`, send, { keepSeconds });
  }
  let medium: Medium | null = null;
  const isReady = await context.once(
    `finalized_${id}`,
    async () => {
      medium = await finalize(context, upload, { id, kept });
      return stateOf(medium) === "succeeded";
    },
    { keepSeconds },
  );
  if (isReady) return id;
  medium ??= await readStatus(context, id);
  const state = stateOf(medium);
  if (state === "succeeded") return id;
  if (state !== "failed") throw new NotReady("X is processing the file.");
  // A retry uploads it again.
  await context.forget(kept);
  const reason = medium.processing_info?.error?.message;
  throw new PublishingError(
    "media_error",
    `${upload.field}: X could not process the file.${reason ? ` (${reason})` : ""}`,
  );
}

function stateOf({ processing_info }: Medium): "pending" | "in_progress" | "succeeded" | "failed" {
  return processing_info?.state ?? "succeeded";
}

/** Statuses for a rejected file, a segment that is too long, and a token without permission to upload. */
const refusals = [400, 403, 413];

async function initialize(context: StageContext, upload: Upload): Promise<string> {
  const { mediaType: media_type, sizeBytes: total_bytes, category: media_category } = upload;
  const response = await context.request({
    method: "POST",
    url: endpoint(["media", "upload", "initialize"]),
    body: { json: { media_type, total_bytes, media_category } },
    accept: refusals,
  });
  assertTaken(response, upload);
  return readAnswer(initializedSchema, response).data.id;
}

/** May be repeated with the same index. https://docs.x.com/x-api/media/quickstart/media-upload-chunked (2026-09) */
async function append(
  context: StageContext,
  upload: Upload,
  { id, slice, index }: { id: string; slice: FileSlice; index: number },
): Promise<void> {
  const response = await context.request({
    method: "POST",
    url: endpoint(["media", "upload", id, "append"]),
    body: {
      multipart: [
        { name: "segment_index", value: String(index) },
        { name: "media", filename: `segment-${index}`, file: upload.contentOf(slice) },
      ],
    },
    accept: refusals,
  });
  assertTaken(response, upload);
}

/**
 * Finalizes the upload. X may reject a second call if an earlier one succeeded and only its response was lost; then the
 * file's status decides.
 */
async function finalize(
  context: StageContext,
  upload: Upload,
  { id, kept }: { id: string; kept: string },
): Promise<Medium> {
  const url = endpoint(["media", "upload", id, "finalize"]);
  // X has answered a missing body with "Request body must be a JSON object".
  // https://github.com/trypostit/trypost/pull/202 (2026-07)
  const response = await context.request({ method: "POST", url, body: { json: {} }, accept: refusals });
  if (response.status !== 400) {
    assertTaken(response, upload);
    return readAnswer(mediaSchema, response).data;
  }
  return readStatus(context, id).catch(async () => {
    await context.forget(kept);
    throw refusedFile(response, upload);
  });
}

async function readStatus(context: StageContext, id: string): Promise<Medium> {
  const url = endpoint(["media", "upload"], { command: "STATUS", media_id: id });
  return (await getAnswer(mediaSchema, context, url)).data;
}

function assertTaken(response: NetworkResponse, upload: Upload): void {
  if (response.status === 400 || response.status === 413) throw refusedFile(response, upload);
  if (response.status !== 403) return;
  const refusal = refusalIn(response.body);
  const said = refusal === null ? "" : ` (${refusal.message})`;
  // X does not document the message for a missing scope, but errors with a code mean something else.
  if (refusal === null || refusal.codes.length > 0)
    throw new PublishingError("rejected_by_network", `X does not allow this account to upload files.${said}`);
  throw new PublishingError(
    "reauthentication_required",
    `This access token cannot upload files: reconnect the account, and allow media.write.${said}`,
  );
}

function refusedFile({ body }: NetworkResponse, { field }: Upload): PublishingError {
  const said = refusalIn(body)?.message ?? "";
  return new PublishingError("media_error", `${field}: X rejected the file.${said === "" ? "" : ` (${said})`}`);
}
