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

/** The options of `networks.discord`. */
export type DiscordOptions = z.input<typeof options>;
/** Credentials for connecting an account. */
export type DiscordCredentials = z.input<typeof credentialsSchema>;
export type { DiscordApp } from "./oauth.ts";
/** The return type of `discord`. */
export type DiscordAdapter = NetworkAdapter<"discord", typeof options, typeof credentialsSchema>;

/** Options of `discord`. */
export interface DiscordSettings {
  /**
   * Your application, so that accounts can be connected by a browser sign-in; or a function that returns it for an
   * account's id, null if there is none. Register `{baseUrl}/connect/discord/callback` as a redirect on its OAuth2 page.
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
 * Create a bot at discord.com/developers/applications, add it to the server
 * with View Channel, Send Messages, Embed Links, Attach Files and Read Message History, and connect it
 * with its token and a channel's id. A webhook is connected with only its URL; Discord does not list a
 * webhook's posts, so a lost response ends as "may be live".
 *
 * @see https://docs.discord.com/developers/resources/message
 * @see https://docs.discord.com/developers/resources/webhook
 * @throws SocialError `invalid_options` naming the invalid option
 * @example
 * createSocialService({ storage, networks: [discord()] });
 */
export function discord(settings: DiscordSettings = {}): DiscordAdapter {
  checkOptions("discord", settingsSchema, settings);
  return { spec: limits, options, errors, connect: createConnector(settings.app), publish: publisher };
}
