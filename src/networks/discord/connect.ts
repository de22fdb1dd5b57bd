import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { Connector } from "../contract/adapter.ts";
import type { Credentials, Identity } from "../contract/profile.ts";
import type { LoginContext, NetworkContext } from "../contract/request.ts";
import { defined } from "../shared/defined.ts";
import { endpoint } from "./api.ts";
import { readBotIdentity, withBotToken } from "./bot.ts";
import { browserLogin } from "./browser.ts";
import { readKnown } from "./known.ts";
import type { DiscordAppSetting } from "./oauth.ts";
import { snowflake } from "./snowflake.ts";
import { parseWebhookAddress, readWebhookIdentity } from "./webhook.ts";

const clientId = z
  .string()
  .max(100)
  .optional()
  .describe("The app of the browser sign-in that issued it. Leave it out for credentials entered by hand.");

const botCredentials = documentedObject({
  /** The bot's token: discord.com/developers/applications → the application → Bot → Reset Token. */
  bot_token: z
    .string()
    .trim()
    .transform((token) => token.replace(/^Bot /, ""))
    // It goes into a header.
    .pipe(z.string().regex(/^[A-Za-z0-9_.-]{20,200}$/, "A bot token, as in the developer portal."))
    .describe("The bot's token: discord.com/developers/applications → the application → Bot → Reset Token."),
  /**
   * Id of the channel to post into: with developer mode on, use Copy Channel ID in its menu. A text, announcement,
   * forum or media channel.
   */
  channel_id: snowflake.describe(
    "Id of the channel to post into: with developer mode on, use Copy Channel ID in its menu. A text, announcement, forum or media channel.",
  ),
  /** The app of the browser sign-in that issued it. Leave it out for credentials entered by hand. */
  client_id: clientId,
});

const webhookCredentials = documentedObject({
  /**
   * A webhook's URL: the channel's settings → Integrations → Webhooks → Copy Webhook URL. Publishing only; if a
   * response is lost, the service cannot look for the post.
   */
  webhook_url: z
    .string()
    .max(500)
    .describe(
      "A webhook's URL: the channel's settings → Integrations → Webhooks → Copy Webhook URL. Publishing only; if a response is lost, the service cannot look for the post.",
    ),
  /** The app of the browser sign-in that issued it. Leave it out for credentials entered by hand. */
  client_id: clientId,
});

export const credentialsSchema = z.union([botCredentials, webhookCredentials]);

/**
 * Connects a bot in a channel, or a webhook. Neither credential expires. Credentials that were created by hand are not
 * revoked, because they may be in use elsewhere. Bots from a sign-in are not removed either, because their other
 * channels may be connected too.
 *
 * @param app the host's app; undefined: accounts are connected only with credentials
 */
export function createConnector(app: DiscordAppSetting | undefined): Connector<typeof credentialsSchema> {
  return app === undefined ? connector : { ...connector, browser: browserLogin(app), revoke: deleteWebhook };
}

/** Deletes a webhook that a sign-in created, which only this profile uses. */
async function deleteWebhook({ profile, secret, request }: NetworkContext): Promise<void> {
  const known = readKnown(profile);
  if (known.kind !== "webhook" || secret.client_id === undefined) return;
  const url = endpoint(["webhooks", known.webhook_id, String(secret.webhook_token)]);
  await request({ method: "DELETE", url, accept: [404] });
}

const connector: Connector<typeof credentialsSchema> = {
  credentials: credentialsSchema,

  async login(context, input) {
    const given = credentialsSchema.parse(input);
    if ("webhook_url" in given) return loginWithWebhook(context, given);
    const { bot_token, channel_id, client_id } = given;
    const identity = await readBotIdentity(context, { token: bot_token, channelId: channel_id }, "invalid_request");
    return { identity: through(client_id, identity), credentials: lasting(defined({ bot_token, client_id })) };
  },

  inspect(context) {
    const known = readKnown(context.profile);
    if (known.kind === "webhook")
      return readWebhookIdentity(context, { id: known.webhook_id, token: String(context.secret.webhook_token) });
    const bot = { token: String(context.secret.bot_token), channelId: known.channel_id };
    return readBotIdentity(context, bot, "profile_unavailable");
  },

  /** A webhook's URL is its credential, so its requests carry no header. */
  sign: (request, { secret }) =>
    typeof secret.bot_token === "string" ? withBotToken(request, secret.bot_token) : request,
};

async function loginWithWebhook(
  context: LoginContext,
  { webhook_url, client_id }: z.infer<typeof webhookCredentials>,
): Promise<{ identity: Identity; credentials: Credentials }> {
  const webhook = parseWebhookAddress(webhook_url);
  if (webhook === null) {
    const message =
      "webhook_url: this is not a Discord webhook URL; it looks like https://discord.com/api/webhooks/<id>/<token>.";
    throw new PublishingError("invalid_request", message);
  }
  const identity = through(client_id, await readWebhookIdentity(context, webhook));
  return { identity, credentials: lasting(defined({ webhook_token: webhook.token, client_id })) };
}

function through(client_id: string | undefined, identity: Identity): Identity {
  return { ...identity, ...(client_id && { app: client_id }) };
}

function lasting(secret: JsonObject): Credentials {
  return { secret, expires_at: null };
}
