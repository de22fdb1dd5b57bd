import { createHash } from "node:crypto";
import type { KeySubject } from "../adapter.ts";

/**
 * The `Idempotency-Key` of one intent: the same for its repetitions, another
 * for the next intent, since the server answers a known key with the first
 * post even where that has been deleted meanwhile (then 404).
 *
 * @example idempotencyKey({ subjectId: "tgt_1", createdAt: 0, part: 0, number: 1 }) // "7b1c…-….", 36 characters
 */
export function idempotencyKey({ subjectId, part, number }: KeySubject): string {
  const digest = createHash("sha256").update(`${subjectId}/${part}/${number}`).digest("hex");
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    digest.slice(12, 16),
    digest.slice(16, 20),
    digest.slice(20, 32),
  ].join("-");
}
