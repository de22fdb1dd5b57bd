import { bitrateOf, knownDetails, type MediaFacts } from "./facts.ts";
import { probeGif } from "./gif.ts";
import { probeIsoMedia } from "./iso.ts";
import { probeJpeg } from "./jpeg.ts";
import { probePng } from "./png.ts";
import { boundedReader, type MediaReader, readerWithBudget, textAt } from "./reader.ts";
import { probeWebm } from "./webm.ts";
import { probeWebp } from "./webp.ts";

export type { MediaReader } from "./reader.ts";

/** Images and WebM have the data that is read in their first bytes. */
const headBytes = 256 * 1024;

/** Maximum that one probe reads, for any input. */
const probeLimit = { bytes: 128 * 1024, reads: 4_000 } as const;

/**
 * Reads a file's type and facts from its bytes, never from its name: JPEG, PNG, GIF, WebP, AVIF, HEIC, MP4, MOV, WebM
 * and Matroska. Reads only headers and decodes nothing: at most 128 KB in at most 4,000 reads, for any input.
 *
 * @returns null for everything else: SVG, HTML, archives, PDF, audio
 * @throws the errors of `reader`
 */
export async function probeMedia(reader: MediaReader): Promise<MediaFacts | null> {
  const facts = await probeKind(readerWithBudget(reader, probeLimit));
  if (facts?.type !== "video") return facts;
  return { ...facts, ...knownDetails({ bitrate: bitrateOf(facts, reader.sizeBytes) }) };
}

async function probeKind(reader: MediaReader): Promise<MediaFacts | null> {
  const head = boundedReader(reader, headBytes);
  const start = await head.read(0, 16);
  if (start[0] === 0xff && start[1] === 0xd8 && start[2] === 0xff) return probeJpeg(head);
  if (textAt(start, 0, 8) === "\x89PNG\r\n\x1a\n") return probePng(head);
  if (/^GIF8[79]a$/.test(textAt(start, 0, 6))) return probeGif(head);
  if (textAt(start, 0, 4) === "RIFF" && textAt(start, 8, 4) === "WEBP") return probeWebp(reader, head);
  if (textAt(start, 0, 4) === "\x1a\x45\xdf\xa3") return probeWebm(head);
  return probeIsoMedia(reader);
}
