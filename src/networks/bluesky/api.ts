import { type Parameters, withParameters } from "../shared/address.ts";
import { answersOf } from "../shared/answer.ts";

/** The URL of an XRPC method on a server: `https://{host}/xrpc/{method}?…`. https://atproto.com/specs/xrpc (2026-08) */
export function xrpc(server: string, method: string, parameters: Parameters = {}): string {
  return withParameters(new URL(`/xrpc/${method}`, server).href, parameters);
}

/** https://web.plc.directory/api/redoc (2026-08) */
export const directory = "https://plc.directory";

/** Public methods. Requests to them carry no credential, so that an expired one cannot make them fail. */
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

export const { readAnswer, getAnswer } = answersOf("Bluesky");
