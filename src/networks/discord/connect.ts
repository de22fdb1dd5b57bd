import { z } from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { Connector } from "../contract/adapter.ts";
import type { Credentials, Identity } from "../contract/profile.ts";
import type { LoginContext } from "../contract/request.ts";
import { readBotIdentity, withBotToken } from "./bot.ts";
import { readKnown } from "./known.ts";
import { snowflake } from "./snowflake.ts";
import { parseWebhookAddress, readWebhookIdentity } from "./webhook.ts";

const botCredentials = documentedObject({
  /** The bot's token: discord.com/developers/applications → the application → Bot → Reset Token. */
  bot_token: z
    .string()
    .trim()
    .transform((token) => token.replace(/^Bot /, ""))
    // It goes into a header.
    .pipe(z.string().regex(/^[A-Za-z0-9_.-]{20,200}$/, "The token of a bot, as the developer portal shows it."))
    .describe("The bot's token: discord.com/developers/applications → the application → Bot → Reset Token."),
  /**
   * The channel to post into: with developer mode on, its menu has Copy Channel ID. Text, announcement, forum or
   * media.
   */
  channel_id: snowflake.describe(
    "The channel to post into: with developer mode on, its menu has Copy Channel ID. Text, announcement, forum or media.",
  ),
});

const webhookCredentials = documentedObject({
  /**
   * A webhook's address: the channel's settings → Integrations → Webhooks → Copy Webhook URL. Publishing only;
   * when an answer is lost, the post cannot be looked for.
   */
  webhook_url: z
    .string()
    .max(500)
    .describe(
      "A webhook's address: the channel's settings → Integrations → Webhooks → Copy Webhook URL. Publishing only; when an answer is lost, the post cannot be looked for.",
    ),
});

export const credentialsSchema = z.union([botCredentials, webhookCredentials]);

/**
 * A bot in a channel, or a webhook. There is no `refresh`: neither credential
 * runs out. And no `revoke`: a token or address that was handed in may be in
 * use elsewhere, and deleting the webhook would break that.
 */
export const connector: Connector<typeof credentialsSchema> = {
  credentials: credentialsSchema,

  async login(context, input) {
    const given = credentialsSchema.parse(input);
    if ("webhook_url" in given) return loginWithWebhook(context, given.webhook_url);
    const { bot_token, channel_id } = given;
    const identity = await readBotIdentity(context, { token: bot_token, channelId: channel_id }, "invalid_request");
    return { identity, credentials: lasting({ bot_token }) };
  },

  inspect(context) {
    const known = readKnown(context.profile);
    if (known.kind === "webhook")
      return readWebhookIdentity(context, { id: known.webhook_id, token: String(context.secret.webhook_token) });
    const bot = { token: String(context.secret.bot_token), channelId: known.channel_id };
    return readBotIdentity(context, bot, "profile_unavailable");
  },

  /** A webhook's address is its credential: such requests carry no header. */
  sign: (request, { secret }) =>
    typeof secret.bot_token === "string" ? withBotToken(request, secret.bot_token) : request,
};

async function loginWithWebhook(
  context: LoginContext,
  address: string,
): Promise<{ identity: Identity; credentials: Credentials }> {
  const webhook = parseWebhookAddress(address);
  if (webhook === null) {
    const message =
      "webhook_url: this is no webhook address of Discord's; it looks like https://discord.com/api/webhooks/<id>/<token>.";
    throw new PublishingError("invalid_request", message);
  }
  const identity = await readWebhookIdentity(context, webhook);
  return { identity, credentials: lasting({ webhook_token: webhook.token }) };
}

function lasting(secret: JsonObject): Credentials {
  return { secret, expires_at: null };
}
