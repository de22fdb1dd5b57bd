import * as z from "zod";
import type { Connector, SignedPart } from "../contract/adapter.ts";
import type { LoginContext } from "../contract/request.ts";

/** A token as a caller gives it: it goes into headers and forms. */
export const bearerToken = z
  .string()
  .max(4_096)
  .regex(/^[\x21-\x7e]+$/, "A token must not contain spaces.");

/** The request with a token that shows in whose name it comes. https://www.rfc-editor.org/rfc/rfc6750#section-2.1 (2026-11) */
export function withBearer<Request extends SignedPart>(request: Request, token: string): Request {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}

/** `Connector.sign`, where the secret holds the token as `access_token`. */
export const signWithAccessToken: Connector["sign"] = (request, { secret }) =>
  withBearer(request, String(secret.access_token));

/** What a login works with once there is a token: each request carries it, as a profile's own will by itself. */
export function inNameOf({ now, request }: LoginContext, token: string): LoginContext {
  return { now, request: (asked) => request(withBearer(asked, token)) };
}
