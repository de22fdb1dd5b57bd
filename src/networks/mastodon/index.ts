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

/** What `networks.mastodon` takes besides content of its own. */
export type MastodonOptions = z.input<typeof options>;
/** What connecting an account takes. */
export type MastodonCredentials = z.input<typeof credentialsSchema>;
/** What `mastodon` returns. */
export type MastodonAdapter = NetworkAdapter<"mastodon", typeof options, typeof credentialsSchema>;

export type { MastodonApp } from "./oauth.ts";

/** What `mastodon` takes. */
export interface MastodonSettings {
  /**
   * How your app introduces itself, so that accounts can be connected by a login on their own servers; or a function that
   * returns it for an account's id, null where there is none.
   *
   * @default accounts are connected by their tokens
   */
  app?: MastodonAppSetting | undefined;
  /** What a login asks for, and whether the inbox is read. More of it later needs a reconnect. @default ["publish"] */
  scopes?: readonly Purpose[] | undefined;
}

const settingsSchema = z.strictObject({
  app: appSetting(appSchema).optional(),
  scopes: purposesSetting.optional(),
} satisfies OptionSchemas<MastodonSettings>);

/**
 * Mastodon, and servers that speak its API.
 *
 * With `app` accounts are connected by a login on their own servers, where the
 * app registers itself, with `{baseUrl}/connect/mastodon/{server}/callback` as
 * the address that browsers come back to: nothing is to be registered by hand.
 * Else by an access token of the account's own: on its instance the
 * user makes an application in Preferences → Development with the scopes
 * `read:accounts read:statuses write:statuses write:media` (or `read write`)
 * and copies "Your access token". Such a token neither runs out nor can be
 * renewed.
 *
 * @see https://docs.joinmastodon.org/methods/statuses/
 * @see https://docs.joinmastodon.org/methods/media/
 * @throws SocialError `invalid_options` naming a setting that is wrong
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
