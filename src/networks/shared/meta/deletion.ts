import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { HookRequest } from "../../contract/hooks.ts";

const payloadSchema = z.object({ algorithm: z.literal("HMAC-SHA256"), user_id: z.string().regex(/^\d{1,30}$/) });

/**
 * Whose data Meta asks to be deleted: their id for the app. `signed_request` is a signature and what is signed, each in
 * base64url, with a dot in between. Null: it is not Meta's.
 * https://developers.facebook.com/docs/development/create-an-app/app-dashboard/data-deletion-callback (2026-09)
 */
export function deletedPerson({ bytes }: HookRequest, secrets: readonly string[]): string | null {
  const form = new URLSearchParams(new TextDecoder().decode(bytes));
  const [, given, payload] = /^([\w-]{1,100})\.([\w-]{1,5000})$/.exec(form.get("signed_request") ?? "") ?? [];
  if (given === undefined || payload === undefined) return null;
  const signature = Buffer.from(given, "base64url");
  const isGenuine = secrets.some((secret) => {
    const right = createHmac("sha256", secret).update(payload).digest();
    return right.length === signature.length && timingSafeEqual(right, signature);
  });
  return isGenuine ? (payloadSchema.safeParse(readPayload(payload)).data?.user_id ?? null) : null;
}

function readPayload(payload: string): unknown {
  try {
    return JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
  } catch {
    return null;
  }
}
