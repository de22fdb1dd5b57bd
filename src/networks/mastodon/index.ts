import * as z from "zod";
import { checkOptions, type OptionSchemas } from "../../ports/parse-options.ts";
import type { NetworkAdapter } from "../contract/adapter.ts";
import { appSetting } from "../shared/app.ts";
import { type Purpose, purposesSetting, withInbox } from "../shared/scopes.ts";
import { browserLogin } from "./browser.ts";
import { createConnector, type credentialsSchema } from "./connect.ts";
import { errors } from "./errors.ts";
import { inbox } from "./inbox.ts";
import { limits } from "./limits.ts";
import { appSchema, type MastodonAppSetting } from "./oauth.ts";
import { options } from "./options.ts";
import { publisher } from "./publish.ts";

/** The options of `networks.mastodon`. */
export type MastodonOptions = z.input<typeof options>;
/** Credentials for connecting an account. */
export type MastodonCredentials = z.input<typeof credentialsSchema>;
/** The return type of `mastodon`. */
export type MastodonAdapter = NetworkAdapter<"mastodon", typeof options, typeof credentialsSchema>;

export type { MastodonApp } from "./oauth.ts";

/** Options of `mastodon`. */
export interface MastodonSettings {
  /**
   * Your app's name and details, required for browser sign-ins on the accounts' own servers; or a function that returns
   * them for an account's id, null if there is none.
   *
   * @default accounts are connected by their tokens
   */
  app?: MastodonAppSetting | undefined;
  /** Permissions that a browser sign-in requests, and whether the inbox is read. Adding one later requires reconnecting. @default ["publish"] */
  scopes?: readonly Purpose[] | undefined;
}

const settingsSchema = z.strictObject({
  app: appSetting(appSchema).optional(),
  scopes: purposesSetting.optional(),
} satisfies OptionSchemas<MastodonSettings>);

/**
 * Mastodon, and servers with its API.
 *
 * With `app`, accounts are connected by a browser sign-in on their own servers.
 * The service registers the app there automatically, with the callback
 * `{baseUrl}/connect/mastodon/{server}/callback`. Without it, accounts are connected by an access
 * token: on the instance the user creates an application in Preferences → Development with the scopes
 * `read:accounts read:statuses write:statuses write:media` (or `read write`)
 * and copies "Your access token". Such a token does not expire.
 *
 * @see https://docs.joinmastodon.org/methods/statuses/
 * @see https://docs.joinmastodon.org/methods/media/
 * @throws SocialError `invalid_options` naming the invalid option
 * @example
 * createSocialService({ storage, networks: [mastodon()] });
 */
export function mastodon(settings: MastodonSettings = {}): MastodonAdapter {
  checkOptions("mastodon", settingsSchema, settings);
  const { app, scopes = ["publish"] } = settings;
  const login = app === undefined ? undefined : browserLogin(app, scopes);
  return withInbox(
    { spec: limits, options, errors, connect: createConnector(login), publish: publisher, inbox },
    scopes,
  );
}
