import * as z from "zod";
import type { Staged } from "../contract/commit.ts";

/**
 * How long uploads are used: Facebook deletes those that are not published, photos after about a day (unconfirmed).
 * https://github.com/facebook/facebook-business-sdk-codegen (2026-04)
 */
export const keepSeconds = 12 * 3600;

/** Lifetime of a file's URL, seconds. Facebook downloads the file before it responds, or soon after. */
export const pullSeconds = 2 * 3600;

const videoSchema = z.object({ video_id: z.string(), upload_session_id: z.string().optional() });

/** The uploaded video, with the id that it keeps when it is public. Null: none. */
export function videoIn({ video }: Staged): z.infer<typeof videoSchema> | null {
  return videoSchema.safeParse(video).data ?? null;
}

/** The ids of the uploaded photos, in order. */
export function photosIn(staged: Staged): string[] {
  const photos: string[] = [];
  for (let index = 0; ; index++) {
    const id = staged[`photo_${index}`];
    if (typeof id !== "string") return photos;
    photos.push(id);
  }
}
