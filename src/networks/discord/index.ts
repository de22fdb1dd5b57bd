import * as z from "zod";
import { checkOptions, type OptionSchemas } from "../../ports/parse-options.ts";
import type { NetworkAdapter } from "../contract/adapter.ts";
import { appSetting } from "../shared/app.ts";
import { createConnector, type credentialsSchema } from "./connect.ts";
import { errors } from "./errors.ts";
import { limits } from "./limits.ts";
import { appSchema, type DiscordAppSetting } from "./oauth.ts";
import { options } from "./options.ts";
import { publisher } from "./publish.ts";

/** What `networks.discord` takes besides content of its own. */
export type DiscordOptions = z.input<typeof options>;
/** What connecting an account takes. */
export type DiscordCredentials = z.input<typeof credentialsSchema>;
export type { DiscordApp } from "./oauth.ts";
/** What `discord` returns. */
export type DiscordAdapter = NetworkAdapter<"discord", typeof options, typeof credentialsSchema>;

/** What `discord` takes. */
export interface DiscordSettings {
  /**
   * Your application, so that accounts can be connected by a login in the browser; or a function that returns it for an
   * account's id, null where there is none. Its OAuth2 page lists `{baseUrl}/connect/discord/callback` as a redirect.
   *
   * @default accounts are connected by their credentials
   */
  app?: DiscordAppSetting | undefined;
}

const settingsSchema = z.strictObject({
  app: appSetting(appSchema).optional(),
} satisfies OptionSchemas<DiscordSettings>);

/**
 * Discord: a bot in one channel of a server, or a channel's webhook.
 *
 * A bot is made at discord.com/developers/applications, added to the server
 * with View Channel, Send Messages, Embed Links, Attach Files and Read Message
 * History, and connected with its token and a channel's id. A webhook is
 * connected with its address alone; Discord cannot be asked what a webhook has
 * posted, so there a lost answer ends as "may be live".
 *
 * @see https://docs.discord.com/developers/resources/message
 * @see https://docs.discord.com/developers/resources/webhook
 * @throws SocialError `invalid_options` naming a setting that is wrong
 * @example
 * createSocialService({ storage, networks: [discord()] });
 */
export function discord(settings: DiscordSettings = {}): DiscordAdapter {
  checkOptions("discord", settingsSchema, settings);
  return { spec: limits, options, errors, connect: createConnector(settings.app), publish: publisher };
}
