import type * as z from "zod";
import type { NetworkResponse } from "../contract/request.ts";
import { readGraphAnswer } from "../shared/meta/graph.ts";

/** The same as graph.threads.com. https://developers.facebook.com/docs/threads/changelog (2025-06) */
export const host = "graph.threads.net";
/** Threads' own, whatever the Graph API's is. */
export const apiVersion = "v1.0";

/** The address of one route: `https://graph.threads.net/v1.0/{steps joined by /}?…`. */
export function endpoint(steps: readonly string[], parameters: Readonly<Record<string, string>> = {}): string {
  const path = [apiVersion, ...steps].map(encodeURIComponent).join("/");
  const url = new URL(`https://${host}/${path}`);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** @throws PublishingError `network_error` when a success does not hold what its route promises */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, response: NetworkResponse): z.infer<Schema> {
  return readGraphAnswer("Threads", schema, response);
}
