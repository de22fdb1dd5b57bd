import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import { PublishingError } from "../../../wire/errors.ts";
import type { Json, JsonObject } from "../../../wire/json.ts";
import type { HookAnswer, HookEvent, HookRequest } from "../../contract/hooks.ts";
import { readHookJson } from "../hook-json.ts";

/** What an app's subscription names, so that a question whether we listen is known to come for it. */
export function verifyToken(secret: string): string {
  return createHmac("sha256", secret).update("hooks").digest("hex");
}

/**
 * `GET ?hub.mode=subscribe&hub.challenge=…&hub.verify_token=…`, which is answered with the challenge.
 * https://developers.facebook.com/docs/graph-api/webhooks/getting-started (2026-09)
 */
export function metaHandshake({ method, parameters }: HookRequest, secrets: readonly string[]): HookAnswer | null {
  if (method !== "GET") return null;
  const challenge = parameters.get("hub.challenge") ?? "";
  const token = parameters.get("hub.verify_token") ?? "";
  const isOurs = secrets.some((secret) => isSame(token, verifyToken(secret)));
  const isAsked = parameters.get("hub.mode") === "subscribe" && /^[\w.-]{1,200}$/.test(challenge);
  return isOurs && isAsked ? { status: 200, text: challenge } : { status: 403, text: "The verify token is wrong." };
}

/** `X-Hub-Signature-256: sha256=…`; null: there is none. https://developers.facebook.com/docs/messenger-platform/webhooks (2026-09) */
export function metaSignature(headers: Headers): string | null {
  const [, given] = /^sha256=([0-9a-f]{64})$/i.exec(headers.get("x-hub-signature-256") ?? "") ?? [];
  return given?.toLowerCase() ?? null;
}

/** Over the bytes as they came. https://developers.facebook.com/docs/messenger-platform/webhooks (2026-09) */
export function isSignedByMeta({ headers, bytes }: HookRequest, secrets: readonly string[]): boolean {
  const given = metaSignature(headers);
  if (given === null) return false;
  return secrets.some((secret) => isSame(given, createHmac("sha256", secret).update(bytes).digest("hex")));
}

function isSame(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

// Out of a parser of JSON: what is in it is not looked through once more.
const item = z.custom<JsonObject>((value) => typeof value === "object" && value !== null && !Array.isArray(value));
const bodySchema = z.object({
  object: z.string(),
  entry: z.array(
    z.object({
      id: z.union([z.string(), z.number()]).transform(String),
      time: z.number().nullish(),
      messaging: z.array(item).nullish(),
      /** What another app of the Page's answers at the moment. */
      standby: z.array(item).nullish(),
      changes: z.array(item).nullish(),
    }),
  ),
});

/** What stands in the entries, one by one: each has no id of its own, so that its hash is one. */
export function metaEvents({ bytes }: Pick<HookRequest, "bytes">, object: string): HookEvent[] {
  const parsed = bodySchema.safeParse(readHookJson(bytes));
  if (!parsed.success) throw new PublishingError("invalid_request", "The body is not a Meta webhook.");
  if (parsed.data.object !== object) return [];
  return parsed.data.entry.flatMap(({ id, time, messaging, standby, changes }) => {
    const toEvent = (body: JsonObject): HookEvent => ({ id: digestOf([id, time ?? null, body]), account: id, body });
    const messages = [...(messaging ?? []), ...(standby ?? [])].map((message) => toEvent({ messaging: message }));
    return [...messages, ...(changes ?? []).map((change) => toEvent({ change }))];
  });
}

function digestOf(value: Json): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}
