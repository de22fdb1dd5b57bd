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

/** The options of `networks.tiktok`, in addition to overriding content. */
export type TiktokOptions = z.input<typeof options>;
/** Credentials for connecting an account. */
export type TiktokCredentials = z.input<typeof credentialsSchema>;
export type { TiktokApp } from "./oauth.ts";
/** The type that `tiktok` returns. */
export type TiktokAdapter = NetworkAdapter<"tiktok", typeof options, typeof credentialsSchema>;

/** Options of `tiktok`. */
export interface TiktokSettings {
  /**
   * Your app's client key and secret, so that accounts can be connected by a browser sign-in and their access tokens
   * renewed; or a function that returns them for an account's id, null if there is none. Register in its Login Kit
   * `{baseUrl}/connect/tiktok/callback` as a redirect URI.
   *
   * @default accounts are connected by their tokens, which end within a day
   */
  app?: TiktokAppSetting | undefined;
  /**
   * Permissions that browser sign-ins request. TikTok has no inbox API.
   *
   * @default ["publish"]
   */
  scopes?: readonly Purpose[] | undefined;
  /**
   * Optional scopes besides `user.info.basic` and `video.publish`: for the account's name, for drafts, and for finding
   * a photo post whose response was lost. TikTok approves each scope separately for an app: list those
   * that yours has.
   *
   * @default ["user.info.profile", "video.upload", "video.list"]
   */
  furtherScopes?: readonly FurtherScope[] | undefined;
}

const settingsSchema = z.strictObject({
  app: appSetting(appSchema).optional(),
  scopes: purposesSetting.optional(),
  furtherScopes: z.array(z.enum(furtherScopes), { error: `Must be a list of ${furtherScopes.join(", ")}.` }).optional(),
} satisfies OptionSchemas<TiktokSettings>);

/**
 * TikTok: videos and photos of an account, and drafts for its inbox.
 *
 * You need an app at developers.tiktok.com with Login Kit and the Content Posting API with Direct Post enabled. Until
 * TikTok has audited it, only private accounts can post, with `privacy_level` SELF_ONLY, five posts a
 * day. For photos, add the service's `baseUrl` to the app's verified URL properties. Your user
 * interface must show the account's name, the levels of `choices` without a preselected one, and the
 * agreement to TikTok's Music Usage Confirmation.
 *
 * @see https://developers.tiktok.com/doc/content-posting-api-reference-direct-post
 * @see https://developers.tiktok.com/doc/content-sharing-guidelines
 * @throws SocialError `invalid_options` naming the invalid option
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
