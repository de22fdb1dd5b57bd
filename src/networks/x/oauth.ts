import type * as z from "zod";
import { type AppSetting, appFinder } from "../shared/app.ts";
import { type OAuthTable, oauthAppSchema } from "../shared/oauth2.ts";
import type { ScopesByPurpose } from "../shared/scopes.ts";

/** https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code (2026-08) */
export const oauth = {
  name: "X",
  authorize: "https://x.com/i/oauth2/authorize",
  token: "https://api.x.com/2/oauth2/token",
  revoke: "https://api.x.com/2/oauth2/revoke",
  clientAuth: "basic",
  pkce: true,
} satisfies OAuthTable;

/**
 * Without `offline.access` there is no refresh token, and the access token expires after two hours.
 * https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code (2026-08)
 */
export const scopes: ScopesByPurpose = {
  publish: ["tweet.read", "tweet.write", "users.read", "media.write", "offline.access"],
  inbox: [
    "tweet.read",
    "tweet.write",
    "users.read",
    "media.write",
    "dm.read",
    "dm.write",
    "like.read",
    "tweet.moderate.write",
    "offline.access",
  ],
};

/**
 * Time after which an idle refresh token is used, milliseconds. It expires after about six months without use; this is
 * half of that.
 * https://docs.x.com/fundamentals/authentication/oauth-2-0/oauth-1-0a-token-exchange (2026-09)
 */
export const renewIdleAfterMs = 90 * 24 * 3_600_000;

/** The host's app at X: the id and secret of its OAuth 2.0 client. */
export type XApp = z.infer<typeof oauthAppSchema>;
/** One app for all accounts, or a function that returns one for each. */
export type XAppSetting = AppSetting<XApp>;

export const findApp = appFinder(oauthAppSchema, oauth.name);
