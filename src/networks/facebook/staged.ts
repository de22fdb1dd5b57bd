import * as z from "zod";
import type { Staged } from "../contract/commit.ts";

/**
 * How long what was uploaded is used: Facebook drops what nobody has published, photos after about a day
 * (unconfirmed). https://github.com/facebook/facebook-business-sdk-codegen (2026-04)
 */
export const keepSeconds = 12 * 3600;

/** Facebook fetches a file before it answers, or soon after, seconds. */
export const pullSeconds = 2 * 3600;

const videoSchema = z.object({ video_id: z.string(), upload_session_id: z.string().optional() });

/** The video that was uploaded, by the id that it will have when it is public; null: none. */
export function videoIn({ video }: Staged): z.infer<typeof videoSchema> | null {
  return videoSchema.safeParse(video).data ?? null;
}

/** The ids of the photos that were uploaded, in order. */
export function photosIn(staged: Staged): string[] {
  const photos: string[] = [];
  for (let index = 0; ; index++) {
    const id = staged[`photo_${index}`];
    if (typeof id !== "string") return photos;
    photos.push(id);
  }
}
