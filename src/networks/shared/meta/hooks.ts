import { createHash } from "node:crypto";
import * as z from "zod";
import { PublishingError } from "../../../wire/errors.ts";
import type { Json, JsonObject } from "../../../wire/json.ts";
import type { HookEvent, HookRequest } from "../../contract/hooks.ts";
import { readHookJson } from "../hook-json.ts";

// The value comes from a JSON parser, so its content is not validated again.
const item = z.custom<JsonObject>((value) => typeof value === "object" && value !== null && !Array.isArray(value));
const bodySchema = z.object({
  object: z.string(),
  entry: z.array(
    z.object({
      id: z.union([z.string(), z.number()]).transform(String),
      time: z.number().nullish(),
      messaging: z.array(item).nullish(),
      /** Messages while another app handles the Page's conversation. */
      standby: z.array(item).nullish(),
      changes: z.array(item).nullish(),
    }),
  ),
});

/** Splits the entries into events. They have no ids, so a hash is the id. */
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
