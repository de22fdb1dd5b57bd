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

/** The options of `networks.google_business`, in addition to overriding content. */
export type GoogleBusinessOptions = z.input<typeof options>;
/** Credentials for connecting a location. */
export type GoogleBusinessCredentials = z.input<typeof credentialsSchema>;
export type { GoogleApp } from "../shared/google/login.ts";
/** The type that `google_business` returns. */
export type GoogleBusinessAdapter = NetworkAdapter<"google_business", typeof options, typeof credentialsSchema>;

/** Options of `google_business`. */
export interface GoogleBusinessSettings {
  /**
   * Your OAuth client, so that locations can be connected by a browser sign-in and their access tokens renewed; or a
   * function that returns it for an account's id, null if there is none. Register
   * `{baseUrl}/connect/google_business/callback` as an authorized redirect URI.
   *
   * @default locations are connected by tokens, which end within the hour
   */
  app?: GoogleAppSetting | undefined;
  /**
   * Permissions that browser sign-ins request.
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
 * You need a project at console.cloud.google.com with the Google My Business API, the My Business Account Management
 * API and the My Business Business Information API enabled, and an OAuth client of the type "Web
 * application". Its scope is
 * `business.manage`. Until Google has approved the project for basic API access, its quota is 0.
 *
 * @see https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts
 * @see https://developers.google.com/my-business/content/basic-setup
 * @throws SocialError `invalid_options` naming the invalid option
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
