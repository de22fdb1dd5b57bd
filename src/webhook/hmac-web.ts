import type { Hmac } from "./signature.ts";

const algorithm = { name: "HMAC", hash: "SHA-256" };

export const hmacByWebCrypto: Hmac = async (secret, message) => {
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, ["sign"]);
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, message));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
};
