import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { Identity } from "../contract/profile.ts";
import type { LoginContext } from "../contract/request.ts";
import { endpoint, readAnswer } from "./api.ts";
import type { KnownWebhook } from "./known.ts";
import { snowflake } from "./snowflake.ts";

/** Where Discord hands such addresses out; they all lead to the same API. */
const hosts: ReadonlySet<string> = new Set(["discord.com", "ptb.discord.com", "canary.discord.com", "discordapp.com"]);
const path = /^\/api(?:\/v\d{1,2})?\/webhooks\/(\d{5,20})\/([A-Za-z0-9_-]{20,200})\/?$/;

/** A webhook address, taken apart. The token is the secret. */
export interface WebhookAddress {
  id: string;
  token: string;
}

/** Null when it is no webhook address of Discord's. The address is never repeated in an error. */
export function parseWebhookAddress(address: string): WebhookAddress | null {
  const text = address.trim();
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isPlain = url.protocol === "https:" && url.port === "" && url.username === "" && url.password === "";
  if (!isPlain || url.search !== "" || url.hash !== "" || !hosts.has(url.hostname)) return null;
  const [, id, token] = path.exec(url.pathname) ?? [];
  return id === undefined || token === undefined ? null : { id, token };
}

const webhookSchema = z.object({
  id: snowflake,
  type: z.number(),
  name: z.string().nullish(),
  avatar: z.string().nullish(),
  guild_id: snowflake.nullish(),
  channel_id: snowflake.nullish(),
});

/** An incoming webhook; 2 follows another channel and 3 belongs to an app. https://docs.discord.com/developers/resources/webhook (2026-08) */
const incoming = 1;

/**
 * A webhook is known by its own id, not by its channel: a channel may have
 * several, each with its own name, and a webhook can be moved to another one.
 */
export async function readWebhookIdentity(
  context: Pick<LoginContext, "request">,
  address: WebhookAddress,
): Promise<Identity> {
  const response = await context.request({ method: "GET", url: endpoint(["webhooks", address.id, address.token]) });
  const webhook = readAnswer(webhookSchema, response);
  if (webhook.type !== incoming)
    throw new PublishingError("invalid_request", "webhook_url: it must be an incoming webhook.");
  const { guild_id = null, channel_id = null } = webhook;
  const known: KnownWebhook = { kind: "webhook", webhook_id: webhook.id, guild_id, channel_id, channel_type: null };
  return {
    external_id: `webhook:${webhook.id}`,
    name: webhook.name ?? "Discord webhook",
    handle: null,
    avatar_url:
      webhook.avatar == null ? null : `https://cdn.discordapp.com/avatars/${webhook.id}/${webhook.avatar}.png`,
    url: guild_id === null || channel_id === null ? null : `https://discord.com/channels/${guild_id}/${channel_id}`,
    scopes: [],
    limits: {},
    host: null,
    account_facts: known,
  };
}
