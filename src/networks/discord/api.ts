import type * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { NetworkResponse } from "../contract/request.ts";

/** https://docs.discord.com/developers/reference (2026-08) */
export const apiVersion = "v10";
const base = `https://discord.com/api/${apiVersion}`;

/** The address of one API route: `https://discord.com/api/v10/{steps joined by /}?…`. */
export function endpoint(steps: readonly string[], parameters: Readonly<Record<string, string>> = {}): string {
  // "@me" stands in paths as it is.
  const path = steps.map((step) => (step === "@me" ? step : encodeURIComponent(step))).join("/");
  const url = new URL(`${base}/${path}`);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** A message as its readers open it. */
export function permalink(guildId: string, channelId: string, messageId: string): string {
  return `https://discord.com/channels/${guildId}/${channelId}/${messageId}`;
}

/** @throws PublishingError `network_error` when a success does not hold what its route promises */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, response: NetworkResponse): z.infer<Schema> {
  const parsed = schema.safeParse(response.body);
  if (parsed.success) return parsed.data;
  throw new PublishingError("network_error", "An answer of Discord's could not be read.");
}
