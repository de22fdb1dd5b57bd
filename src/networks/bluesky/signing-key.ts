import { Buffer } from "node:buffer";
import { createECDH, createHash, createPrivateKey, sign } from "node:crypto";
import * as z from "zod";
import type { JsonObject } from "../../wire/json.ts";

/** 32 bytes in base64url. */
const coordinate = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

/** Drops all other fields. */
export const signingKeySchema = z.object({
  kty: z.literal("EC"),
  crv: z.literal("P-256"),
  x: coordinate,
  y: coordinate,
  d: coordinate,
});

/** A private key for ES256, as a JSON Web Key. https://www.rfc-editor.org/rfc/rfc7518#section-6.2 (2026-11) */
export interface SigningKey {
  /** The kind of key. */
  kty: "EC";
  /** The curve. */
  crv: "P-256";
  /** The x coordinate of the public point: 32 bytes in base64url. */
  x: string;
  /** The y coordinate: 32 bytes in base64url. */
  y: string;
  /** The private number: 32 bytes in base64url. */
  d: string;
}

/** The public part of a key. */
export type PublicKey = Omit<SigningKey, "d">;

/** The order of the curve. https://nvlpubs.nist.gov/nistpubs/SpecialPublications/NIST.SP.800-186.pdf (2026-11) */
const order = BigInt("0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
/** 16 more than the key has, so that all keys are practically equally likely. */
const seedBytes = 48;

/** Creates a key from the host's random source. */
export function newSigningKey(randomBytes: (length: number) => Uint8Array): SigningKey {
  const seed = BigInt(`0x${Buffer.from(randomBytes(seedBytes)).toString("hex")}`);
  const secret = Buffer.from(((seed % (order - 1n)) + 1n).toString(16).padStart(64, "0"), "hex");
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(secret);
  const point = pair.getPublicKey();
  const text = (bytes: Buffer): string => bytes.toString("base64url");
  return { kty: "EC", crv: "P-256", x: text(point.subarray(1, 33)), y: text(point.subarray(33)), d: text(secret) };
}

export function publicKeyOf({ kty, crv, x, y }: SigningKey): PublicKey {
  return { kty, crv, x, y };
}

/** A hash that is the same for the same key everywhere. https://www.rfc-editor.org/rfc/rfc7638#section-3 (2026-11) */
export function thumbprintOf({ crv, kty, x, y }: PublicKey): string {
  return createHash("sha256").update(JSON.stringify({ crv, kty, x, y })).digest("base64url");
}

/** https://www.rfc-editor.org/rfc/rfc7515#section-3.1 (2026-11) */
export function signedToken(header: JsonObject, payload: JsonObject, key: SigningKey): string {
  const encode = (part: JsonObject): string => Buffer.from(JSON.stringify(part)).toString("base64url");
  const text = `${encode({ ...header, alg: "ES256" })}.${encode(payload)}`;
  const privateKey = createPrivateKey({ key: { ...key }, format: "jwk" });
  const signature = sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return `${text}.${signature.toString("base64url")}`;
}
