import { knownDetails, type MediaFacts } from "./facts.ts";

export interface Size {
  width: number | null;
  height: number | null;
}

export const unknownSize: Size = { width: null, height: null };

/** Zero means unknown, or stated elsewhere. */
export function sizeOf(width: number, height: number): Size {
  return width > 0 && height > 0 ? { width, height } : unknownSize;
}

/** From an EXIF orientation of 5 on, width and height are swapped. */
export function turned(size: Size, orientation: number): Size {
  return orientation >= 5 ? { width: size.height, height: size.width } : size;
}

export function image(mimeType: string, size: Size, details: Parameters<typeof knownDetails>[0] = {}): MediaFacts {
  return { type: "image", mime_type: mimeType, ...size, duration_seconds: null, ...knownDetails(details) };
}
