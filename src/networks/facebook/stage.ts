import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { MediaSource, Part, PlannedMedia } from "../contract/plan.ts";
import type { StageContext } from "../contract/request.ts";
import { graphId } from "../shared/meta/graph-id.ts";
import type { VideoUpload } from "../shared/meta/video-upload.ts";
import { type Api, readAnswer } from "./api.ts";
import { kindOf } from "./kind.ts";
import { cover as coverRule } from "./limits.ts";
import type { FacebookOptions } from "./options.ts";
import { keepSeconds, pullSeconds } from "./staged.ts";
import { stageVideo } from "./upload.ts";
import { stageWholeVideo } from "./whole-video.ts";

/** Uploads the photos (`photo_0`, …) or the video (`video`), unpublished. A second run repeats no upload. */
export async function stage(
  context: StageContext,
  part: Part<FacebookOptions>,
  { api, videoUpload }: { api: Api; videoUpload: VideoUpload },
): Promise<void> {
  switch (kindOf(part)) {
    case "comment":
      return;
    case "feed":
    case "photo_story":
      for (const [index, media] of part.media.entries()) await stagePhoto(context, api, { media, index, part });
      return;
    case "video":
      await stageVideo(context, api, videoOf(part));
      return stageCover(context, api, part);
    case "reel":
      await stageWholeVideo(context, api, { media: videoOf(part), edge: "video_reels", videoUpload });
      return stageCover(context, api, part);
    case "video_story":
      return stageWholeVideo(context, api, { media: videoOf(part), edge: "video_stories", videoUpload });
  }
}

function videoOf({ media: [video] }: Part<FacebookOptions>): PlannedMedia {
  if (video === undefined) throw new PublishingError("internal_error", "A video is missing.");
  return video;
}

const createdSchema = z.object({ id: graphId });

/** https://developers.facebook.com/docs/pages-api/posts (2026-09); `alt_text_custom`: https://github.com/facebook/facebook-business-sdk-codegen (2026-04) */
async function stagePhoto(
  context: StageContext,
  api: Api,
  { media, index, part }: { media: PlannedMedia; index: number; part: Part<FacebookOptions> },
): Promise<void> {
  const create = async (): Promise<string> => {
    const address = await context.signedUrl(media.url, { seconds: pullSeconds });
    const alt = part.post_type === "story" ? null : media.alt;
    const form = { url: address, published: "false", ...(alt ? { alt_text_custom: alt } : {}) };
    const url = api.endpoint([context.profile.external_id, "photos"]);
    return readAnswer(createdSchema, await context.request({ method: "POST", url, body: { form } })).id;
  };
  await context.once(`photo_${index}`, create, { keepSeconds });
}

const successSchema = z.object({ success: z.literal(true) });

/** https://github.com/facebook/facebook-business-sdk-codegen (2026-04) */
async function stageCover(context: StageContext, api: Api, part: Part<FacebookOptions>): Promise<void> {
  const cover = coverOf(part);
  if (cover === null) return;
  const video = z.object({ video_id: z.string() });
  const { video_id } = video.parse(await context.once("video", neverMade, { keepSeconds }));
  const set = async (): Promise<boolean> => {
    const contentType = cover.mime_type ?? "image/jpeg";
    const file = { contentType, media: cover, maxBytes: coverRule.max_bytes };
    const multipart = [
      { name: "is_preferred", value: "true" },
      { name: "source", filename: contentType === "image/png" ? "cover.png" : "cover.jpg", file },
    ];
    const url = api.endpoint([video_id, "thumbnails"]);
    return readAnswer(successSchema, await context.request({ method: "POST", url, body: { multipart } })).success;
  };
  await context.once(`thumbnail_${video_id}`, set, { keepSeconds });
}

async function neverMade(): Promise<never> {
  throw new PublishingError("internal_error", "The video was not staged.");
}

/** The cover that the option names, or else the video's own. */
function coverOf({
  options: { thumbnail },
  option_files = [],
  media: [video],
}: Part<FacebookOptions>): MediaSource | null {
  if (thumbnail !== undefined) return option_files.find(({ url }) => url === thumbnail) ?? null;
  if (video === undefined || video.thumbnail_url === null || video.thumbnail_mime_type === undefined) return null;
  const stored = video.thumbnail_stored;
  return { url: video.thumbnail_url, mime_type: video.thumbnail_mime_type, ...(stored && { stored }) };
}
