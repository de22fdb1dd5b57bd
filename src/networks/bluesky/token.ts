import { Buffer } from "node:buffer";
import * as z from "zod";

const claims = z.object({ exp: z.number().nullish(), scope: z.string().nullish() });

/** The claims of a session token. They are decoded but not verified, because the server that issued the token does that. */
export interface TokenClaims {
  /** When it expires, milliseconds since 1970. Null: it does not say. */
  expires_at: number | null;
  /** `com.atproto.appPass`, `com.atproto.appPassPrivileged` (may read messages) or `com.atproto.access` (the account's own password). */
  scope: string | null;
}

export function readClaims(token: string): TokenClaims {
  const parsed = claims.safeParse(payload(token));
  if (!parsed.success) return { expires_at: null, scope: null };
  const { exp, scope } = parsed.data;
  return { expires_at: exp == null ? null : exp * 1000, scope: scope ?? null };
}

function payload(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
  } catch {
    return null;
  }
}
