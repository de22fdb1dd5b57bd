import { hash } from "node:crypto";
import type { Ids } from "../ports/ids.ts";

const prefix = "service_live_";
const secretBytes = 32;
/** 32 bytes, then the beginning of their checksum, both in base64url. */
const shape = /^service_live_([\w-]{43})([\w-]{6})$/;

/** Creates an API key. */
export function createToken(ids: Ids): string {
  const secret = Buffer.from(ids.bytes(secretBytes)).toString("base64url");
  return prefix + secret + checksumOf(secret);
}

/** False: it cannot be a valid key, like most guesses. Saves a query of the store. */
export function isWellFormed(token: string): boolean {
  const [, secret = "", checksum] = shape.exec(token) ?? [];
  return secret !== "" && checksum === checksumOf(secret);
}

/**
 * The stored form of a key. SHA-256 is enough: 256 random bits cannot be guessed, and the time to find a row by its
 * hash reveals nothing.
 */
export function hashOfToken(token: string): string {
  return hash("sha256", token);
}

/** Detects typing errors; it has no security purpose. */
function checksumOf(secret: string): string {
  return hash("sha256", secret, "base64url").slice(0, 6);
}
