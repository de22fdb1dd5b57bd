import type { HookAnswer, HookForm, HookRequest } from "../../contract/hooks.ts";
import { hmacOf, isSame } from "./hmac.ts";

const signature = /^sha256=[A-Za-z0-9+/]{43}=$/;

/**
 * `x-twitter-webhooks-signature: sha256=…`, an HMAC over the bytes as received, in base64, with the app's consumer
 * secret. https://docs.x.com/x-api/webhooks/quickstart (2026-09)
 */
export const x: HookForm = {
  maxAgeSeconds: null,
  isSigned: (headers) => signature.test(signatureIn(headers)),
  handshake,
  isGenuine({ headers, bytes }, keys) {
    const given = signatureIn(headers);
    return keys.some((key) => isSame(given, signatureOf(key, bytes)));
  },
};

function signatureIn(headers: Headers): string {
  return headers.get("x-twitter-webhooks-signature") ?? "";
}

function signatureOf(key: string, signed: string | Uint8Array): string {
  return `sha256=${hmacOf(key, signed).toString("base64")}`;
}

/**
 * Anyone can ask for the response, and it is what an event with these bytes would be signed with. No event consists of
 * these characters, because it is a JSON object.
 */
const tokenForm = /^[\w+/=.-]{1,500}$/;

/**
 * Responds to `GET ?crc_token=…` with the token's HMAC, for which X waits ten seconds at most.
 * https://docs.x.com/x-api/webhooks/quickstart (2026-09)
 */
function handshake({ method, parameters }: HookRequest, [key]: readonly string[]): HookAnswer | null {
  const token = parameters.get("crc_token") ?? "";
  if (method !== "GET" || key === undefined || !tokenForm.test(token)) return null;
  return { status: 200, type: "application/json", text: JSON.stringify({ response_token: signatureOf(key, token) }) };
}
