import * as z from "zod";
import { knownReader } from "../shared/known.ts";
import { snowflake } from "./snowflake.ts";

const botSchema = z.object({
  kind: z.literal("bot"),
  guild_id: snowflake,
  channel_id: snowflake,
  channel_type: z.enum(["text", "announcement", "forum", "media"]),
  bot_user_id: snowflake,
  /** A forum that takes no post without a tag. */
  needs_tag: z.boolean(),
});

const webhookSchema = z.object({
  kind: z.literal("webhook"),
  webhook_id: snowflake,
  /** Null: permalinks are not known. */
  guild_id: snowflake.nullable(),
  channel_id: snowflake.nullable(),
  /** A webhook does not say what kind of channel it posts into. */
  channel_type: z.null(),
});

export type KnownBot = z.infer<typeof botSchema>;
export type KnownWebhook = z.infer<typeof webhookSchema>;
export type Known = KnownBot | KnownWebhook;

const knownSchema = z.discriminatedUnion("kind", [botSchema, webhookSchema]);

export const readKnown = knownReader(knownSchema);

/** Forum and media channels hold threads only: a post there is a thread with its first message. */
export function holdsThreads(known: Known): known is KnownBot {
  return known.channel_type === "forum" || known.channel_type === "media";
}
