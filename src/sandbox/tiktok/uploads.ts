import type { SandboxAnswer, SandboxRequest } from "../exchange.ts";
import { formatOf, tellsLength } from "../parts/uploads.ts";
import { uploadRefusal } from "./refusal.ts";
import type { Publication, State, Upload } from "./state.ts";

/** https://developers.tiktok.com/doc/content-posting-api-reference-direct-post (2026-11) */
const addressMs = 3_600_000;
const types: ReadonlySet<string> = new Set(["video/mp4", "video/quicktime", "video/webm"]);
const videoFormats: ReadonlySet<string | null> = new Set(["mp4", "mov", "webm"]);

type Uploading = Publication & { upload: Upload };

function uploadingOf(state: State, { url }: Pick<SandboxRequest, "url">): Uploading | null {
  const token = url.searchParams.get("upload_token");
  const found = state.publications.find(({ upload }) => upload?.token === token);
  return found === undefined ? null : (found as Uploading);
}

/** The operation of a PUT to an upload: the one with the last byte publishes. */
export function putOperation({ headers }: Pick<SandboxRequest, "headers">): string {
  const range = rangeOf(headers);
  return range !== null && range.last === range.total - 1 ? "finishUpload" : "sendChunk";
}

function rangeOf(headers: Headers): { first: number; last: number; total: number } | null {
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get("content-range") ?? "") ?? [];
  return total === undefined ? null : { first: Number(first), last: Number(last), total: Number(total) };
}

/**
 * Receives the pieces of files, one after the other.
 * https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide (2026-11)
 */
export function createPut(state: State): (request: SandboxRequest) => SandboxAnswer {
  return (request) => {
    const publication = uploadingOf(state, request);
    if (publication === null) throw uploadRefusal(404);
    const { upload } = publication;
    if (state.now() >= publication.created_at + addressMs) throw uploadRefusal(403);
    // An upload must not have the token.
    if (request.headers.has("authorization")) throw uploadRefusal(400);
    const range = rangeOf(request.headers);
    const isMeant = range !== null && range.total === upload.total && range.last < range.total;
    const isLong = isMeant && request.bytes.length === range.last - range.first + 1;
    if (!isLong || !tellsLength(request) || !types.has(request.headers.get("content-type") ?? ""))
      throw uploadRefusal(400);
    if (range.first !== upload.held) throw uploadRefusal(416, progress(upload));
    if (range.last !== endOf(upload) - 1) throw uploadRefusal(400, progress(upload));
    const taken = Math.min(state.ways.nextChunkTakes ?? request.bytes.length, request.bytes.length);
    state.ways.nextChunkTakes = null;
    upload.bytes.set(request.bytes.subarray(0, taken), upload.held);
    upload.held += taken;
    if (upload.held < upload.total) return { status: 206, headers: progress(upload) };
    finish(state, publication);
    return { status: 201, headers: progress(upload) };
  };
}

/** The end of the piece that the next byte belongs to. */
function endOf({ held, chunk, count, total }: Upload): number {
  const index = Math.floor(held / chunk);
  return index >= count - 1 ? total : (index + 1) * chunk;
}

function progress({ held, total }: Upload): Record<string, string> {
  return held === 0 ? {} : { "content-range": `bytes 0-${held - 1}/${total}` };
}

function finish(state: State, publication: Uploading): void {
  const isVideo = videoFormats.has(formatOf(publication.upload.bytes));
  publication.job = state.jobs.start(isVideo ? null : "file_format_check_failed");
  publication.whole_at = state.now();
  publication.upload.bytes = new Uint8Array();
}
