import * as z from "zod";
import type { Connector, SignedPart } from "../contract/adapter.ts";
import type { LoginContext } from "../contract/request.ts";

/** A token from a caller. It goes into headers and forms. */
export const bearerToken = z
  .string()
  .max(4_096)
  .regex(/^[\x21-\x7e]+$/, "A token must not contain spaces.");

/** Adds the bearer token to a request. https://www.rfc-editor.org/rfc/rfc6750#section-2.1 (2026-11) */
export function withBearer<Request extends SignedPart>(request: Request, token: string): Request {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}

/** `Connector.sign` for secrets that hold the token as `access_token`. */
export const signWithAccessToken: Connector["sign"] = (request, { secret }) =>
  withBearer(request, String(secret.access_token));

/** A login context whose requests carry this token. A profile's requests get theirs automatically. */
export function inNameOf({ now, request }: LoginContext, token: string): LoginContext {
  return { now, request: (asked) => request(withBearer(asked, token)) };
}
