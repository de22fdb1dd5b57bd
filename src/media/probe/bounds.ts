import type { MediaFacts } from "./facts.ts";

/** 16,383 × 16,383: what sharp decodes at most unless told otherwise (https://sharp.pixelplumbing.com/api-constructor, November 2026). */
const maxPixels = 268_402_689;

/** A minute at 50 frames a second has 3,000. */
const maxFrames = 10_000;

/** Why a file is more than a decoder should be given, as the rest of a sentence about it; null when it is not. */
export function oversize({
  width,
  height,
  frames = 0,
}: Pick<MediaFacts, "width" | "height" | "frames">): string | null {
  if (width !== null && height !== null && width * height > maxPixels)
    return `has ${width} × ${height} pixels; use one with at most ${maxPixels} in total`;
  return frames > maxFrames ? `has about ${frames} frames; use one with at most ${maxFrames}, or a video` : null;
}
