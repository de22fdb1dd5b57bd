import * as z from "zod";
import { checkOptions, type OptionSchemas } from "../../ports/parse-options.ts";
import type { NetworkAdapter } from "../contract/adapter.ts";
import { appSetting } from "../shared/app.ts";
import { oauthAppSchema } from "../shared/oauth2.ts";
import { createConnector, type credentialsSchema } from "./connect.ts";
import { errors } from "./errors.ts";
import { createInbox } from "./inbox.ts";
import { limits } from "./limits.ts";
import type { TwitchAppSetting } from "./oauth.ts";
import { options } from "./options.ts";

export type { TwitchApp, TwitchAppSetting } from "./oauth.ts";

/** Options of `twitch`. */
export interface TwitchSettings {
  /**
   * Your app from dev.twitch.tv/console (a confidential client), or a function that returns one for an account of the
   * service.
   */
  app: TwitchAppSetting;
}

const settingsSchema = z.strictObject({
  app: appSetting(oauthAppSchema),
} satisfies OptionSchemas<TwitchSettings>);

/** Fields of `networks.twitch`: none, since Twitch does not support publishing. */
export type TwitchOptions = z.input<typeof options>;
/** Credentials for connecting a channel. */
export type TwitchCredentials = z.input<typeof credentialsSchema>;
/** What `twitch` returns. */
export type TwitchAdapter = NetworkAdapter<"twitch", typeof options, typeof credentialsSchema>;

/**
 * Twitch, for the inbox only: chat messages that mention a channel's owner or reply to them, and whispers. It does
 * not support publishing.
 *
 * Create the app at dev.twitch.tv/console, with the callback `{baseUrl}/connect/twitch/callback`. Twitch offers no
 * message history, so the service needs a public `baseUrl` that Twitch can reach: messages sent while
 * it is unreachable are lost.
 *
 * @throws SocialError `invalid_options` naming the invalid option
 * @see https://dev.twitch.tv/docs/eventsub/eventsub-subscription-types
 * @see https://dev.twitch.tv/docs/api/reference#send-chat-message
 * @example
 * createSocialService({ storage, baseUrl, networks: [twitch({ app: { client_id, client_secret } })] });
 */
export function twitch(settings: TwitchSettings): TwitchAdapter {
  checkOptions("twitch", settingsSchema, settings);
  const { app } = settings;
  return { spec: limits, options, errors, connect: createConnector(app), inbox: createInbox(app) };
}
