import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { Part, PlannedMedia } from "../contract/plan.ts";
import { type MultipartField, NotReady, type StageContext } from "../contract/request.ts";
import { uploadOperation } from "./errors.ts";
import { cover, limits } from "./limits.ts";
import type { MastodonOptions } from "./options.ts";

/** The server removes an unused file after a day. https://github.com/mastodon/mastodon/blob/main/app/lib/vacuum/media_attachments_vacuum.rb (2026-07) */
const keepSeconds = 12 * 3600;
/** Mastodon 4.5. https://docs.joinmastodon.org/methods/statuses/ (2026-07) */
const firstApiWithQuotes = 7;

/** https://docs.joinmastodon.org/entities/MediaAttachment/ (2026-07) */
const attachmentSchema = z.object({ id: z.string().min(1) });

/** Uploads a part's files: `upload_0` once the server has it, `media_0` once it is ready to be attached. */
export async function stage(context: StageContext, part: Part<MastodonOptions>): Promise<void> {
  const options = part.options;
  if (context.index === 0 && options.quoted_status_id !== undefined) assertQuotes(context);
  for (const [index, media] of part.media.entries()) await stageFile(context, { media, index, options });
}

/** An older server would leave the quote out without a word. */
function assertQuotes({ profile }: StageContext): void {
  const version = Number(profile.account_facts.api_version ?? 0);
  if (version < firstApiWithQuotes)
    throw new PublishingError("unsupported", `${profile.host} cannot quote posts: it runs a version before 4.5.`);
}

interface StagedFile {
  media: PlannedMedia;
  index: number;
  options: MastodonOptions;
}

/** Two names, so that a crash while the server converts does not upload again. */
async function stageFile(context: StageContext, file: StagedFile): Promise<void> {
  const { id, ready } = await context.once(`upload_${file.index}`, () => upload(context, file), { keepSeconds });
  await context.once(`media_${file.index}`, () => (ready ? Promise.resolve(id) : awaitReady(context, id)), {
    keepSeconds,
  });
}

type Upload = { id: string; ready: boolean };

async function upload(context: StageContext, file: StagedFile): Promise<Upload> {
  const multipart = [...(await coverField(context, file)), ...uploadFields(context, file)];
  const send = (version: "v1" | "v2", accept: number[]) =>
    context.request({
      method: "POST",
      url: `https://${context.profile.host}/api/${version}/media`,
      body: { multipart },
      accept,
      operation: uploadOperation,
    });
  let response = await send("v2", [404, 405]);
  // Older servers and look-alikes have version 1 only.
  if (response.status === 404 || response.status === 405) response = await send("v1", []);
  const parsed = attachmentSchema.safeParse(response.body);
  if (!parsed.success)
    throw new PublishingError("network_error", "The instance's response to the upload has no file id.");
  return { id: parsed.data.id, ready: response.status !== 202 };
}

/** A video's own cover; without one the server takes a frame. */
async function coverField(context: StageContext, { media, index }: StagedFile): Promise<MultipartField[]> {
  const { thumbnail_url: url, thumbnail_mime_type: contentType } = media;
  if (url === null || contentType === undefined) return [];
  const bytes = await context.readMedia(url, { maxBytes: cover.max_bytes });
  const name = `${context.uniqueName}-${index}-cover.${extensionOf(contentType)}`;
  return [{ name: "thumbnail", filename: name, file: { contentType, bytes } }];
}

function uploadFields({ profile, uniqueName }: StageContext, { media, index, options }: StagedFile): MultipartField[] {
  const rules = profile.limits.media?.types ?? limits.media.types;
  const maxBytes = rules.find(({ mime }) => mime === media.mime_type)?.max_bytes ?? 0;
  const focus = options.focus?.[index];
  return [
    ...(media.alt === null ? [] : [{ name: "description", value: media.alt }]),
    ...(focus == null ? [] : [{ name: "focus", value: `${focus.x},${focus.y}` }]),
    {
      name: "file",
      filename: filename(uniqueName, media, index),
      file: { contentType: media.mime_type, media, maxBytes },
    },
  ];
}

const extensions: Readonly<Record<string, string>> = { "image/jpeg": "jpg", "video/quicktime": "mov" };

/** Some servers go by the extension, and one makes the file's id of its name: a second file of that name takes the first one's place. */
function filename(uniqueName: string, { mime_type }: PlannedMedia, index: number): string {
  return `${uniqueName}-${index}.${extensionOf(mime_type)}`;
}

function extensionOf(mimeType: string): string {
  return extensions[mimeType] ?? mimeType.slice(mimeType.indexOf("/") + 1);
}

/**
 * 206 while the server converts, 200 when it is done, 422 when it could not.
 * 404 says that the file is gone, or that the server has no such question; the
 * commit then tells, and safely.
 *
 * @throws NotReady
 */
async function awaitReady(context: StageContext, id: string): Promise<string> {
  const url = `https://${context.profile.host}/api/v1/media/${encodeURIComponent(id)}`;
  const { status } = await context.request({ method: "GET", url, accept: [404, 405, 422] });
  if (status === 206) throw new NotReady("The instance is converting the file.");
  if (status === 422) throw new PublishingError("media_error", "The instance could not convert the file.");
  return id;
}
