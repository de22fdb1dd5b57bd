import * as z from "zod";
import { checkOptions, type OptionSchemas } from "../../ports/parse-options.ts";
import type { NetworkAdapter } from "../contract/adapter.ts";
import { appSetting } from "../shared/app.ts";
import { oauthAppSchema } from "../shared/oauth2.ts";
import { choices } from "./choices.ts";
import { createConnector, type credentialsSchema } from "./connect.ts";
import { errors } from "./errors.ts";
import { limits } from "./limits.ts";
import { type PinterestAppSetting, publishScopes, secretScopes } from "./oauth.ts";
import { options } from "./options.ts";
import { publisher } from "./publish.ts";

export type { PinterestApp, PinterestAppSetting } from "./oauth.ts";

/** What `pinterest` takes. */
export interface PinterestSettings {
  /**
   * The app that accounts log in by, from developers.pinterest.com: its id and secret, or a function that finds them
   * for an account of the service.
   *
   * @default none: accounts are connected by tokens that you have, and not renewed
   */
  app?: PinterestAppSetting | undefined;
  /** Logins ask for secret boards as well. @default false */
  secretBoards?: boolean | undefined;
}

const settingsSchema = z.strictObject({
  app: appSetting(oauthAppSchema).optional(),
  secretBoards: z.boolean().optional(),
} satisfies OptionSchemas<PinterestSettings>);

/** What `networks.pinterest` takes besides content of its own. */
export type PinterestOptions = z.input<typeof options>;
/** What connecting an account takes. */
export type PinterestCredentials = z.input<typeof credentialsSchema>;
/** What `pinterest` returns. */
export type PinterestAdapter = NetworkAdapter<"pinterest", typeof options, typeof credentialsSchema>;

/**
 * Pinterest: Pins with a picture, up to five, or a video. Every Pin goes to a board: `networks.pinterest.board_id`.
 *
 * The app is made at developers.pinterest.com, with the callback `{baseUrl}/connect/pinterest/callback`, and needs
 * Standard access: with Trial access it may make no Pins. Logins ask for `boards:read`, `boards:write`, `pins:read`,
 * `pins:write` and `user_accounts:read`. Pinterest fetches pictures itself: the service needs a `baseUrl` that is
 * public, or files that are.
 *
 * @throws SocialError `invalid_options` naming a setting that is wrong
 * @see https://developers.pinterest.com/docs/api/v5/
 * @example
 * createSocialService({ storage, mediaStore, baseUrl, networks: [pinterest({ app: { client_id, client_secret } })] });
 */
export function pinterest(settings: PinterestSettings = {}): PinterestAdapter {
  checkOptions("pinterest", settingsSchema, settings);
  const { app, secretBoards = false } = settings;
  const wanted = secretBoards ? [...publishScopes, ...secretScopes] : publishScopes;
  return { spec: limits, options, errors, connect: createConnector(app, wanted), choices, publish: publisher };
}
