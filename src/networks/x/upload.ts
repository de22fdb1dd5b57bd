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

/** A file on its way to X. */
export interface Upload {
  /** For people: `media[0]`. */
  field: string;
  mediaType: string;
  category: "tweet_image" | "tweet_gif" | "tweet_video" | "subtitles";
  sizeBytes: number;
  contentOf(slice: FileSlice): FileContent;
}

/** X keeps what was finalized, and is not used, for a day. https://docs.x.com/x-api/media/quickstart/media-upload-chunked (2026-09) */
export const keepSeconds = 12 * 3600;

/**
 * "At most 5 MB": 5 MB and 8 MB were answered with 413. The index goes to 9,999, which is room for the largest file.
 * https://docs.x.com/x-api/media/quickstart/media-upload-chunked (2026-09), https://github.com/trypostit/trypost/pull/31 (2026-08)
 */
const segmentBytes = 4_000_000;

/** So many segments are put on record at once, so that a crash sends few of them again. */
const segmentsPerRecord = 16;

const initializedSchema = z.object({ data: z.object({ id: xId }) });

/** No `processing_info`: it is ready. */
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
 * The id of the medium that a file becomes: its bytes are there, and X has done with them what it does.
 *
 * @param name of what is kept: `upload_<bytes of a segment>_<name>`, and for each upload its segments and its end
 * @throws NotReady while X works on it
 */
export async function uploadFile(context: StageContext, name: string, upload: Upload): Promise<string> {
  // An upload that was begun with segments of another size cannot be gone on with.
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
  // Another attempt sends it anew.
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

/** What X says of a file that it does not want, of a segment that is too long, and of a login that may not upload. */
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

/** May be repeated under the same index. https://docs.x.com/x-api/media/quickstart/media-upload-chunked (2026-09) */
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

/** Where an earlier one got through, and only its answer was lost, a second one may be refused: the file is asked for then. */
async function finalize(
  context: StageContext,
  upload: Upload,
  { id, kept }: { id: string; kept: string },
): Promise<Medium> {
  const url = endpoint(["media", "upload", id, "finalize"]);
  // Some were told "Request body must be a JSON object". https://github.com/trypostit/trypost/pull/202 (2026-07)
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
  // Which words say that the scope is missing X tells nowhere; what it has a name for is something else.
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
