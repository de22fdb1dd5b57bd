import type { NetworkRequest } from "../../contract/request.ts";

/**
 * The request with a token on it; undefined: as it is, for a context that puts the profile's own on.
 * https://developers.facebook.com/docs/instagram-platform/content-publishing (2026-09)
 */
export function withToken<Signed extends { headers?: NetworkRequest["headers"] }>(
  request: Signed,
  token: string | undefined,
): Signed {
  return token === undefined
    ? request
    : { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}
