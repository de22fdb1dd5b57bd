import * as z from "zod";
import { knownReader } from "../shared/known.ts";
import { snowflake } from "./snowflake.ts";

const botSchema = z.object({
  kind: z.literal("bot"),
  guild_id: snowflake,
  channel_id: snowflake,
  channel_type: z.enum(["text", "announcement", "forum", "media"]),
  bot_user_id: snowflake,
  /** True: a forum that requires a tag on each post. */
  needs_tag: z.boolean(),
});

const webhookSchema = z.object({
  kind: z.literal("webhook"),
  webhook_id: snowflake,
  /** Null: unknown, so posts have no permalinks. */
  guild_id: snowflake.nullable(),
  channel_id: snowflake.nullable(),
  /** Null, because a webhook does not say what kind of channel it posts into. */
  channel_type: z.null(),
});

export type KnownBot = z.infer<typeof botSchema>;
export type KnownWebhook = z.infer<typeof webhookSchema>;
export type Known = KnownBot | KnownWebhook;

const knownSchema = z.discriminatedUnion("kind", [botSchema, webhookSchema]);

export const readKnown = knownReader(knownSchema);

/** True: a forum or media channel, which holds only threads. A post there is a thread with its first message. */
export function holdsThreads(known: Known): known is KnownBot {
  return known.channel_type === "forum" || known.channel_type === "media";
}
