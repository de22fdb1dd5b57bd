import type sharpPackage from "sharp";
import type { Sharp } from "sharp";
import { z } from "zod";
import { checkOptions, type OptionSchemas, trueOrFalse, wholeNumber } from "../ports/parse-options.ts";
import { PublishingError } from "../wire/errors.ts";
import type { ImageChange, MediaTransformer } from "./transform/transformer.ts";

/** What one picture may take, and what the host's sharp can read. */
export interface SharpTransformerOptions {
  /** A picture of more pixels is refused: decoded, each takes four bytes of memory. 1 to 268_402_689. @default 100_000_000 */
  maxPixels?: number | undefined;
  /** A file of more bytes is refused: it is held in memory while it is read. @default 100_000_000 */
  maxBytes?: number | undefined;
  /** How long one try may take, seconds. 1 to 3_600. @default 60 */
  timeoutSeconds?: number | undefined;
  /**
   * True: the host's own libvips reads HEIC, as iPhones make it; npm's sharp comes without, for its patents.
   * @default false: HEIC is refused where a network does not take it
   */
  heic?: boolean | undefined;
}

const optionsSchema = z.strictObject({
  maxPixels: wholeNumber("pixels", { from: 1, to: 268_402_689 }).optional(),
  maxBytes: wholeNumber("bytes", { from: 1, to: 10 ** 10 }).optional(),
  timeoutSeconds: wholeNumber("seconds", { from: 1, to: 3_600 }).optional(),
  heic: trueOrFalse.optional(),
} satisfies OptionSchemas<SharpTransformerOptions>);

/** What sharp's own binaries read: https://sharp.pixelplumbing.com/install (November 2026) */
const reads = ["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"];

/** Each is tried until the file is small enough. Below the last one a picture shows what was left out. */
const qualities = [88, 75, 60, 45];

type Load = () => Promise<{ default: typeof sharpPackage }>;

/**
 * Makes pictures fit with sharp, which the host installs: turned as they are
 * shown, in sRGB, without where and with what they were taken, transparent
 * parts white where the format knows none.
 *
 * @example
 * createSocialService({ storage, baseUrl, mediaStore: filesStore("media"), mediaTransformers: [sharpTransformer()] });
 *
 * @param load how sharp is loaded; replaced in tests only
 * @throws SocialError `internal_error` naming the option that is wrong
 */
export function sharpTransformer(
  options: SharpTransformerOptions = {},
  load: Load = () => import("sharp"),
): MediaTransformer {
  checkOptions("sharpTransformer", optionsSchema, options);
  const { maxPixels = 100_000_000, maxBytes = 100_000_000, timeoutSeconds = 60, heic = false } = options;
  const loaded = async () => (await load().catch(nameWhatToInstall)).default;

  return {
    makes: "image",
    reads: heic ? [...reads, "image/heic", "image/heif"] : reads,
    async version() {
      const { sharp, vips } = (await loaded()).versions;
      return `sharp ${sharp} libvips ${vips}`;
    },
    async transform(source, change, { signal }) {
      if (change.kind !== "image") throw new TypeError("sharpTransformer makes pictures only.");
      const sharp = await loaded();
      if (source.size_bytes > maxBytes) throw refused(`is larger than ${maxBytes} bytes; give a smaller file`);
      const bytes = Buffer.from(await new Response(await source.read()).arrayBuffer());
      for (const quality of qualities) {
        signal.throwIfAborted();
        const image = sharp(bytes, { limitInputPixels: maxPixels, failOn: "error" }).timeout({
          seconds: timeoutSeconds,
        });
        const made = await encoded(shaped(image, change), change, quality).toBuffer().catch(explain);
        if (made.length <= change.max_bytes) return { body: new Blob([made]).stream(), size_bytes: made.length };
      }
      throw refused(`cannot be made as small as ${change.max_bytes} bytes; give one with less in it, or a smaller one`);
    },
  };
}

function shaped(image: Sharp, { mime_type, width, height }: ImageChange): Sharp {
  const sized = image.rotate().resize(width, height, { fit: "fill", withoutEnlargement: true }).toColourspace("srgb");
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
  if (reason.startsWith("timeout")) throw refused("takes too long to be changed; give a smaller one", error);
  if (/pixel limit/.test(reason)) throw refused("has too many pixels to be changed; give a smaller one", error);
  throw refused(`cannot be decoded (${reason}); save or export it again`, error);
}

/** @param problem the rest of a sentence about the file */
function refused(problem: string, cause?: unknown): PublishingError {
  return new PublishingError("media_error", problem, { cause });
}

function nameWhatToInstall(cause: unknown): never {
  throw new PublishingError("media_error", "cannot be changed: sharpTransformer needs sharp: npm install sharp", {
    cause,
  });
}
