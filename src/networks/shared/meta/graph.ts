import type { Connector, SignedPart } from "../../contract/adapter.ts";
import { endpointsBelow, type Parameters } from "../address.ts";
import { withBearer } from "../bearer.ts";

/** The URL of a Graph API route: `https://{host}/{version}/{steps joined by /}?…`. */
export function graphAddress(
  { host, version }: { host: string; version: string },
  steps: readonly string[],
  parameters: Parameters = {},
): string {
  return endpointsBelow(`https://${host}/${version}`)(steps, parameters);
}

/** Meta's host for video uploads. https://developers.facebook.com/docs/video-api/guides/reels-publishing (2026-09) */
export const uploadHost = "rupload.facebook.com";

/**
 * Adds the token. Uploads need a different word before it.
 * https://developers.facebook.com/docs/instagram-platform/content-publishing (2026-09), and the source of `uploadHost`
 */
export function withToken<Signed extends SignedPart>(request: Signed, token: string): Signed {
  if (new URL(request.url).host !== uploadHost) return withBearer(request, token);
  return { ...request, headers: { ...request.headers, authorization: `OAuth ${token}` } };
}

/** `Connector.sign` for secrets that hold the token as `access_token`. */
export const signForGraph: Connector["sign"] = (request, { secret }) => withToken(request, String(secret.access_token));
