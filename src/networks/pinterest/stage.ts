import * as z from "zod";
import type { Part, PlannedMedia } from "../contract/plan.ts";
import type { StageContext } from "../contract/request.ts";
import { endpoint, getAnswer } from "./api.ts";
import type { PinterestOptions } from "./options.ts";
import { names } from "./staged.ts";
import { stageVideo } from "./upload.ts";

/** Lifetime of a file's URL. It is longer than `keepSeconds`, so that a repeated request can use the URL. */
const pullSeconds = 4 * 3600;
const keepSeconds = 2 * 3600;

/** https://github.com/pinterest/api-description, `Board` (2025-12) */
const boardSchema = z.object({ privacy: z.string().nullish() });

/**
 * Reads the board's privacy, uploads a video, and creates the URLs of the other files: `privacy`, `media_id`, `cover`,
 * `address_0`, …
 */
export async function stage(context: StageContext, part: Part<PinterestOptions>): Promise<void> {
  await context.once(names.privacy, () => readPrivacy(context, part.options), { keepSeconds });
  for (const [index, media] of part.media.entries()) {
    if (media.type === "video") await stageVideo(context, media);
    else await keepAddress(context, names.address(index), media.url);
    const cover = coverOf(part, media);
    if (cover !== null) await keepAddress(context, names.cover, cover);
  }
}

async function readPrivacy(context: StageContext, { board_id }: PinterestOptions): Promise<string> {
  const { privacy } = await getAnswer(boardSchema, context, endpoint(["boards", board_id]));
  return privacy ?? "unknown";
}

async function keepAddress(context: StageContext, name: string, url: string): Promise<void> {
  await context.once(name, () => context.signedUrl(url, { seconds: pullSeconds }), { keepSeconds });
}

/** The URL of the option's cover, or of the video's own. Null: none, or the option names a frame. */
function coverOf({ options }: Part<PinterestOptions>, media: PlannedMedia): string | null {
  if (media.type !== "video") return null;
  if (options.cover_image_url !== undefined) return options.cover_image_url;
  if (options.cover_image_key_frame_time !== undefined) return null;
  return media.thumbnail_mime_type === undefined ? null : media.thumbnail_url;
}
