import { createHmac, timingSafeEqual } from "node:crypto";

/** HMAC-SHA256 over the parts, one directly after the other. */
export function hmacOf(key: string, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const hmac = createHmac("sha256", key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

/** Compares in constant time, so that a wrong signature does not show how much of it is right. */
export function isSame(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
