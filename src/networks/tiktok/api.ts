import type * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { NetworkResponse } from "../contract/request.ts";

/** https://developers.tiktok.com/doc/content-posting-api-reference-direct-post (2026-11) */
export const apiVersion = "v2";
const apiHost = "open.tiktokapis.com";

/** Of files, too: `open-upload.tiktokapis.com`, `upload.us.tiktokapis.com`. Same source. */
export const ownHosts = ".tiktokapis.com";

/** The address of one method: `https://open.tiktokapis.com/v2/{method}/`. */
export function endpoint(method: string, fields: readonly string[] = []): string {
  const url = new URL(`https://${apiHost}/${apiVersion}/${method}/`);
  if (fields.length > 0) url.searchParams.set("fields", fields.join(","));
  return url.href;
}

/** TikTok asks for the charset. https://developers.tiktok.com/doc/content-posting-api-reference-direct-post (2026-11) */
export function jsonBody(json: JsonObject): { json: JsonObject; contentType: string } {
  return { json, contentType: "application/json; charset=UTF-8" };
}

/** What TikTok says that a post is, in its addresses. */
export type PostKind = "video" | "photo";

/**
 * A post as its viewers open it; null: nobody knows the account's name.
 * https://developers.tiktok.com/doc/tiktok-api-v2-video-object (2026-11); that of photos is what TikTok's own site uses (unconfirmed).
 */
export function permalink(username: string | null, kind: PostKind, id: string): string | null {
  return username === null ? null : `https://www.tiktok.com/@${encodeURIComponent(username)}/${kind}/${id}`;
}

/** @throws PublishingError `network_error` when a success does not hold what its method promises */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, response: NetworkResponse): z.infer<Schema> {
  const parsed = schema.safeParse(response.body);
  if (parsed.success) return parsed.data;
  throw new PublishingError("network_error", "An answer of TikTok's could not be read.");
}
