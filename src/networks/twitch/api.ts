import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { NetworkResponse } from "../contract/request.ts";

/** Of the API "Helix", which has no versions. https://dev.twitch.tv/docs/api/reference (2026-02) */
const base = "https://api.twitch.tv/helix";

/** A number as text. https://dev.twitch.tv/docs/api/reference (2026-02) */
export const twitchId = z.string().regex(/^\d{1,20}$/, "An id of Twitch: up to 20 digits, as text.");

/** The address of one API route: `https://api.twitch.tv/helix/{path}?…`. */
export function endpoint(path: string, parameters: Readonly<Record<string, string>> = {}): string {
  const url = new URL(`${base}/${path}`);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** @throws PublishingError `network_error` when a success does not hold what its route promises */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, response: NetworkResponse): z.infer<Schema> {
  const parsed = schema.safeParse(response.body);
  if (parsed.success) return parsed.data;
  throw new PublishingError("network_error", "An answer of Twitch's could not be read.");
}
