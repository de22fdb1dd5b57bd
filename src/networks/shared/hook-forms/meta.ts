import type { HookAnswer, HookForm, HookRequest } from "../../contract/hooks.ts";
import { hmacOf, isSame } from "./hmac.ts";

/**
 * `X-Hub-Signature-256: sha256=…`, a hexadecimal HMAC over the bytes as received, with the app's secret.
 * https://developers.facebook.com/docs/messenger-platform/webhooks (2026-09)
 */
export const meta: HookForm = {
  maxAgeSeconds: null,
  isSigned: (headers) => signatureIn(headers) !== null,
  handshake,
  isGenuine({ headers, bytes }, keys) {
    const given = signatureIn(headers);
    return given !== null && keys.some((key) => isSame(given, hmacOf(key, bytes).toString("hex")));
  },
};

function signatureIn(headers: Headers): string | null {
  const [, given] = /^sha256=([0-9a-f]{64})$/i.exec(headers.get("x-hub-signature-256") ?? "") ?? [];
  return given?.toLowerCase() ?? null;
}

/** The verify token of an app's subscription. It proves that a verification request is for this subscription. */
export function verifyToken(secret: string): string {
  return hmacOf(secret, "hooks").toString("hex");
}

/**
 * Responds to `GET ?hub.mode=subscribe&hub.challenge=…&hub.verify_token=…` with the challenge.
 * https://developers.facebook.com/docs/graph-api/webhooks/getting-started (2026-09)
 */
function handshake({ method, parameters }: HookRequest, keys: readonly string[]): HookAnswer | null {
  if (method !== "GET") return null;
  const challenge = parameters.get("hub.challenge") ?? "";
  const token = parameters.get("hub.verify_token") ?? "";
  const isOurs = keys.some((key) => isSame(token, verifyToken(key)));
  const isAsked = parameters.get("hub.mode") === "subscribe" && /^[\w.-]{1,200}$/.test(challenge);
  return isOurs && isAsked ? { status: 200, text: challenge } : { status: 403, text: "The verify token is wrong." };
}
