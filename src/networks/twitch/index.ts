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

/** What `twitch` takes. */
export interface TwitchSettings {
  /**
   * The app that channels are connected by, from dev.twitch.tv/console (a confidential client), or a function that finds
   * one for an account of the service.
   */
  app: TwitchAppSetting;
}

const settingsSchema = z.strictObject({
  app: appSetting(oauthAppSchema),
} satisfies OptionSchemas<TwitchSettings>);

/** What `networks.twitch` takes: nothing, since nothing is published there. */
export type TwitchOptions = z.input<typeof options>;
/** What connecting a channel takes. */
export type TwitchCredentials = z.input<typeof credentialsSchema>;
/** What `twitch` returns. */
export type TwitchAdapter = NetworkAdapter<"twitch", typeof options, typeof credentialsSchema>;

/**
 * Twitch, for the inbox alone: lines of a channel's chat that name its owner or answer them, and whispers. Nothing is
 * published there.
 *
 * The app is made at dev.twitch.tv/console, with the callback `{baseUrl}/connect/twitch/callback`. Twitch shows nothing
 * of what was written before, so that the service needs a public `baseUrl` at which Twitch reaches it: what is written
 * while it does not is lost.
 *
 * @throws SocialError `invalid_options` naming a setting that is wrong
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
