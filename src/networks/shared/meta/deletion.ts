import { createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import type { Deletion } from "../../contract/hooks.ts";

/** `issued_at`: when the user made the request, seconds. */
const payloadSchema = z
  .object({
    algorithm: z.literal("HMAC-SHA256"),
    user_id: z.string().regex(/^\d{1,30}$/),
    issued_at: z.int().min(0).nullish(),
  })
  .transform(({ user_id, issued_at }): Deletion => {
    // Includes the whole second.
    const before = issued_at == null ? null : (issued_at + 1) * 1_000;
    return { login: user_id, before };
  });

/**
 * Splits `signed_request` into a signature and the signed payload, both in base64url with a dot between them.
 * https://developers.facebook.com/docs/development/create-an-app/app-dashboard/data-deletion-callback (2026-09)
 */
function partsOf(bytes: Uint8Array): { signature: Buffer; payload: string } | null {
  const form = new URLSearchParams(new TextDecoder().decode(bytes));
  const [, given, payload] = /^([\w-]{1,100})\.([\w-]{1,5000})$/.exec(form.get("signed_request") ?? "") ?? [];
  return given === undefined || payload === undefined ? null : { signature: Buffer.from(given, "base64url"), payload };
}

/**
 * The user, by their id for the app, whose data Meta asks to delete. The sender is not verified. Null: the request does
 * not ask for a deletion.
 */
export function readDeletion(bytes: Uint8Array): Deletion | null {
  const payload = partsOf(bytes)?.payload;
  return payload === undefined ? null : (payloadSchema.safeParse(readPayload(payload)).data ?? null);
}

/** True: the request is signed by Meta. */
export function isDeletionSignedWith(bytes: Uint8Array, secret: string): boolean {
  const parts = partsOf(bytes);
  if (parts === null) return false;
  const right = createHmac("sha256", secret).update(parts.payload).digest();
  return right.length === parts.signature.length && timingSafeEqual(right, parts.signature);
}

function readPayload(payload: string): unknown {
  try {
    return JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
  } catch {
    return null;
  }
}
