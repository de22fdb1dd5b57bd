import * as z from "zod";
import { formBody, jsonBody, type SandboxRequest } from "../exchange.ts";

export const flag = z.enum(["true", "false"]).transform((text) => text === "true");

/**
 * URLs must be US-ASCII.
 * https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media (2026-09)
 */
export const pulledAddress = z.url({ protocol: /^https?$/ }).regex(/^[\x21-\x7e]+$/);

/** A field that contains JSON as text. */
export function json<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue("no JSON");
        return z.NEVER;
      }
    })
    .pipe(schema);
}

/** The fields of a form or of JSON; the URL's query counts, too. */
export async function fieldsOf(request: SandboxRequest): Promise<Record<string, unknown>> {
  const { access_token: _, ...query } = Object.fromEntries(request.url.searchParams);
  if (request.bytes.length === 0) return query;
  const isJson = request.headers.get("content-type")?.startsWith("application/json") === true;
  const body = isJson ? jsonBody(request) : Object.fromEntries((await formBody(request)) ?? []);
  return { ...query, ...(typeof body === "object" ? body : {}) };
}
