import { PublishingError } from "../../wire/errors.ts";

/** A transformer's error about a file. @param problem the rest of a sentence about the file */
export function refused(problem: string, cause?: unknown): PublishingError {
  return new PublishingError("media_error", problem, { cause });
}

/**
 * A transformer's error if the service is the cause, not the file.
 *
 * @param problem the rest of a sentence about the file
 * @param options.isPassing a retry may succeed later without any change
 */
export function unable(problem: string, options: { cause?: unknown; isPassing?: boolean } = {}): PublishingError {
  return new PublishingError("internal_error", problem, options);
}
