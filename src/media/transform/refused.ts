import { PublishingError } from "../../wire/errors.ts";

/** What a transformer throws about a file. @param problem the rest of a sentence about the file */
export function refused(problem: string, cause?: unknown): PublishingError {
  return new PublishingError("media_error", problem, { cause });
}

/**
 * What a transformer throws where the file is not to blame, but what the service lacks.
 *
 * @param problem the rest of a sentence about the file
 * @param options.isPassing the same may work in a while, without anybody's help
 */
export function unable(problem: string, options: { cause?: unknown; isPassing?: boolean } = {}): PublishingError {
  return new PublishingError("internal_error", problem, options);
}
