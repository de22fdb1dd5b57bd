import type { Hmac } from "./signature.ts";

const algorithm = { name: "HMAC", hash: "SHA-256" };
const encoder = new TextEncoder();

export const hmacByWebCrypto: Hmac = async (secret, start, body) => {
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, joined(encoder.encode(start), body)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
};

function joined(start: Uint8Array, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const end = typeof body === "string" ? encoder.encode(body) : body;
  const whole = new Uint8Array(start.length + end.length);
  whole.set(start);
  whole.set(end, start.length);
  return whole;
}
