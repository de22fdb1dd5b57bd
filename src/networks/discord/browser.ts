import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { PublishingError } from "../../wire/errors.ts";
import {
  type AccountChoice,
  type BrowserLogin,
  type BrowserLoginContext,
  LoginFailed,
} from "../contract/browser-login.ts";
import type { LoginContext } from "../contract/request.ts";
import { assertScopes, loginPage, type Tokens, tradeCode } from "../shared/oauth2.ts";
import { endpoint, readAnswer } from "./api.ts";
import { withBotToken } from "./bot.ts";
import { channelTypeOf } from "./channel.ts";
import { botPermissions, type DiscordApp, type DiscordAppSetting, findApp, oauth, scopes } from "./oauth.ts";
import { isManager } from "./permissions.ts";
import { snowflake } from "./snowflake.ts";

const input = documentedObject({
  /**
   * `bot`: add the app's bot to a server; it posts into channels there · `webhook`: create a webhook in one channel,
   * for publishing only.
   */
  as: z
    .enum(["bot", "webhook"])
    .default("bot")
    .describe(
      "`bot`: add the app's bot to a server; it posts into channels there · `webhook`: create a webhook in one channel, for publishing only.",
    ),
});

/** A sign-in that adds the app's bot to a server, or creates a webhook. */
export function browserLogin(setting: DiscordAppSetting): BrowserLogin {
  return {
    input,

    async begin(context, given) {
      const { as } = input.parse(given);
      const app = await findApp(setting, context.accountId);
      if (as === "bot") assertBot(app);
      const parameters: Record<string, string> =
        as === "bot" ? { permissions: botPermissions, integration_type: "0" } : {};
      const page = loginPage({ ...oauth, parameters }, context, { app, scopes: scopes[as] });
      return { ...page, keep: { ...page.keep, as } };
    },

    async finish(context, back) {
      const app = await findApp(setting, context.accountId);
      const { as } = input.parse({ as: back.keep.as });
      const tokens = await tradeCode(oauth, context, { app, back });
      assertScopes(oauth, { wanted: scopes[as], granted: tokens.scopes });
      return as === "bot" ? channelsOf(context, { app, tokens }) : [webhookOf(app, tokens)];
    },
  };
}

function assertBot({ bot_token }: DiscordApp): string {
  if (bot_token !== undefined) return bot_token;
  throw new PublishingError(
    "unsupported",
    'as: this app has no bot_token; use "webhook", or set the app\'s bot_token.',
  );
}

const guildSchema = z.object({ id: snowflake, name: z.string(), icon: z.string().nullish() });

const ownGuildsSchema = z.array(z.object({ id: snowflake, owner: z.boolean().nullish(), permissions: z.string() }));

const channelsSchema = z.array(z.object({ id: snowflake, type: z.number(), name: z.string().nullish() }));

/** The channels that accept posts, in the server that the bot was added to. */
async function channelsOf(
  context: BrowserLoginContext,
  { app, tokens }: { app: DiscordApp; tokens: Tokens },
): Promise<AccountChoice[]> {
  // Uses only the server in this response: a user who guesses another server's id must not get access to it.
  const guild = guildSchema.safeParse(tokens.answer.guild);
  if (!guild.success)
    throw new LoginFailed("no_account", "No server was chosen for the bot: sign in again and choose one.");
  await assertManager(context, { guild: guild.data, token: tokens.access_token });
  const bot_token = assertBot(app);
  const url = endpoint(["guilds", guild.data.id, "channels"]);
  const response = await context.request(withBotToken({ method: "GET", url }, bot_token));
  const channels = readAnswer(channelsSchema, response).filter(({ type }) => channelTypeOf(type) !== null);
  return channels.map(({ id, name }) => ({
    id: `${guild.data.id}:${id}`,
    name: `${guild.data.name} #${name ?? id}`,
    handle: null,
    avatar_url: iconOf(guild.data),
    credentials: { bot_token, channel_id: id, client_id: app.client_id },
  }));
}

function iconOf({ id, icon }: z.infer<typeof guildSchema>): string | null {
  return icon == null ? null : `https://cdn.discordapp.com/icons/${id}/${icon}.png`;
}

/** Any member of a server can "add" a bot that is already in it. */
async function assertManager(
  context: Pick<LoginContext, "request">,
  { guild, token }: { guild: z.infer<typeof guildSchema>; token: string },
): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await context.request({ method: "GET", url: endpoint(["users", "@me", "guilds"]), headers });
  const own = readAnswer(ownGuildsSchema, response).find(({ id }) => id === guild.id);
  if (own !== undefined && (own.owner === true || isManager(own.permissions))) return;
  throw new LoginFailed("no_account", `Only users with permission to manage ${guild.name} can connect it.`);
}

const webhookSchema = z.object({
  id: snowflake,
  token: z.string().min(1),
  name: z.string().nullish(),
  avatar: z.string().nullish(),
});

function webhookOf({ client_id }: DiscordApp, { answer }: Tokens): AccountChoice {
  const parsed = webhookSchema.safeParse(answer.webhook);
  if (!parsed.success)
    throw new LoginFailed("no_account", "Discord created no webhook: sign in again and choose a channel.");
  const { id, token, name, avatar } = parsed.data;
  return {
    id: `webhook:${id}`,
    name: name ?? "Discord webhook",
    handle: null,
    avatar_url: avatar == null ? null : `https://cdn.discordapp.com/avatars/${id}/${avatar}.png`,
    credentials: { webhook_url: `https://discord.com/api/webhooks/${id}/${token}`, client_id },
  };
}
