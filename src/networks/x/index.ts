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

/** What `x` takes. */
export interface XSettings {
  /**
   * The app that accounts log in by, from console.x.com: the id and secret of its OAuth 2.0 client, or a function that
   * finds them for an account of the service.
   *
   * @default none: accounts are connected by tokens that you have, and renewed where their app needs no secret
   */
  app?: XAppSetting | undefined;
  /** What logins ask for. @default ["publish"] */
  scopes?: readonly Purpose[] | undefined;
}

const settingsSchema = z.strictObject({
  app: appSetting(oauthAppSchema).optional(),
  scopes: purposesSetting.optional(),
} satisfies OptionSchemas<XSettings>);

/** What `networks.x` takes besides content of its own. */
export type XOptions = z.input<typeof options>;
/** What connecting an account takes. */
export type XCredentials = z.input<typeof credentialsSchema>;
/** What `x` returns. */
export type XAdapter = NetworkAdapter<"x", typeof options, typeof credentialsSchema>;

/**
 * X, by API v2. What it charges is the host's to pay: a post with a link more than ten times one without, and each
 * post that is read back after a lost answer.
 *
 * The app is made at console.x.com, as a web app (a confidential client) with OAuth 2.0 and Read and write. Its
 * callback is `{baseUrl}/connect/x/callback`, to the letter. Publishing needs the scopes `tweet.read tweet.write
 * users.read media.write offline.access`. Accounts of Premium have longer texts and films. Quoting posts is left out,
 * since only enterprise contracts have it.
 *
 * @throws SocialError `invalid_options` naming a setting that is wrong
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
