import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { Part, PlannedMedia } from "../contract/plan.ts";
import type { FileSlice, StageContext } from "../contract/request.ts";
import { defined } from "../shared/defined.ts";
import { sizeOf } from "../shared/file-size.ts";
import { endpoint } from "./api.ts";
import { refusalIn } from "./errors.ts";
import type { XOptions } from "./options.ts";
import { names } from "./staged.ts";
import { keepSeconds, type Upload, uploadFile } from "./upload.ts";

/** X documents no limit; the subtitles of a two-hour video need less than half of this. */
const maxSubtitleBytes = 512 * 1024;
/** Files of unknown size are read whole to be measured. This suffices for images, not for videos. */
const maxUnmeasuredBytes = 15_000_000;

/** Uploads a part's files with their metadata: `media_0`, `described_<id>`, `subtitled_<id>_0`. */
export async function stage(context: StageContext, part: Part<XOptions>): Promise<void> {
  for (const [index, media] of part.media.entries()) {
    const name = names.media(index);
    const upload = async (): Promise<string> => uploadFile(context, name, await uploadOf(context, media, index));
    const id = await context.once(name, upload, { keepSeconds });
    await describe(context, { id, media, options: part.options });
    if (media.type === "video") await addSubtitles(context, id, part.options);
  }
}

const categories = { image: "tweet_image", gif: "tweet_gif", video: "tweet_video" } as const;

async function uploadOf(context: StageContext, media: PlannedMedia, index: number): Promise<Upload> {
  const { mime_type, size_bytes, type, url } = media;
  const field = `media[${index}]`;
  const common = { field, mediaType: mime_type, category: categories[type] };
  // A video is never read whole to be measured.
  if (size_bytes === null && type !== "video")
    return { ...common, ...inMemory(await context.readMedia(url, { maxBytes: maxUnmeasuredBytes }), mime_type) };
  const sizeBytes = sizeOf(media, `${field}: its host does not report its size, which X requires.`);
  const contentOf = (slice: FileSlice) => ({ contentType: mime_type, media, maxBytes: sizeBytes, slice });
  return { ...common, sizeBytes, contentOf };
}

function inMemory(bytes: Uint8Array, contentType: string): Pick<Upload, "sizeBytes" | "contentOf"> {
  const contentOf = ({ from, to }: FileSlice) => ({ contentType, bytes: bytes.subarray(from, to) });
  return { sizeBytes: bytes.length, contentOf };
}

/**
 * Sends alt text and warning in one request, because X charges for each. A post may lack the alt text, but not the
 * warning.
 */
async function describe(
  context: StageContext,
  { id, media, options: { sensitive } }: { id: string; media: PlannedMedia; options: XOptions },
): Promise<void> {
  const metadata = defined({
    alt_text: media.alt ? { text: media.alt } : undefined,
    sensitive_media_warning: sensitive && Object.fromEntries(sensitive.map((warning) => [warning, true])),
  });
  if (Object.keys(metadata).length === 0) return;
  const send = async (): Promise<boolean> => {
    const url = endpoint(["media", "metadata"]);
    const accept = sensitive === undefined ? [400, 403, 404] : [];
    const { status } = await context.request({ method: "POST", url, body: { json: { id, metadata } }, accept });
    return status < 300;
  };
  await context.once(names.described(id), send, { keepSeconds });
}

async function addSubtitles(context: StageContext, videoId: string, { subtitles = [] }: XOptions): Promise<void> {
  for (const [track, { url, language, name }] of subtitles.entries()) {
    const field = `networks.x.subtitles[${track}]`;
    const add = async (): Promise<boolean> => {
      const bytes = await context.readMedia(url, { maxBytes: maxSubtitleBytes, anyKind: true });
      const mediaType = subtitleType(bytes);
      const file: Upload = { field, mediaType, category: "subtitles", ...inMemory(bytes, mediaType) };
      const id = await uploadFile(context, `subtitles_${track}`, file);
      await assign(context, field, {
        id: videoId,
        media_category: "TweetVideo",
        subtitles: { id, language_code: language.toUpperCase(), display_name: name },
      });
      return true;
    };
    await context.once(`subtitled_${videoId}_${track}`, add, { keepSeconds });
  }
}

/** A WebVTT file begins with `WEBVTT`. https://www.w3.org/TR/webvtt1/#file-structure (2026-11) */
function subtitleType(bytes: Uint8Array): "text/vtt" | "text/srt" {
  const start = new TextDecoder().decode(bytes.subarray(0, 16));
  return start.startsWith("WEBVTT") ? "text/vtt" : "text/srt";
}

async function assign(context: StageContext, field: string, json: JsonObject): Promise<void> {
  const url = endpoint(["media", "subtitles"]);
  const { status, body } = await context.request({ method: "POST", url, body: { json }, accept: [400] });
  if (status < 300) return;
  const said = refusalIn(body)?.message ?? "";
  throw new PublishingError("media_error", `${field}: X rejected the subtitles.${said === "" ? "" : ` (${said})`}`);
}
