import { filesByAddress } from "../planning/schema.ts";
import { isBytes } from "../wire/describe-value.ts";
import { type ErrorDetail, SocialError } from "../wire/errors.ts";
import { fieldPath } from "../wire/parse-issue.ts";

/** Depth of the deepest file field, `networks.<network>.media[0].url`. */
const deepest = 5;

/**
 * Rejects bytes in place of a file's URL. Runs before any parsing, because a schema would treat each of a million bytes
 * as a field.
 *
 * @throws SocialError `invalid_request` naming the first
 */
export function refuseBytes(body: unknown): void {
  const detail = findBytes(body, []);
  if (detail !== null) throw new SocialError("invalid_request", "The request is not valid.", { details: [detail] });
}

function findBytes(value: unknown, path: PropertyKey[]): ErrorDetail | null {
  if (isBytes(value)) return { field: fieldPath(path) || "body", code: "invalid_request", message: filesByAddress };
  if (typeof value !== "object" || value === null || path.length >= deepest) return null;
  for (const [key, inner] of Object.entries(value)) {
    const found = findBytes(inner, [...path, Array.isArray(value) ? Number(key) : key]);
    if (found !== null) return found;
  }
  return null;
}
