import type sharpPackage from "sharp";
import type { Sharp } from "sharp";
import { withRemedy } from "../../wire/remedy.ts";
import { refused, unable } from "../transform/refused.ts";
import type { ImageChange, MediaTransformer, TransformSource } from "../transform/transformer.ts";

/** What sharp's own binaries read: https://sharp.pixelplumbing.com/install (November 2026) */
const reads = ["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"];

/** Each is tried until the file is small enough. Below the last one a picture shows what was left out. */
const qualities = [88, 75, 60, 45];

type Load = () => Promise<{ default: typeof sharpPackage }>;

/** What one picture may take, and whether the host's libvips reads HEIC. */
interface SharpBounds {
  maxPixels: number;
  maxBytes: number;
  timeoutSeconds: number;
  heic: boolean;
}

/** @param load how sharp is loaded; replaced in tests only */
export function createSharpTransformer(
  { maxPixels, maxBytes, timeoutSeconds, heic }: SharpBounds,
  load: Load = () => import("sharp"),
): MediaTransformer {
  const loaded = async () => (await load().catch(nameWhatToInstall)).default;

  return {
    makes: "image",
    reads: heic ? [...reads, "image/heic", "image/heif"] : reads,
    async version() {
      const { sharp, vips } = (await loaded()).versions;
      return `sharp ${sharp} libvips ${vips}`;
    },
    async warnings({ color_transfer }) {
      if (color_transfer === undefined) return [];
      return ["is HDR, which sharp does not support: its colours would look pale and dark; use SDR"];
    },
    async transform(source, change, { signal }) {
      if (change.kind !== "image") throw new TypeError("sharpTransformer makes images only.");
      const sharp = await loaded();
      if (source.size_bytes > maxBytes) throw refused(`is larger than ${maxBytes} bytes; use a smaller file`);
      const bytes = await readAll(await source.read(), signal);
      const options = { limitInputPixels: maxPixels, failOn: "error" } as const;
      const stored = await sharp(bytes, options).metadata().catch(explain);
      const turn = turnOf(source);
      if (!hasShape(turn.isOnItsSide ? { width: stored.height, height: stored.width } : stored, change)) {
        throw unable(`does not have the planned aspect ratio, ${change.width}:${change.height}; create the post again`);
      }
      for (const quality of qualities) {
        signal.throwIfAborted();
        const image = sharp(bytes, options).timeout({ seconds: timeoutSeconds });
        const made = await encoded(shaped(image, turn, change), change, quality)
          .toBuffer()
          .catch(explain);
        if (made.length <= change.max_bytes) return { body: new Blob([made]).stream(), size_bytes: made.length };
      }
      throw refused(`cannot be reduced to ${change.max_bytes} bytes; use a simpler or smaller one`);
    },
  };
}

async function readAll(stream: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  await stream.pipeTo(new WritableStream({ write: (piece) => void pieces.push(piece) }), { signal });
  return Buffer.concat(pieces);
}

/** What is done to the stored pixels so that a picture stands as it is shown: mirrored first, then turned with the clock. */
interface Turn {
  isMirrored: boolean;
  degrees: 0 | 90 | 180 | 270;
  /** Width and height change places. */
  isOnItsSide: boolean;
}

/** Turns with the clock, by EXIF orientation; first of a picture that is none. */
const degreesOf = [0, 0, 0, 180, 180, 270, 90, 90, 270] as const;
const mirrored: readonly number[] = [2, 4, 5, 7];

/** libvips turns these itself, by the properties in the file: it does not ask their EXIF. */
const turnedByDecoder: readonly string[] = ["image/avif", "image/heic", "image/heif"];

/** As it was planned, not as libvips reads EXIF: it does not find all of it, such as what stands behind a PNG's pixels. */
function turnOf({ mime_type, orientation = 1 }: TransformSource): Turn {
  const own = turnedByDecoder.includes(mime_type) ? 1 : orientation;
  return { isMirrored: mirrored.includes(own), degrees: degreesOf[own] ?? 0, isOnItsSide: own >= 5 };
}

/** Whether a picture has the shape of what is made of it, but for the rounding to whole pixels. */
function hasShape(
  { width, height }: { width: number; height: number },
  change: { width: number; height: number },
): boolean {
  return Math.abs(change.width * height - change.height * width) < Math.max(width, height);
}

function shaped(image: Sharp, { isMirrored, degrees }: Turn, { mime_type, width, height }: ImageChange): Sharp {
  const upright = image.flop(isMirrored).rotate(degrees);
  const sized = upright.resize(width, height, { fit: "fill", withoutEnlargement: true }).toColourspace("srgb");
  return mime_type === "image/jpeg" ? sized.flatten({ background: "#ffffff" }) : sized;
}

/** Of a PNG the first try keeps every pixel; then it gets a palette. */
function encoded(image: Sharp, { mime_type }: ImageChange, quality: number): Sharp {
  if (mime_type === "image/jpeg") return image.jpeg({ quality });
  if (mime_type === "image/webp") return image.webp({ quality });
  return quality === qualities[0]
    ? image.png({ compressionLevel: 9 })
    : image.png({ palette: true, quality, effort: 10 });
}

function explain(error: unknown): never {
  const [reason = ""] = String(error instanceof Error ? error.message : error).split("\n");
  if (reason.startsWith("timeout")) throw refused("takes too long to be converted; use a smaller one", error);
  if (/pixel limit/.test(reason)) throw refused("has too many pixels to be converted; use a smaller one", error);
  // npm's sharp has the format's container, and not its decoder.
  if (/has not been built in|No decoding plugin/.test(String(error)))
    throw unable(
      withRemedy("cannot be converted: this service does not decode HEIC.", "See sharpTransformer's heic."),
      { cause: error },
    );
  throw refused(`cannot be decoded (${reason}); save or export it again`, error);
}

function nameWhatToInstall(cause: unknown): never {
  const [reason] = String(cause instanceof Error ? cause.message : cause).split("\n");
  throw unable(
    withRemedy("cannot be converted by this service.", `sharpTransformer needs sharp: npm install sharp (${reason}).`),
    { cause },
  );
}
