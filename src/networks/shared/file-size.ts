import { PublishingError } from "../../wire/errors.ts";
import { withRemedy } from "../../wire/remedy.ts";
import type { PlannedMedia } from "../contract/plan.ts";

/**
 * The size of a file, for networks that need it before the first byte.
 *
 * @param unknown the sentence for an unknown size. @default "The file's host does not report its size."
 * @throws PublishingError `media_error`
 */
export function sizeOf(
  { size_bytes }: Pick<PlannedMedia, "size_bytes">,
  unknown = "The file's host does not report its size.",
): number {
  if (size_bytes !== null) return size_bytes;
  const message = withRemedy(
    `${unknown} Upload the file first, or use another host.`,
    "Uploads need a store: set createSocialService's mediaStore.",
  );
  throw new PublishingError("media_error", message);
}
