import * as z from "zod";
import { checkOptions, type OptionSchemas, trueOrFalse, wholeNumber } from "../../ports/parse-options.ts";
import type { MediaTransformer } from "../transform/transformer.ts";
import { createSharpTransformer } from "./make.ts";

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

/**
 * Makes pictures fit with sharp, which the host installs: turned as they are
 * shown, in sRGB, without where and with what they were taken, transparent
 * parts white where the format knows none.
 *
 * @example
 * createSocialService({ storage, baseUrl, mediaStore: filesStore("media"), mediaTransformers: [sharpTransformer()] });
 *
 * @throws SocialError `invalid_options` naming the option that is wrong
 */
export function sharpTransformer(options: SharpTransformerOptions = {}): MediaTransformer {
  checkOptions("sharpTransformer", optionsSchema, options);
  const { maxPixels = 100_000_000, maxBytes = 100_000_000, timeoutSeconds = 60, heic = false } = options;
  return createSharpTransformer({ maxPixels, maxBytes, timeoutSeconds, heic });
}
