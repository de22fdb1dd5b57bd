import type * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { NetworkResponse } from "../contract/request.ts";

/** The address of one XRPC method on a server: `https://{host}/xrpc/{method}?…`. https://atproto.com/specs/xrpc (2026-08) */
export function xrpc(server: string, method: string, parameters: Readonly<Record<string, string>> = {}): string {
  const url = new URL(`/xrpc/${method}`, server);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** https://web.plc.directory/api/redoc (2026-08) */
export const directory = "https://plc.directory";

/**
 * Methods that anybody may call. They are asked without a credential, so that
 * an expired one cannot turn a plain answer into a refusal.
 */
const publicMethods: ReadonlySet<string> = new Set([
  "com.atproto.identity.resolveHandle",
  "com.atproto.repo.getRecord",
  "com.atproto.server.describeServer",
  "app.bsky.video.getJobStatus",
]);

export function isPublic(url: string): boolean {
  const { origin, pathname } = new URL(url);
  return origin === directory || publicMethods.has(pathname.slice("/xrpc/".length));
}

/** @throws PublishingError `network_error` when a success does not hold what its method promises */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, response: NetworkResponse): z.infer<Schema> {
  const parsed = schema.safeParse(response.body);
  if (parsed.success) return parsed.data;
  throw new PublishingError("network_error", "An answer of Bluesky's could not be read.");
}
