import * as z from "zod";
import { checkOptions, type OptionSchemas } from "../../ports/parse-options.ts";
import type { NetworkAdapter } from "../contract/adapter.ts";
import { withApiVersion } from "../contract/api-version.ts";
import { appSetting } from "../shared/app.ts";
import { oauthAppSchema } from "../shared/oauth2.ts";
import { type Purpose, purposesSetting } from "../shared/scopes.ts";
import { createApi } from "./api.ts";
import { createConnector, type credentialsSchema } from "./connect.ts";
import { errors } from "./errors.ts";
import { limits } from "./limits.ts";
import type { LinkedinAppSetting } from "./oauth.ts";
import { options } from "./options.ts";
import { createPublisher } from "./publish.ts";
import type { Product } from "./scopes.ts";

export type { LinkedinApp, LinkedinAppSetting } from "./oauth.ts";

/** Options of `linkedin`. */
export interface LinkedinSettings {
  /**
   * Your app from www.linkedin.com/developers/apps: its client id and secret, or a function that returns them for
   * an account of the service.
   *
   * @default none: accounts are connected by tokens that you obtain, and not renewed
   */
  app?: LinkedinAppSetting | undefined;
  /**
   * The app's products at LinkedIn, which decide the scopes that it can request. `self_serve`: Share on LinkedIn and Sign
   * In with LinkedIn using OpenID Connect, for members · `community_management`: the Community Management API, for
   * members and organisations.
   *
   * @default "self_serve"
   */
  product?: Product | undefined;
  /** Permissions that browser sign-ins request. @default ["publish"] */
  scopes?: readonly Purpose[] | undefined;
  /** The version of the API to use. @default "202609" */
  apiVersion?: keyof typeof limits.versions | undefined;
}

const settingsSchema = z.strictObject({
  app: appSetting(oauthAppSchema).optional(),
  product: z
    .enum(["self_serve", "community_management"], { error: 'Must be "self_serve" or "community_management".' })
    .optional(),
  scopes: purposesSetting.optional(),
  // `withApiVersion` checks the value against the spec.
  apiVersion: z.unknown().optional(),
} satisfies OptionSchemas<LinkedinSettings>);

/** The options of `networks.linkedin`. */
export type LinkedinOptions = z.input<typeof options>;
/** Credentials for connecting an account. */
export type LinkedinCredentials = z.input<typeof credentialsSchema>;
/** The return type of `linkedin`. */
export type LinkedinAdapter = NetworkAdapter<"linkedin", typeof options, typeof credentialsSchema>;

/**
 * LinkedIn, members and organisations: texts, images, videos, link cards.
 *
 * Create an app at www.linkedin.com/developers/apps, with exactly the
 * redirect URL `{baseUrl}/connect/linkedin/callback`. With the self-serve products "Share on LinkedIn"
 * and "Sign In with LinkedIn using OpenID Connect" it requests `openid profile w_member_social` and
 * can post for members. An app with the Community Management API, which LinkedIn reviews and which
 * allows no other product, requests `r_basicprofile
 * w_member_social w_member_social_feed w_organization_social w_organization_social_feed r_organization_social
 * rw_organization_admin` and can also post for organisations. An access token expires after 60 days; approved
 * partners get refresh tokens, which expire a year after the login.
 *
 * After a lost response the service reads an organisation's posts. LinkedIn does not list a member's
 * posts, so the service cannot tell whether a member's post is live.
 * In a text, `#word` is a hashtag, and `@[Exact Name](urn:li:organization:123)` mentions an organisation.
 *
 * @throws SocialError `invalid_options` naming the invalid option
 * @see https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api
 * @see https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/little-text-format
 * @example
 * createSocialService({ storage, networks: [linkedin({ app: { client_id, client_secret } })] });
 */
export function linkedin(settings: LinkedinSettings = {}): LinkedinAdapter {
  checkOptions("linkedin", settingsSchema, settings);
  const { app, product = "self_serve", scopes = ["publish"], apiVersion } = settings;
  const spec = withApiVersion(limits, apiVersion);
  const api = createApi(spec.api_version);
  return {
    spec,
    options,
    errors,
    connect: createConnector(api, { app, product, purposes: scopes }),
    publish: createPublisher(api),
  };
}
