import { createHash } from "node:crypto";
import type { KeySubject } from "../contract/commit.ts";

/**
 * The `Idempotency-Key` of a part. It is the same for the same body, so a server that supports it drops a repeated
 * request (for an hour).
 *
 * @example idempotencyKey({ subjectId: "tgt_1", createdAt: 0, part: 0, bodyHash: "9f86…" }) // "7b1c…-….", 36 characters
 */
export function idempotencyKey({ subjectId, part, bodyHash }: KeySubject): string {
  const digest = createHash("sha256").update(`${subjectId}/${part}/${bodyHash}`).digest("hex");
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    digest.slice(12, 16),
    digest.slice(16, 20),
    digest.slice(20, 32),
  ].join("-");
}
