import * as z from "zod";
import type { AppSetting } from "../shared/app.ts";
import type { OAuthTable } from "../shared/oauth2.ts";
import type { ScopesByPurpose } from "../shared/scopes.ts";

/** The same on every server. https://docs.joinmastodon.org/methods/oauth/ (2026-07); servers before 4.3 ignore the PKCE challenge. */
export function oauthOf(host: string): OAuthTable & { revoke: string } {
  return {
    name: host,
    authorize: `https://${host}/oauth/authorize`,
    token: `https://${host}/oauth/token`,
    revoke: `https://${host}/oauth/revoke`,
    clientAuth: "form",
    pkce: true,
  };
}

/** https://docs.joinmastodon.org/api/oauth-scopes/ (2026-07) */
export const scopes: ScopesByPurpose = {
  publish: ["read:accounts", "read:statuses", "write:statuses", "write:media"],
  inbox: ["read:accounts", "read:statuses", "read:notifications", "write:statuses", "write:conversations"],
};

export const appSchema = z.strictObject({
  name: z.string().trim().min(1).max(60),
  website: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional(),
});

/** Your app's details. The service registers the app automatically at each server, when the first user signs in there. */
export interface MastodonApp {
  /** The app's name on the sign-in page, 1 to 60 characters. */
  name: string;
  /** URL of its website. */
  website?: string | undefined;
}

/** The setting `app`: one app for all accounts, or a function that finds the app of an account. */
export type MastodonAppSetting = AppSetting<MastodonApp>;
