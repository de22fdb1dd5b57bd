import type { Storage } from "../storage/storage.ts";
import { HttpFailure } from "./answer.ts";
import type { Bucket } from "./route.ts";

/** Maximum number of requests of one key in a window. */
export type RequestLimits = Readonly<Record<Bucket, number>>;

export const requestLimits: RequestLimits = { read: 120, publish: 30 };
export const windowMs = 60_000;

/**
 * Counts a request against its key's limit, in the store, so that all processes share it. Returns the rate limit
 * headers.
 *
 * @throws HttpFailure 429 with `Retry-After`
 */
export async function countRequest(
  storage: Storage,
  { keyId, bucket, limits }: { keyId: string; bucket: Bucket; limits: RequestLimits },
): Promise<Record<string, string>> {
  const now = await storage.now();
  const window = Math.floor(now / windowMs);
  const expiresAt = (window + 1) * windowMs;
  const used = await storage.increment({ key: `requests/${keyId}/${bucket}/${window}`, by: 1, now, expiresAt });
  const limit = limits[bucket];
  const reset = String(Math.ceil((expiresAt - now) / 1_000));
  const headers = {
    "ratelimit-limit": String(limit),
    "ratelimit-remaining": String(Math.max(0, limit - used)),
    "ratelimit-reset": reset,
  };
  if (used <= limit) return headers;
  const message = `More than ${limit} ${bucket === "publish" ? "publishing " : ""}requests a minute; wait ${reset} s.`;
  throw new HttpFailure({
    code: "rate_limited",
    status: 429,
    message,
    headers: { ...headers, "retry-after": reset },
  });
}
