import type * as z from "zod";
import { PublishingError } from "../../../wire/errors.ts";
import type { SignedPart } from "../../contract/adapter.ts";
import type { NetworkResponse } from "../../contract/request.ts";
import { withBearer } from "../bearer.ts";

/** The address of one route of a Graph API: `https://{host}/{version}/{steps joined by /}?…`. */
export function graphAddress(
  { host, version }: { host: string; version: string },
  steps: readonly string[],
  parameters: Readonly<Record<string, string>> = {},
): string {
  const path = [version, ...steps].map(encodeURIComponent).join("/");
  const url = new URL(`https://${host}/${path}`);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * @param name the network, as it writes itself
 * @throws PublishingError `network_error` when a success does not hold what its route promises
 */
export function readGraphAnswer<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  response: NetworkResponse,
): z.infer<Schema> {
  const parsed = schema.safeParse(response.body);
  if (parsed.success) return parsed.data;
  throw new PublishingError("network_error", `An answer of ${name}'s could not be read.`);
}

/** Where Meta takes videos. https://developers.facebook.com/docs/video-api/guides/reels-publishing (2026-09) */
export const uploadHost = "rupload.facebook.com";

/** Uploads want another word before the token. https://developers.facebook.com/docs/instagram-platform/content-publishing (2026-09), and as for `uploadHost` */
export function withToken<Signed extends SignedPart>(request: Signed, token: string | undefined): Signed {
  if (token === undefined) return request;
  if (new URL(request.url).host !== uploadHost) return withBearer(request, token);
  return { ...request, headers: { ...request.headers, authorization: `OAuth ${token}` } };
}
