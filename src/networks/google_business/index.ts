import * as z from "zod";
import { checkOptions, type OptionSchemas } from "../../ports/parse-options.ts";
import type { NetworkAdapter } from "../contract/adapter.ts";
import { appSetting } from "../shared/app.ts";
import type { GoogleAppSetting } from "../shared/google/tokens.ts";
import { oauthAppSchema } from "../shared/oauth2.ts";
import { type Purpose, purposesSetting } from "../shared/scopes.ts";
import { createConnector, type credentialsSchema } from "./connect.ts";
import { errors } from "./errors.ts";
import { limits } from "./limits.ts";
import { options } from "./options.ts";
import { publisher } from "./publish.ts";

/** What `networks.google_business` takes besides content of its own. */
export type GoogleBusinessOptions = z.input<typeof options>;
/** What connecting a location takes. */
export type GoogleBusinessCredentials = z.input<typeof credentialsSchema>;
export type { GoogleApp } from "../shared/google/login.ts";
/** What `google_business` returns. */
export type GoogleBusinessAdapter = NetworkAdapter<"google_business", typeof options, typeof credentialsSchema>;

/** What `google_business` takes. */
export interface GoogleBusinessSettings {
  /**
   * Your OAuth client, so that locations can be connected by a login in the browser and their logins renewed; or a
   * function that returns it for an account's id, null where there is none. It lists
   * `{baseUrl}/connect/google_business/callback` as an authorized redirect URI.
   *
   * @default locations are connected by tokens, which end within the hour
   */
  app?: GoogleAppSetting | undefined;
  /**
   * What logins in the browser ask for.
   *
   * @default ["publish"]
   */
  scopes?: readonly Purpose[] | undefined;
}

const settingsSchema = z.strictObject({
  app: appSetting(oauthAppSchema).optional(),
  scopes: purposesSetting.optional(),
} satisfies OptionSchemas<GoogleBusinessSettings>);

/**
 * Google Business Profile: posts, events and offers of locations.
 *
 * A project at console.cloud.google.com has the Google My Business API, the My Business Account Management API and the
 * My Business Business Information API switched on, and an OAuth client of the kind "Web application". Its scope is
 * `business.manage`. Until Google has approved the project for basic API access, its quota is 0.
 *
 * @see https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts
 * @see https://developers.google.com/my-business/content/basic-setup
 * @throws SocialError `invalid_options` naming a setting that is wrong
 * @example
 * createSocialService({ storage, networks: [google_business({ app: { client_id, client_secret } })] });
 */
export function google_business(settings: GoogleBusinessSettings = {}): GoogleBusinessAdapter {
  checkOptions("google_business", settingsSchema, settings);
  const { app, scopes: purposes = ["publish"] } = settings;
  return {
    spec: limits,
    options,
    errors,
    connect: createConnector({ app, purposes }),
    publish: publisher,
  };
}
