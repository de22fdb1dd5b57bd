import * as z from "zod";
import { type AppSetting, appFinder } from "../shared/app.ts";
import type { OAuthApp, OAuthTable } from "../shared/oauth2.ts";
import { endpoint } from "./api.ts";

/**
 * https://developers.tiktok.com/doc/login-kit-web (2026-11). PKCE is only for desktop and mobile apps, with a
 * hexadecimal challenge.
 */
export const oauth = {
  name: "TikTok",
  authorize: "https://www.tiktok.com/v2/auth/authorize/",
  token: endpoint("oauth/token"),
  revoke: endpoint("oauth/revoke"),
  clientAuth: "form",
  clientIdName: "client_key",
  pkce: false,
  scopeSeparator: ",",
  // Shows the page each time, so that the user can choose another account.
  parameters: { disable_auto_auth: "1" },
} satisfies OAuthTable;

export const appSchema = z.strictObject({
  client_key: z.string().min(1).max(200),
  client_secret: z.string().min(1).max(500),
});

/** An app at developers.tiktok.com: its client key and client secret. */
export type TiktokApp = z.infer<typeof appSchema>;

/** One app for all accounts, or a function that returns one for each. */
export type TiktokAppSetting = AppSetting<TiktokApp>;

const findApp = appFinder(appSchema, oauth.name);

/** The app of an account, in OAuth's terms. */
export async function findClient(setting: TiktokAppSetting, accountId: string): Promise<OAuthApp> {
  const { client_key: client_id, client_secret } = await findApp(setting, accountId);
  return { client_id, client_secret };
}

/**
 * Time after which a refresh token of unknown age is used, milliseconds. Otherwise it is used after half the lifetime
 * that TikTok reported: half a year in the documentation of 2026-11, and a year in older versions.
 * https://developers.tiktok.com/docs/en/oauth-refresh-a-user-access-token (2026-11)
 */
export const renewUnknownAfterMs = 30 * 24 * 3_600_000;
