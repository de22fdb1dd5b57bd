import { createPublicKey, type KeyObject, verify } from "node:crypto";
import type { HookForm, HookRequest } from "../../contract/hooks.ts";
import { isRecent, parseSentTime } from "./sent-time.ts";

/**
 * A day, after which Kick ends a subscription that fails (2025-12). A repeated webhook may keep its time (unconfirmed),
 * and messages cannot be read later.
 */
const maxAgeSeconds = 24 * 3_600;

/**
 * An RSA signature (PKCS #1 v1.5, SHA-256) over id, time and the received bytes, with dots between them, in base64. A
 * key is the network's public key in PEM. https://docs.kick.com/events/webhook-security (2026-09)
 */
export const rsa: HookForm = {
  maxAgeSeconds,
  isSigned: (headers) => signatureIn(headers) !== null,
  handshake: () => null,
  isGenuine,
};

/** Without a dot, which ends it. */
const idForm = /^[\w-]{1,200}$/;

function isGenuine({ headers, bytes, at }: HookRequest, keys: readonly string[]): boolean {
  const id = headers.get("kick-event-message-id") ?? "";
  const sentAt = headers.get("kick-event-message-timestamp") ?? "";
  const given = signatureIn(headers);
  if (given === null || !idForm.test(id)) return false;
  if (!isRecent(parseSentTime(sentAt), { at, maxAgeSeconds })) return false;
  const signed = Buffer.concat([Buffer.from(`${id}.${sentAt}.`), bytes]);
  return keys.some((pem) => isSignedBy(pem, signed, given));
}

/** Null: there is none in exactly this form. Node would decode others, too. */
function signatureIn(headers: Headers): Buffer | null {
  const given = headers.get("kick-event-signature") ?? "";
  if (given.length < 4 || given.length > 1_400) return null;
  const bytes = Buffer.from(given, "base64");
  return bytes.toString("base64") === given ? bytes : null;
}

function isSignedBy(pem: string, signed: Buffer, given: Buffer): boolean {
  const key = keyOf(pem);
  try {
    return key !== null && verify("sha256", signed, key, given);
  } catch {
    return false;
  }
}

/** The key that was read last, because reading takes five times as long as verifying. */
let lastRead: { pem: string; key: KeyObject | null } | null = null;

function keyOf(pem: string): KeyObject | null {
  if (lastRead?.pem !== pem) lastRead = { pem, key: readKey(pem) };
  return lastRead.key;
}

/** Null: it is not an RSA key. */
function readKey(pem: string): KeyObject | null {
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === "rsa" ? key : null;
  } catch {
    return null;
  }
}
