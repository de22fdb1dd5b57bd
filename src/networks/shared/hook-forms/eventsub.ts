import * as z from "zod";
import type { HookAnswer, HookForm, HookRequest } from "../../contract/hooks.ts";
import { readHookJson } from "../hook-json.ts";
import { hmacOf, isSame } from "./hmac.ts";
import { isRecent, parseSentTime } from "./sent-time.ts";

/** https://dev.twitch.tv/docs/eventsub/handling-webhook-events (2026-09) */
const headerNames = {
  id: "twitch-eventsub-message-id",
  sentAt: "twitch-eventsub-message-timestamp",
  type: "twitch-eventsub-message-type",
  signature: "twitch-eventsub-message-signature",
} as const;

/** Empty: it is missing. */
export function eventsubHeader({ headers }: Pick<HookRequest, "headers">, name: keyof typeof headerNames): string {
  return headers.get(headerNames[name]) ?? "";
}

const signature = /^sha256=[0-9a-f]{64}$/;

/**
 * Twitch recommends ten minutes. But a repeated webhook keeps its time (unconfirmed), and messages cannot be read
 * later. Duplicates are recognized by id while the id is stored.
 */
const maxAgeSeconds = 6 * 24 * 3_600;

/**
 * A hexadecimal HMAC over id, time and the received bytes, with the subscription's secret.
 * https://dev.twitch.tv/docs/eventsub/handling-webhook-events (2026-09)
 */
export const eventsub: HookForm = {
  maxAgeSeconds,
  isSigned: (headers) => signature.test(eventsubHeader({ headers }, "signature")),
  handshake,
  isGenuine,
};

function isGenuine(request: HookRequest, keys: readonly string[]): boolean {
  const [id, sentAt] = [eventsubHeader(request, "id"), eventsubHeader(request, "sentAt")];
  if (!isRecent(parseSentTime(sentAt), { at: request.at, maxAgeSeconds })) return false;
  const given = eventsubHeader(request, "signature");
  return keys.some((key) => isSame(given, `sha256=${hmacOf(key, id, sentAt, request.bytes).toString("hex")}`));
}

const challengeSchema = z.object({ challenge: z.string().min(1).max(500) });

/** The response contains only the challenge. https://dev.twitch.tv/docs/eventsub/handling-webhook-events (2026-09) */
function handshake(request: HookRequest, keys: readonly string[]): HookAnswer | null {
  if (eventsubHeader(request, "type") !== "webhook_callback_verification" || !isGenuine(request, keys)) return null;
  const parsed = challengeSchema.safeParse(readHookJson(request.bytes));
  return parsed.success ? { status: 200, text: parsed.data.challenge } : null;
}
