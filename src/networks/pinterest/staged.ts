import * as z from "zod";
import type { Staged } from "../contract/commit.ts";

/** Under which names `stage` keeps what it made. */
export const names = {
  /** Where Pinterest fetches a picture. */
  address: (index: number) => `address_${index}`,
  /** Where it fetches the cover of a video. */
  cover: "cover",
  /** A video that was uploaded. */
  media: "media_id",
  /** Who sees the board. */
  privacy: "privacy",
} as const;

/** Null: it was not staged. */
export function stagedText(staged: Staged, name: string): string | null {
  return z.string().safeParse(staged[name]).data ?? null;
}
