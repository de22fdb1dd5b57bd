import type { MediaFacts } from "./facts.ts";
import { probeGif, probeJpeg, probePng, probeWebp } from "./image.ts";
import { probeIsoMedia } from "./iso.ts";
import { boundedReader, type MediaReader, textAt } from "./reader.ts";
import { probeWebm } from "./webm.ts";

export type { MediaReader } from "./reader.ts";

/** Where pictures and WebM keep what we ask for. */
const headBytes = 256 * 1024;

/**
 * Reads what a file is from its bytes, never from its name: JPEG, PNG, GIF,
 * WebP, AVIF, HEIC, MP4, MOV, WebM and Matroska. Reads headers only, decodes
 * nothing, and does a bounded number of bounded reads whatever the bytes are.
 *
 * @returns null for everything else: SVG, HTML, archives, PDF, sound
 * @throws what `reader` throws
 */
export async function probeMedia(reader: MediaReader): Promise<MediaFacts | null> {
  const head = boundedReader(reader, headBytes);
  const start = await head.read(0, 16);
  if (start[0] === 0xff && start[1] === 0xd8 && start[2] === 0xff) return probeJpeg(head);
  if (textAt(start, 0, 8) === "\x89PNG\r\n\x1a\n") return probePng(head);
  if (/^GIF8[79]a$/.test(textAt(start, 0, 6))) return probeGif(head);
  if (textAt(start, 0, 4) === "RIFF" && textAt(start, 8, 4) === "WEBP") return probeWebp(head);
  if (textAt(start, 0, 4) === "\x1a\x45\xdf\xa3") return probeWebm(head);
  return probeIsoMedia(reader);
}
