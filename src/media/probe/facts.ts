import type { MediaDetails } from "../../networks/contract/plan.ts";
import type { PictureFormat } from "./codec-configuration.ts";

/** The facts that an image's or video's bytes show. */
export interface MediaFacts extends MediaDetails {
  /** The kind of file. Animated and still GIFs are both `gif`. */
  type: "image" | "video" | "gif";
  /** Determined from the bytes, never from the name: `video/mp4`. */
  mime_type: string;
  /** Pixels as shown, rotation applied. Null: the bytes that state it were out of reach. */
  width: number | null;
  /** Pixels as shown, as `width`. */
  height: number | null;
  /** Only of videos; null: the file does not state it. */
  duration_seconds: number | null;
}

/** Omits unknown values. */
export function knownDetails(
  details: {
    [Name in keyof MediaDetails]: MediaDetails[Name] | null | undefined;
  },
): MediaDetails {
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value != null));
}

export function formatDetails(format: PictureFormat | null | undefined): MediaDetails {
  return knownDetails({ profile: format?.profile, chroma: format?.chroma, bit_depth: format?.bitDepth });
}

/** Bits a second; null: the size or the duration is unknown. */
export function bitrateOf({ duration_seconds }: MediaFacts, sizeBytes: number | null): number | null {
  if (sizeBytes === null || duration_seconds === null) return null;
  const bitrate = Math.round((sizeBytes * 8) / duration_seconds);
  return Number.isSafeInteger(bitrate) ? bitrate : null;
}
