import * as z from "zod";
import { checkOptions, type OptionSchemas, trueOrFalse } from "../../ports/parse-options.ts";
import type { NetworkAdapter } from "../contract/adapter.ts";
import { withApiVersion } from "../contract/api-version.ts";
import { appOfAll, appSetting } from "../shared/app.ts";
import { type VideoUpload, videoUploadSetting, withVideoUpload } from "../shared/meta/video-upload.ts";
import { oauthAppSchema } from "../shared/oauth2.ts";
import { type Purpose, purposesSetting, withInbox } from "../shared/scopes.ts";
import { createApi } from "./api.ts";
import { browserLogin } from "./browser.ts";
import { createConnector, type credentialsSchema } from "./connect.ts";
import { errors } from "./errors.ts";
import { createInbox } from "./inbox.ts";
import { limits } from "./limits.ts";
import type { FacebookAppSetting } from "./oauth.ts";
import { options } from "./options.ts";
import { createPublisher } from "./publish.ts";

export type { FacebookApp, FacebookAppSetting } from "./oauth.ts";

/** Options of `facebook`. */
export interface FacebookSettings {
  /**
   * Your app from developers.facebook.com (App settings → Basic), or a function that returns one for an account of
   * the service. Register `{baseUrl}/connect/facebook/callback` as a valid OAuth redirect URI.
   *
   * @default none: Pages are connected by tokens that you obtain
   */
  app?: FacebookAppSetting | undefined;
  /** Permissions that browser sign-ins request. @default ["publish"] */
  scopes?: readonly Purpose[] | undefined;
  /**
   * True: the app has Meta's feature Human Agent. Replies written by a person (`by: "person"`) are then possible for
   * a week after the user's last action, instead of a day.
   *
   * @default false
   */
  humanAgent?: boolean | undefined;
  /**
   * How reels and story videos reach Facebook: it fetches them from a public URL (`pull`), or the service uploads
   * them (`push`). Feed videos are always uploaded, photos always fetched.
   *
   * @default "pull"
   */
  videoUpload?: VideoUpload | undefined;
  /** The version of the Graph API to use. @default "v26.0" */
  apiVersion?: keyof typeof limits.versions | undefined;
}

const settingsSchema = z.strictObject({
  app: appSetting(oauthAppSchema).optional(),
  scopes: purposesSetting.optional(),
  humanAgent: trueOrFalse.optional(),
  videoUpload: videoUploadSetting.optional(),
  // `limits` says which versions exist.
  apiVersion: z.unknown().optional(),
} satisfies OptionSchemas<FacebookSettings>);

/** The options of `networks.facebook`, in addition to overriding content. */
export type FacebookOptions = z.input<typeof options>;
/** Credentials for connecting a Page. */
export type FacebookCredentials = z.input<typeof credentialsSchema>;
/** The type that `facebook` returns. */
export type FacebookAdapter = NetworkAdapter<"facebook", typeof options, typeof credentialsSchema>;

/**
 * Facebook Pages: texts, links, photos, videos, reels and stories. Personal profiles and groups are not supported.
 *
 * Create an app at developers.facebook.com, with the callback `{baseUrl}/connect/facebook/callback`. It requests
 * `pages_show_list`, `pages_read_engagement`, `pages_manage_posts`, `business_management` (Pages of business
 * portfolios) and, for first comments, `pages_manage_engagement`; for the inbox also `pages_read_user_content`,
 * `pages_messaging` and `pages_manage_metadata`, and the service sets its callback URL to
 * `{baseUrl}/hooks/facebook/{client_id}` if it has none. Pages of people without a role on the app
 * need Advanced Access to these permissions. A Page's token does not expire, but a person who has not
 * used the app for 90 days must reconnect the profile. Facebook fetches photos, reels and story videos by URL:
 * the service needs a public `baseUrl` or public files; for reels and videos, `videoUpload: "push"`
 * needs neither.
 *
 * @throws SocialError `invalid_options` naming the invalid option
 * @see https://developers.facebook.com/docs/pages-api/posts
 * @see https://developers.facebook.com/docs/video-api/guides/reels-publishing
 * @see https://developers.facebook.com/docs/page-stories-api
 * @example
 * createSocialService({ storage, mediaStore, baseUrl, networks: [facebook({ app: { client_id, client_secret } })] });
 */
export function facebook(settings: FacebookSettings = {}): FacebookAdapter {
  checkOptions("facebook", settingsSchema, settings);
  const { app, scopes = ["publish"], humanAgent = false, videoUpload = "pull", apiVersion } = settings;
  const spec = withVideoUpload(withApiVersion(limits, apiVersion), videoUpload);
  const api = createApi(spec.api_version);
  const connector = createConnector(api, appOfAll(app));
  const browser = app === undefined ? {} : { browser: browserLogin(api, { app, purposes: scopes }) };
  const publish = createPublisher(api, { videoUpload });
  const inbox = createInbox(api, { app, humanAgent });
  return withInbox({ spec, options, errors, connect: { ...connector, ...browser }, publish, inbox }, scopes);
}
