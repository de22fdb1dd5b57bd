import type { z } from "zod";
import type { NetworkAdapter } from "../contract/adapter.ts";
import { withApiVersion } from "../contract/api-version.ts";
import { createApi } from "./api.ts";
import { createConnector, type credentialsSchema } from "./connect.ts";
import { errors } from "./errors.ts";
import { limits } from "./limits.ts";
import { options } from "./options.ts";
import { createPublisher } from "./publish.ts";

/** What `instagram` takes. */
export interface InstagramSettings {
  /** The version of the Graph API that requests name. @default "v26.0" */
  apiVersion?: keyof typeof limits.versions | undefined;
}

/** What `networks.instagram` takes besides content of its own. */
export type InstagramOptions = z.input<typeof options>;
/** What connecting an account takes. */
export type InstagramCredentials = z.input<typeof credentialsSchema>;
/** What `instagram` returns. */
export type InstagramAdapter = NetworkAdapter<"instagram", typeof options, typeof credentialsSchema>;

/**
 * Instagram, professional accounts: pictures, reels, stories and carousels.
 *
 * An app is made at developers.facebook.com. With Instagram Login (no Facebook
 * Page needed) it asks for `instagram_business_basic`,
 * `instagram_business_content_publish` and, for first comments,
 * `instagram_business_manage_comments`; with Facebook Login, for accounts
 * behind a Page, for `instagram_basic`, `instagram_content_publish`,
 * `instagram_manage_comments`, `pages_show_list`, `pages_read_engagement` and
 * `business_management`. Instagram fetches files itself: the service needs a
 * `baseUrl` that is public, or files that are.
 *
 * @throws SocialError `internal_error` naming a setting that is wrong
 * @see https://developers.facebook.com/docs/instagram-platform/content-publishing
 * @see https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media
 * @example
 * createSocialService({ storage, mediaStore, baseUrl, networks: [instagram()] });
 */
export function instagram(settings: InstagramSettings = {}): InstagramAdapter {
  const spec = withApiVersion(limits, settings.apiVersion);
  const api = createApi(spec.api_version);
  return { spec, options, errors, connect: createConnector(api), publish: createPublisher(api) };
}
