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

/** Options of `pinterest`. */
export interface PinterestSettings {
  /**
   * Your app from developers.pinterest.com: its id and secret, or a function that returns them for an account of the
   * service.
   *
   * @default none: accounts are connected by tokens that you obtain, and not renewed
   */
  app?: PinterestAppSetting | undefined;
  /** True: browser sign-ins also request access to secret boards. @default false */
  secretBoards?: boolean | undefined;
}

const settingsSchema = z.strictObject({
  app: appSetting(oauthAppSchema).optional(),
  secretBoards: z.boolean().optional(),
} satisfies OptionSchemas<PinterestSettings>);

/** The options of `networks.pinterest`, in addition to overriding content. */
export type PinterestOptions = z.input<typeof options>;
/** Credentials for connecting an account. */
export type PinterestCredentials = z.input<typeof credentialsSchema>;
/** The type that `pinterest` returns. */
export type PinterestAdapter = NetworkAdapter<"pinterest", typeof options, typeof credentialsSchema>;

/**
 * Pinterest: Pins with one to five images, or a video. Every Pin needs a board: `networks.pinterest.board_id`.
 *
 * Create the app at developers.pinterest.com, with the callback `{baseUrl}/connect/pinterest/callback`. It needs
 * Standard access: with Trial access it cannot create Pins. Browser sign-ins request `boards:read`, `boards:write`, `pins:read`,
 * `pins:write` and `user_accounts:read`. Pinterest fetches images by URL: the service needs a public `baseUrl` or
 * public files.
 *
 * @throws SocialError `invalid_options` naming the invalid option
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
