import { PublishingError } from "../../wire/errors.ts";
import type { Part, PlannedLink, PlannedMedia } from "../contract/plan.ts";
import type { FileContent, FileSlice, StageContext } from "../contract/request.ts";
import { triedTwice } from "../shared/tried-twice.ts";
import type { Api } from "./api.ts";
import { documentType, pictureType } from "./beginnings.ts";
import { isOrganization } from "./known.ts";
import { maxImageBytes } from "./limits.ts";
import type { LinkedinOptions } from "./options.ts";
import { assertUsable, type FileUpload, uploadFile } from "./single-file.ts";
import { names } from "./staged.ts";
import { keepSeconds, waitARound } from "./upload.ts";
import { uploadVideo, type VideoUpload } from "./video.ts";

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/documents-api (2026-08) */
const maxDocumentBytes = 100_000_000;
/** Enough to tell what it is. */
const documentStartBytes = 16;
/** LinkedIn names no bound; subtitles of a video of half an hour take a twentieth of it. */
const maxCaptionsBytes = 1_000_000;
/** A file whose size its host does not tell is read whole to be measured: videos of some minutes. */
const maxUnmeasuredBytes = 50_000_000;

/** Uploads a part's files, and has LinkedIn finish them: `media_0`, `media_1`, …, `document`, `thumb`. */
export async function stage(context: StageContext, part: Part<LinkedinOptions>, api: Api): Promise<void> {
  if (part.role === "comment") return;
  const files: { kind: FileUpload["kind"]; urn: string }[] = [];
  for (const [index, media] of part.media.entries()) {
    if (media.type === "video") await uploadVideo(context, api, await videoOf(context, part, { media, index }));
    else files.push({ kind: "images", urn: await uploadFile(context, api, imageOf(media, index)) });
  }
  if (part.options.document !== undefined) files.push(await stageDocument(context, api, part.options.document.url));
  const thumb = part.link === null ? null : await stageThumb(context, api, part.link);
  if (thumb !== null) files.push({ kind: "images", urn: thumb });
  if (isOrganization(context.profile)) for (const file of files) await assertUsable(context, api, file);
  else if (files.length > 0) await waitARound(context);
}

function imageOf(media: PlannedMedia, index: number): FileUpload {
  const content = { contentType: media.mime_type, media, maxBytes: media.size_bytes ?? maxImageBytes };
  return { kind: "images", name: names.media(index), content };
}

async function videoOf(
  context: StageContext,
  { options }: Part<LinkedinOptions>,
  { media, index }: { media: PlannedMedia; index: number },
): Promise<VideoUpload> {
  const { captions_url } = options;
  return {
    name: names.media(index),
    field: `media[${index}]`,
    ...(await measured(context, media)),
    captions: captions_url === undefined ? null : () => captionsAt(context, captions_url),
    thumbnail: thumbnailOf(media),
  };
}

async function measured(
  context: StageContext,
  media: PlannedMedia,
): Promise<Pick<VideoUpload, "sizeBytes" | "contentOf">> {
  const { mime_type: contentType, size_bytes, url } = media;
  if (size_bytes !== null) {
    const contentOf = (slice: FileSlice): FileContent => ({ contentType, media, maxBytes: size_bytes, slice });
    return { sizeBytes: size_bytes, contentOf };
  }
  const bytes = await context.readMedia(url, { maxBytes: maxUnmeasuredBytes });
  return { sizeBytes: bytes.length, contentOf: ({ from, to }) => ({ contentType, bytes: bytes.subarray(from, to) }) };
}

async function captionsAt(context: StageContext, url: string): Promise<FileContent> {
  const bytes = await context.readMedia(url, { maxBytes: maxCaptionsBytes, anyKind: true });
  return { contentType: "application/octet-stream", bytes };
}

function thumbnailOf({ thumbnail_url, thumbnail_mime_type, thumbnail_stored }: PlannedMedia): FileContent | null {
  if (thumbnail_url === null || thumbnail_mime_type === undefined) return null;
  const source = { url: thumbnail_url, ...(thumbnail_stored === undefined ? {} : { stored: thumbnail_stored }) };
  return { contentType: thumbnail_mime_type, media: source, maxBytes: maxImageBytes };
}

async function stageDocument(
  context: StageContext,
  api: Api,
  url: string,
): Promise<{ kind: FileUpload["kind"]; urn: string }> {
  const upload = async (): Promise<string> => {
    const start = await context.readStart(url, {
      bytes: documentStartBytes,
      maxBytes: maxDocumentBytes,
    });
    const contentType = documentType(start);
    if (contentType === null)
      throw new PublishingError(
        "media_error",
        "networks.linkedin.document.url: LinkedIn accepts PDF, PPT, PPTX, DOC and DOCX.",
      );
    const content = { contentType, media: { url }, maxBytes: maxDocumentBytes, anyKind: true };
    return uploadFile(context, api, { kind: "documents", name: `${names.document}_file`, content });
  };
  return { kind: "documents", urn: await context.once(names.document, upload, { keepSeconds }) };
}

/** A card without a picture, null, is still a card. */
async function stageThumb(
  context: StageContext,
  api: Api,
  { image_url, picture }: PlannedLink,
): Promise<string | null> {
  if (image_url === null || picture === null) return null;
  const upload = async (): Promise<string> => {
    const bytes = await context.readMedia(image_url, { maxBytes: maxImageBytes });
    const contentType = pictureType(bytes);
    if (contentType === null)
      throw new PublishingError("media_error", "link.image_url: LinkedIn accepts JPEG, PNG and GIF.");
    const content = { contentType, bytes };
    return uploadFile(context, api, { kind: "images", name: `${names.thumb}_file`, content });
  };
  const tried = () => triedTwice(context, { name: names.thumb, keepSeconds }, upload);
  return context.once(names.thumb, tried, { keepSeconds });
}
