import { PublishingError } from "../../wire/errors.ts";

/** What a transformer throws. @param problem the rest of a sentence about the file */
export function refused(problem: string, cause?: unknown): PublishingError {
  return new PublishingError("media_error", problem, { cause });
}
