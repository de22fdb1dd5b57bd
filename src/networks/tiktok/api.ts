import type { JsonObject } from "../../wire/json.ts";
import { withParameters } from "../shared/address.ts";
import { answersOf } from "../shared/answer.ts";

/** https://developers.tiktok.com/doc/content-posting-api-reference-direct-post (2026-11) */
export const apiVersion = "v2";
const apiHost = "open.tiktokapis.com";

/** Hosts of the API and of uploads: `open-upload.tiktokapis.com`, `upload.us.tiktokapis.com`. Same source. */
export const ownHosts = ".tiktokapis.com";

/** The URL of a method: `https://open.tiktokapis.com/v2/{method}/`. */
export function endpoint(method: string, fields: readonly string[] = []): string {
  const address = `https://${apiHost}/${apiVersion}/${method}/`;
  return fields.length === 0 ? address : withParameters(address, { fields: fields.join(",") });
}

/**
 * TikTok requires the charset. https://developers.tiktok.com/doc/content-posting-api-reference-direct-post (2026-11)
 */
export function jsonBody(json: JsonObject): { json: JsonObject; contentType: string } {
  return { json, contentType: "application/json; charset=UTF-8" };
}

/** The kind of a post in TikTok's URLs. */
export type PostKind = "video" | "photo";

/**
 * A post's public URL. Null: the account's name is unknown.
 * https://developers.tiktok.com/doc/tiktok-api-v2-video-object (2026-11); for photos, the URL is as on TikTok's own
 * site (unconfirmed).
 */
export function permalink(username: string | null, kind: PostKind, id: string): string | null {
  return username === null ? null : `https://www.tiktok.com/@${encodeURIComponent(username)}/${kind}/${id}`;
}

export const { readAnswer } = answersOf("TikTok");
