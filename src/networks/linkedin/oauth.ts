import type * as z from "zod";
import { type AppSetting, appFinder } from "../shared/app.ts";
import { type OAuthTable, oauthAppSchema } from "../shared/oauth2.ts";

/**
 * https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow (2026-08); revocation:
 * https://github.com/linkedin-developers/linkedin-api-js-client (2026-08)
 */
export const oauth = {
  name: "LinkedIn",
  authorize: "https://www.linkedin.com/oauth/v2/authorization",
  token: "https://www.linkedin.com/oauth/v2/accessToken",
  revoke: "https://www.linkedin.com/oauth/v2/revoke",
  clientAuth: "form",
  pkce: false,
} satisfies OAuthTable;

/** The host's app at LinkedIn. */
export type LinkedinApp = z.infer<typeof oauthAppSchema>;
/** One app for all accounts, or a function that finds the app of an account. */
export type LinkedinAppSetting = AppSetting<LinkedinApp>;

export const findApp = appFinder(oauthAppSchema, oauth.name);
