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

/** What `facebook` takes. */
export interface FacebookSettings {
  /**
   * The app that people log in by, from developers.facebook.com (App settings → Basic), or a function that finds one
   * for an account of the service. It lists `{baseUrl}/connect/facebook/callback` as a valid OAuth redirect URI.
   *
   * @default none: Pages are connected by tokens that you have
   */
  app?: FacebookAppSetting | undefined;
  /** What logins ask for. @default ["publish"] */
  scopes?: readonly Purpose[] | undefined;
  /**
   * The app has Meta's feature Human Agent: then answers that people write (`by: "person"`) go out as such for a week
   * after what somebody did last, in place of a day.
   *
   * @default false
   */
  humanAgent?: boolean | undefined;
  /**
   * How reels and films of stories reach Facebook: it fetches them from an address that is public (`pull`), or they
   * are sent (`push`), which needs none. Films of the feed are always sent, photos always fetched.
   *
   * @default "pull"
   */
  videoUpload?: VideoUpload | undefined;
  /** The version of the Graph API that requests name. @default "v26.0" */
  apiVersion?: keyof typeof limits.versions | undefined;
}

const settingsSchema = z.strictObject({
  app: appSetting(oauthAppSchema).optional(),
  scopes: purposesSetting.optional(),
  humanAgent: trueOrFalse.optional(),
  videoUpload: videoUploadSetting.optional(),
  // Which versions there are, the limits say.
  apiVersion: z.unknown().optional(),
} satisfies OptionSchemas<FacebookSettings>);

/** What `networks.facebook` takes besides content of its own. */
export type FacebookOptions = z.input<typeof options>;
/** What connecting a Page takes. */
export type FacebookCredentials = z.input<typeof credentialsSchema>;
/** What `facebook` returns. */
export type FacebookAdapter = NetworkAdapter<"facebook", typeof options, typeof credentialsSchema>;

/**
 * Facebook, Pages: texts, links, photos, films, reels and stories. There is nothing for people's own profiles and for
 * groups.
 *
 * An app is made at developers.facebook.com, with the callback `{baseUrl}/connect/facebook/callback`. It asks for
 * `pages_show_list`, `pages_read_engagement`, `pages_manage_posts`, `business_management` (Pages of business
 * portfolios) and, for first comments, `pages_manage_engagement`; for the inbox also `pages_read_user_content`,
 * `pages_messaging` and `pages_manage_metadata`, and its callback URL is set to `{baseUrl}/hooks/facebook/{client_id}`
 * where it has none. Pages of others than those with a role on the app
 * need Advanced Access to them. A Page's token does not run out, but a person who has not used the app for 90 days
 * must log in again. Facebook fetches photos, reels and films of stories itself: the service needs a `baseUrl` that is
 * public, or files that are; for reels and films `videoUpload: "push"` will do.
 *
 * @throws SocialError `invalid_options` naming a setting that is wrong
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
