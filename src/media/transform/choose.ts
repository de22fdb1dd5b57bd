import type { Logger } from "../../ports/logger.ts";
import { type MediaTools, toolsOf } from "../fit/fit.ts";
import type { MediaFacts } from "../probe/facts.ts";
import type { MediaChange, MediaTransformer } from "./transformer.ts";

/** The first transformer that can make this change to a file of this MIME type. */
export function transformerFor(
  transformers: readonly MediaTransformer[],
  change: MediaChange,
  mimeType: string,
): MediaTransformer | undefined {
  return transformers.find(({ makes, reads }) => makes === change.kind && reads.includes(mimeType));
}

/** Describes what a file would lose in a change, each as the rest of a sentence about the file. */
export type ChangeWarnings = (file: MediaFacts, change: MediaChange) => Promise<readonly string[]>;

/** What planning needs from the service's transformers. */
export function mediaChanging(
  transformers: readonly MediaTransformer[] = [],
  logger: Logger,
): { mediaTools: MediaTools; changeWarnings: ChangeWarnings } {
  return { mediaTools: toolsOf(transformers), changeWarnings: changeWarningsOf(transformers, logger) };
}

/** Asks the transformer that would convert it. A failure does not stop the post. */
function changeWarningsOf(transformers: readonly MediaTransformer[], logger: Logger): ChangeWarnings {
  return async (file, change) => {
    try {
      return (await transformerFor(transformers, change, file.mime_type)?.warnings?.(file, change)) ?? [];
    } catch (error) {
      logger.warn("a media transformer could not report what a file loses", { error: String(error) });
      return [];
    }
  };
}
