import * as z from "zod";
import { checkOptions, type OptionSchemas } from "../../ports/parse-options.ts";
import type { NetworkAdapter } from "../contract/adapter.ts";
import { withApiVersion } from "../contract/api-version.ts";
import { appOfAll, appSetting } from "../shared/app.ts";
import { type VideoUpload, videoUploadSetting, withVideoUpload } from "../shared/meta/video-upload.ts";
import { type Purpose, purposesSetting } from "../shared/scopes.ts";
import { createApi } from "./api.ts";
import { browserLogin } from "./browser.ts";
import { createChoices } from "./choices.ts";
import { createConnector, type credentialsSchema } from "./connect.ts";
import { errors } from "./errors.ts";
import { limits } from "./limits.ts";
import { appSchema, type FurtherScope, furtherScopesSetting, type InstagramAppSetting, wantedScopes } from "./oauth.ts";
import { options } from "./options.ts";
import { createPublisher } from "./publish.ts";
import { sentWithFacebookOnly } from "./rules.ts";

export type { FurtherScope, InstagramApp, InstagramAppSetting } from "./oauth.ts";

/** Options of `instagram`. */
export interface InstagramSettings {
  /**
   * Your app from developers.facebook.com: its id and secret for each login, or a function that returns them for an
   * account of the service.
   *
   * @default none: accounts are connected by tokens that you obtain
   */
  app?: InstagramAppSetting | undefined;
  /** Permissions that browser sign-ins request. @default ["publish"] */
  scopes?: readonly Purpose[] | undefined;
  /** Additional scopes that Facebook Login requests, for the option `product_tags`. @default none */
  furtherScopes?: readonly FurtherScope[] | undefined;
  /**
   * How videos reach Instagram: it fetches them from a public URL (`pull`), or the service uploads them (`push`),
   * which works only with Facebook Login. Images and covers are always fetched.
   *
   * @default "pull"
   */
  videoUpload?: VideoUpload | undefined;
  /** The version of the Graph API to use. @default "v26.0" */
  apiVersion?: keyof typeof limits.versions | undefined;
}

const settingsSchema = z.strictObject({
  app: appSetting(appSchema).optional(),
  scopes: purposesSetting.optional(),
  furtherScopes: furtherScopesSetting.optional(),
  videoUpload: videoUploadSetting.optional(),
  // `limits` says which versions exist.
  apiVersion: z.unknown().optional(),
} satisfies OptionSchemas<InstagramSettings>);

/** The options of `networks.instagram`, in addition to overriding content. */
export type InstagramOptions = z.input<typeof options>;
/** Credentials for connecting an account. */
export type InstagramCredentials = z.input<typeof credentialsSchema>;
/** The type that `instagram` returns. */
export type InstagramAdapter = NetworkAdapter<"instagram", typeof options, typeof credentialsSchema>;

/**
 * Instagram, professional accounts: images, reels, stories and carousels.
 *
 * Create an app at developers.facebook.com, with the callback `{baseUrl}/connect/instagram/callback` for each login
 * that it offers. With Instagram Login (no Facebook Page needed) it requests `instagram_business_basic`,
 * `instagram_business_content_publish` and, for first comments, `instagram_business_manage_comments`; with Facebook
 * Login, for accounts linked to a Page, `instagram_basic`, `instagram_content_publish`, `instagram_manage_comments`,
 * `pages_show_list`, `pages_read_engagement` and `business_management`. Product tags also need `furtherScopes`.
 * Instagram downloads files itself: the service needs a public `baseUrl` or public files; for videos, `videoUpload:
 * "push"` needs neither.
 *
 * @throws SocialError `invalid_options` naming the invalid option
 * @see https://developers.facebook.com/docs/instagram-platform/content-publishing
 * @see https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media
 * @example
 * createSocialService({ storage, mediaStore, baseUrl, networks: [instagram({ app: { instagram: { client_id, client_secret } } })] });
 */
export function instagram(settings: InstagramSettings = {}): InstagramAdapter {
  checkOptions("instagram", settingsSchema, settings);
  const { app, scopes = ["publish"], furtherScopes = [], videoUpload = "pull", apiVersion } = settings;
  const given = withVideoUpload(withApiVersion(limits, apiVersion), videoUpload);
  const spec = videoUpload === "push" ? { ...given, rules: [...given.rules, sentWithFacebookOnly] } : given;
  const api = createApi(spec.api_version);
  const connector = createConnector(api, appOfAll(app)?.facebook);
  const browser =
    app === undefined ? {} : { browser: browserLogin(api, { app, scopes: wantedScopes(scopes, furtherScopes) }) };
  const publish = createPublisher(api, { videoUpload });
  const choices = createChoices(api);
  return { spec, options, errors, connect: { ...connector, ...browser }, choices, publish };
}
