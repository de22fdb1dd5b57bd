import { Buffer } from "node:buffer";
import { createHash, createPublicKey, type JsonWebKey, verify } from "node:crypto";
import * as z from "zod";
import type { JsonObject } from "../../wire/json.ts";

/** A public key for ES256; a key with its private part is rejected. */
export const publicKeySchema = z.looseObject({
  kty: z.literal("EC"),
  crv: z.literal("P-256"),
  x: z.string(),
  y: z.string(),
  d: z.undefined().optional(),
});

/** The public part of a key. */
export type PublicKey = Pick<z.infer<typeof publicKeySchema>, "kty" | "crv" | "x" | "y">;

export interface ReadToken {
  header: JsonObject;
  payload: JsonObject;
  isSignedBy(key: PublicKey): boolean;
}

/** A signed JSON Web Token; null: it is not one. https://www.rfc-editor.org/rfc/rfc7515#section-3.1 (2026-11) */
export function readToken(text: string): ReadToken | null {
  const [header, payload, signature, ...more] = text.split(".");
  if (header === undefined || payload === undefined || signature === undefined || more.length > 0) return null;
  try {
    const parse = (part: string): JsonObject => JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return {
      header: parse(header),
      payload: parse(payload),
      isSignedBy(key) {
        const publicKey = createPublicKey({ key: key as JsonWebKey, format: "jwk" });
        const signed = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
        return verify("sha256", Buffer.from(`${header}.${payload}`), signed, Buffer.from(signature, "base64url"));
      },
    };
  } catch {
    return null;
  }
}

/** https://www.rfc-editor.org/rfc/rfc7638#section-3 (2026-11) */
export function thumbprintOf({ crv, kty, x, y }: PublicKey): string {
  return hashOf(JSON.stringify({ crv, kty, x, y }));
}

/** SHA-256 in base64url. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
