import * as z from "zod";
import { checkOptions, type OptionSchemas } from "../../ports/parse-options.ts";
import type { NetworkAdapter } from "../contract/adapter.ts";
import { appSetting } from "../shared/app.ts";
import { oauthAppSchema } from "../shared/oauth2.ts";
import { type Purpose, purposesSetting } from "../shared/scopes.ts";
import { createConnector, type credentialsSchema } from "./connect.ts";
import { errors } from "./errors.ts";
import { limits } from "./limits.ts";
import type { XAppSetting } from "./oauth.ts";
import { options } from "./options.ts";
import { publisher } from "./publish.ts";

export type { XApp, XAppSetting } from "./oauth.ts";

/** Options of `x`. */
export interface XSettings {
  /**
   * Your app from console.x.com: the id and secret of its OAuth 2.0 client, or a function that returns them for an
   * account of the service.
   *
   * @default none: accounts are connected by tokens that you obtain, and renewed if their app needs no secret
   */
  app?: XAppSetting | undefined;
  /** Permissions that browser sign-ins request. @default ["publish"] */
  scopes?: readonly Purpose[] | undefined;
}

const settingsSchema = z.strictObject({
  app: appSetting(oauthAppSchema).optional(),
  scopes: purposesSetting.optional(),
} satisfies OptionSchemas<XSettings>);

/** The options of `networks.x`, in addition to overriding content. */
export type XOptions = z.input<typeof options>;
/** Credentials for connecting an account. */
export type XCredentials = z.input<typeof credentialsSchema>;
/** The type that `x` returns. */
export type XAdapter = NetworkAdapter<"x", typeof options, typeof credentialsSchema>;

/**
 * X, by API v2. X charges the app's owner for each post, more than ten times as much for one with a link, and for
 * each post that is read back after a lost response.
 *
 * Create the app at console.x.com, as a web app (a confidential client) with OAuth 2.0 and Read and write. Its
 * callback must be exactly `{baseUrl}/connect/x/callback`. Publishing needs the scopes `tweet.read tweet.write
 * users.read media.write offline.access`. Accounts of Premium have longer texts and videos. Quoting posts is not
 * supported, since only enterprise contracts include it.
 *
 * @throws SocialError `invalid_options` naming the invalid option
 * @see https://docs.x.com/x-api/posts/create-post
 * @see https://docs.x.com/x-api/media/quickstart/media-upload-chunked
 * @example
 * createSocialService({ storage, networks: [x({ app: { client_id, client_secret } })] });
 */
export function x(settings: XSettings = {}): XAdapter {
  checkOptions("x", settingsSchema, settings);
  const { app, scopes = ["publish"] } = settings;
  return {
    spec: limits,
    options,
    errors,
    connect: createConnector({ app, purposes: scopes }),
    publish: publisher,
  };
}
