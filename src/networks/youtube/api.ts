import type * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { NetworkResponse } from "../contract/request.ts";

/** https://developers.google.com/youtube/v3/docs (2026-11) */
export const apiVersion = "v3";
export const apiHost = "www.googleapis.com";

type Parameters = Readonly<Record<string, string>>;

/** The address of one method: `https://www.googleapis.com/youtube/v3/{method}?…`. */
export function endpoint(method: string, parameters: Parameters): string {
  return addressOf(`youtube/${apiVersion}/${method}`, parameters);
}

/** The address of a method that takes a file. */
export function uploadEndpoint(method: string, parameters: Parameters): string {
  return addressOf(`upload/youtube/${apiVersion}/${method}`, parameters);
}

function addressOf(path: string, parameters: Parameters): string {
  const url = new URL(`https://${apiHost}/${path}`);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** A video as its viewers open it; a Short, too. https://developers.google.com/youtube/v3/docs/videos (2026-09) */
export function permalink(videoId: string): string {
  return `https://www.youtube.com/watch?v=${encodeURIComponent(videoId)}`;
}

/** @throws PublishingError `network_error` when a success does not hold what its method promises */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, response: NetworkResponse): z.infer<Schema> {
  const parsed = schema.safeParse(response.body);
  if (parsed.success) return parsed.data;
  throw new PublishingError("network_error", "An answer of YouTube's could not be read.");
}
