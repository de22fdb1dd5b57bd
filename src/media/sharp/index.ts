import * as z from "zod";
import { checkOptions, type OptionSchemas, trueOrFalse, wholeNumber } from "../../ports/parse-options.ts";
import type { MediaTransformer } from "../transform/transformer.ts";
import { createSharpTransformer } from "./make.ts";

/** Limits for one image, and the formats that the host's sharp can read. */
export interface SharpTransformerOptions {
  /** An image with more pixels is refused: decoded, each pixel takes four bytes of memory. 1 to 268_402_689. @default 100_000_000 */
  maxPixels?: number | undefined;
  /** A file with more bytes is refused: it is held in memory while it is read. @default 100_000_000 */
  maxBytes?: number | undefined;
  /** How long one try may take, seconds. 1 to 3_600. @default 60 */
  timeoutSeconds?: number | undefined;
  /**
   * True: the host's own libvips reads HEIC, the format of iPhones. The sharp of npm cannot, because of patents.
   * @default false: HEIC is refused for networks that do not accept it
   */
  heic?: boolean | undefined;
}

const optionsSchema = z.strictObject({
  maxPixels: wholeNumber("pixels", { from: 1, to: 268_402_689 }).optional(),
  maxBytes: wholeNumber("bytes", { from: 1, to: 10 ** 10 }).optional(),
  timeoutSeconds: wholeNumber("seconds", { from: 1, to: 3_600 }).optional(),
  heic: trueOrFalse.optional(),
} satisfies OptionSchemas<SharpTransformerOptions>);

/**
 * Converts images automatically with sharp, which the host installs:
 * upright, in sRGB, without metadata, and on white if the target format has no transparency.
 *
 * @example
 * createSocialService({ storage, baseUrl, mediaStore: filesStore("media"), mediaTransformers: [sharpTransformer()] });
 *
 * @throws SocialError `invalid_options` naming the invalid option
 */
export function sharpTransformer(options: SharpTransformerOptions = {}): MediaTransformer {
  checkOptions("sharpTransformer", optionsSchema, options);
  const { maxPixels = 100_000_000, maxBytes = 100_000_000, timeoutSeconds = 60, heic = false } = options;
  return createSharpTransformer({ maxPixels, maxBytes, timeoutSeconds, heic });
}
