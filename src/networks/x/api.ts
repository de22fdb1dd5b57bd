import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { NetworkResponse } from "../contract/request.ts";

/** https://docs.x.com/x-api/introduction (2026-08) */
export const apiVersion = "2";
const base = `https://api.x.com/${apiVersion}`;

/** Ids are 64-bit numbers, too large for ours, so they stay text. https://github.com/xdevplatform/docs/blob/main/openapi.json (2026-08) */
export const xId = z.string().regex(/^\d{1,19}$/, "An id of X: up to 19 digits, as text.");

/** The address of one API route: `https://api.x.com/2/{steps joined by /}?…`. */
export function endpoint(steps: readonly string[], parameters: Readonly<Record<string, string>> = {}): string {
  const url = new URL(`${base}/${steps.map(encodeURIComponent).join("/")}`);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * A post as its readers open it. https://docs.x.com/x-api/direct-messages/manage/integrate (2026-08); that the one
 * without a handle leads there, too (unconfirmed).
 */
export function permalink(handle: string | null, postId: string): string {
  return `https://x.com/${handle === null ? "i" : encodeURIComponent(handle)}/status/${postId}`;
}

/** @throws PublishingError `network_error` when a success does not hold what its route promises */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, response: NetworkResponse): z.infer<Schema> {
  const parsed = schema.safeParse(response.body);
  if (parsed.success) return parsed.data;
  throw new PublishingError("network_error", "An answer of X's could not be read.");
}
