import type { HookForm, HookRequest } from "../../contract/hooks.ts";
import { hmacOf, isSame } from "./hmac.ts";

/** Each attempt has its own time. https://github.com/standard-webhooks/standard-webhooks (2026-09) */
const maxAgeSeconds = 5 * 60;
/** Signatures in one header: one for each of the sender's secrets. */
const maxSignatures = 8;

/**
 * `webhook-signature: v1,… v1,…`, each an HMAC over id, time and the received bytes, with dots between them, in base64.
 * https://www.standardwebhooks.com (2026-09)
 *
 * The HMAC's key is the text of the secret as the network shows it, prefix included, as Whop does. The standard decodes
 * the part after the prefix (unconfirmed by Whop; nine public receivers encode the secret again for a library).
 */
export const standardWebhooks: HookForm = {
  maxAgeSeconds,
  isSigned: (headers) => signaturesIn(headers).length > 0,
  handshake: () => null,
  isGenuine,
};

/** Without a dot, which ends it. */
const idForm = /^[^.\s]{1,200}$/;

function isGenuine({ headers, bytes, at }: HookRequest, keys: readonly string[]): boolean {
  const id = headers.get("webhook-id") ?? "";
  const sentAt = headers.get("webhook-timestamp") ?? "";
  if (!idForm.test(id) || !/^\d{1,12}$/.test(sentAt)) return false;
  // The standard refuses times that are as far ahead, too.
  if (Math.abs(Math.floor(at / 1_000) - Number(sentAt)) > maxAgeSeconds) return false;
  const given = signaturesIn(headers);
  return keys.some((key) => {
    const right = `v1,${hmacOf(key, `${id}.${sentAt}.`, bytes).toString("base64")}`;
    return given.some((each) => isSame(each, right));
  });
}

/** Those of this version; there may be others beside them. */
function signaturesIn(headers: Headers): string[] {
  const given = (headers.get("webhook-signature") ?? "").split(" ", 2 * maxSignatures);
  return given.filter((each) => /^v1,[A-Za-z0-9+/]{43}=$/.test(each)).slice(0, maxSignatures);
}
