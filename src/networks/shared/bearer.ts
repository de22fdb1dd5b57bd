import * as z from "zod";
import type { SignedPart } from "../contract/adapter.ts";

/** A token as a caller gives it: it goes into headers and forms. */
export const bearerToken = z
  .string()
  .max(4_096)
  .regex(/^[\x21-\x7e]+$/, "A token has no spaces.");

/** The request with a token that shows in whose name it comes. https://www.rfc-editor.org/rfc/rfc6750#section-2.1 (2026-11) */
export function withBearer<Request extends SignedPart>(request: Request, token: string): Request {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}
