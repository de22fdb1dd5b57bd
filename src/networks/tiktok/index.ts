import * as z from "zod";
import { checkOptions, type OptionSchemas } from "../../ports/parse-options.ts";
import type { NetworkAdapter } from "../contract/adapter.ts";
import { appSetting } from "../shared/app.ts";
import { type Purpose, purposesSetting } from "../shared/scopes.ts";
import { choices } from "./choices.ts";
import { createConnector, type credentialsSchema } from "./connect.ts";
import { errors } from "./errors.ts";
import { limits } from "./limits.ts";
import { appSchema, type TiktokAppSetting } from "./oauth.ts";
import { options } from "./options.ts";
import { createPublisher } from "./publish.ts";
import { type FurtherScope, furtherScopes } from "./scopes.ts";
import { takenPieces } from "./upload.ts";

/** What `networks.tiktok` takes besides content of its own. */
export type TiktokOptions = z.input<typeof options>;
/** What connecting an account takes. */
export type TiktokCredentials = z.input<typeof credentialsSchema>;
export type { TiktokApp } from "./oauth.ts";
/** What `tiktok` returns. */
export type TiktokAdapter = NetworkAdapter<"tiktok", typeof options, typeof credentialsSchema>;

/** What `tiktok` takes. */
export interface TiktokSettings {
  /**
   * Your app's client key and secret, so that accounts can be connected by a login in the browser and their logins
   * renewed; or a function that returns them for an account's id, null where there is none. Its Login Kit lists
   * `{baseUrl}/connect/tiktok/callback` as a redirect URI.
   *
   * @default accounts are connected by their tokens, which end within a day
   */
  app?: TiktokAppSetting | undefined;
  /**
   * What logins in the browser ask for. TikTok has no inbox for apps.
   *
   * @default ["publish"]
   */
  scopes?: readonly Purpose[] | undefined;
  /**
   * What they ask for beside `user.info.basic` and `video.publish`, and can do without: the account's name, drafts, and
   * finding a photo post whose answer was lost. TikTok grants an app each scope by itself: name those that yours has.
   *
   * @default ["user.info.profile", "video.upload", "video.list"]
   */
  furtherScopes?: readonly FurtherScope[] | undefined;
}

const settingsSchema = z.strictObject({
  app: appSetting(appSchema).optional(),
  scopes: purposesSetting.optional(),
  furtherScopes: z.array(z.enum(furtherScopes), { error: `Give a list of ${furtherScopes.join(", ")}.` }).optional(),
} satisfies OptionSchemas<TiktokSettings>);

/**
 * TikTok: videos and photos of an account, and drafts for its inbox.
 *
 * An app at developers.tiktok.com has Login Kit and the Content Posting API with Direct Post switched on. Until TikTok
 * has audited it, only private accounts can post, with `privacy_level` SELF_ONLY, five a day. For photos the service's
 * `baseUrl` is among the app's verified URL properties. Whoever lets people post shows them the account's name, the
 * levels of `choices` with none chosen beforehand, and the sentence of agreement to TikTok's Music Usage Confirmation.
 *
 * @see https://developers.tiktok.com/doc/content-posting-api-reference-direct-post
 * @see https://developers.tiktok.com/doc/content-sharing-guidelines
 * @throws SocialError `invalid_options` naming a setting that is wrong
 * @example
 * createSocialService({ storage, networks: [tiktok({ app: { client_key, client_secret } })] });
 */
export function tiktok(settings: TiktokSettings = {}): TiktokAdapter {
  checkOptions("tiktok", settingsSchema, settings);
  const { app, scopes: purposes = ["publish"], furtherScopes: further = furtherScopes } = settings;
  return {
    spec: limits,
    options,
    errors,
    connect: createConnector({ app, purposes, further }),
    choices,
    publish: createPublisher(takenPieces),
  };
}
