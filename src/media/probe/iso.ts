import type { MediaDetails } from "../../networks/contract/plan.ts";
import { type Box, boxesWithin, readBox, type Stretch } from "./boxes.ts";
import { formatDetails, knownDetails, type MediaFacts } from "./facts.ts";
import { probeHeif } from "./heif.ts";
import { type Movie, readMovie } from "./movie.ts";
import { type MediaReader, textAt } from "./reader.ts";

/** Maximum number of boxes before the index; a fragmented file has it before its fragments. */
const maxTopLevelBoxes = 64;

/** First boxes of files that are older than `ftyp`: QuickTime File Format, "File Type Compatibility". */
const quickTimeStarts = ["moov", "mdat", "wide"];

/** Brands of MP4 (https://mp4ra.org/registered-types/brands): ISO, MPEG-4, AVC, Apple, DASH, Sony, Flash. */
const mp4Brand = /^(iso[\da-z]|mp4[12]|avc1|M4V[ HP]?|dash|msdh|msix|MSNV|f4v |cmf[cs2]|hvc1|hev1)/;

/** Major brands of image sequences: ISO/IEC 23008-12, section 10; AVIF, section 6.3. */
const animatedBrands = ["avis", "hevc", "hevx", "msf1"];

/** AVIF, HEIC, MP4 and MOV, distinguished by the brands in `ftyp`; null: anything else. */
export async function probeIsoMedia(reader: MediaReader): Promise<MediaFacts | null> {
  const first = readBox(await reader.read(0, 16), 0);
  if (first === null) return null;
  if (first.type !== "ftyp") return isOldQuickTime(first) ? probeVideo(reader, "video/quicktime") : null;
  const brands = await readBrands(reader, first);
  const stillType = stillTypeOf(brands);
  if (stillType !== null) {
    const isAnimated = animatedBrands.includes(brands[0] ?? "");
    return probeHeif(reader, first.end, { mimeType: stillType, isAnimated });
  }
  const videoType = videoTypeOf(brands);
  return videoType === null ? null : probeVideo(reader, videoType);
}

/** A `wide` box has eight bytes; with any other size it is text that begins with the word. */
function isOldQuickTime({ type, end }: Box): boolean {
  return quickTimeStarts.includes(type) && (type !== "wide" || end === 8);
}

/** The major brand, then the compatible ones. */
async function readBrands(reader: MediaReader, { start, end }: Box): Promise<string[]> {
  const content = await reader.read(start, Math.min(end - start, 256));
  const brands = [textAt(content, 0, 4)];
  for (let offset = 8; offset + 4 <= content.length; offset += 4) brands.push(textAt(content, offset, 4));
  return brands;
}

function stillTypeOf([major = "", ...compatible]: string[]): string | null {
  if (["avif", "avis"].includes(major)) return "image/avif";
  if (["heic", "heix", "heim", "heis", "hevc", "hevx"].includes(major)) return "image/heic";
  if (major !== "mif1" && major !== "msf1") return null;
  if (compatible.includes("avif")) return "image/avif";
  return compatible.some((brand) => brand === "heic" || brand === "heix") ? "image/heic" : "image/heif";
}

function videoTypeOf([major = "", ...compatible]: string[]): string | null {
  if (major === "qt  ") return "video/quicktime";
  // Audio files and Canon's raw images claim compatibility with MP4.
  if (/^(M4A|M4B|M4P|F4A|F4B|crx)/.test(major)) return null;
  return [major, ...compatible].some((brand) => mp4Brand.test(brand)) ? "video/mp4" : null;
}

async function probeVideo(reader: MediaReader, mimeType: string): Promise<MediaFacts | null> {
  const index = await findIndex(reader);
  const movie = index === null ? null : await readMovie(reader, index);
  const video = movie?.video ?? null;
  if (movie?.isWhole && video === null) return null;
  return {
    type: "video",
    mime_type: mimeType,
    width: video?.size?.width ?? null,
    height: video?.size?.height ?? null,
    duration_seconds: movie?.durationSeconds ?? null,
    ...knownDetails({
      orientation: video?.size ? video.orientation : null,
      codec: video?.entry?.codec,
      ...formatDetails(video?.entry?.picture),
      fps: movie?.fps,
      color_transfer: video?.entry?.colorTransfer,
      is_index_first: index?.isFirst,
      ...soundOf(movie),
    }),
  };
}

function soundOf(movie: Movie | null): MediaDetails {
  if (movie === null || movie.sound === null) return movie?.isWhole ? { has_audio: false } : {};
  const { codec, channels, sampleRate } = movie.sound.entry ?? {};
  return knownDetails({
    has_audio: true,
    audio_codec: codec,
    audio_channels: channels,
    audio_sample_rate: sampleRate,
  });
}

/** The range of the content of `moov`, anywhere in the file; null: out of reach. */
async function findIndex(reader: MediaReader): Promise<(Stretch & { isFirst: boolean }) | null> {
  // Not limited to the file's end, so that a truncated index does not look complete.
  const whole = { start: 0, end: Number.POSITIVE_INFINITY };
  let isFirst = true;
  for await (const box of boxesWithin(reader, whole, { left: maxTopLevelBoxes })) {
    if (box.type === "mdat") isFirst = false;
    if (box.type !== "moov") continue;
    const end = Number.isFinite(box.end) ? box.end : (reader.sizeBytes ?? box.end);
    return { start: box.start, end, isFirst };
  }
  return null;
}
