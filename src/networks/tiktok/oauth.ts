import * as z from "zod";
import { type AppSetting, appFinder } from "../shared/app.ts";
import type { OAuthApp, OAuthTable } from "../shared/oauth2.ts";
import { endpoint } from "./api.ts";

/**
 * https://developers.tiktok.com/doc/login-kit-web (2026-11). PKCE is for desktop and mobile apps alone, where the
 * challenge is written in hexadecimal.
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
  // The page is shown each time, so that another account can be chosen.
  parameters: { disable_auto_auth: "1" },
} satisfies OAuthTable;

export const appSchema = z.strictObject({
  client_key: z.string().min(1).max(200),
  client_secret: z.string().min(1).max(500),
});

/** An app at developers.tiktok.com: its client key and client secret. */
export type TiktokApp = z.infer<typeof appSchema>;

/** One app for all accounts, or one found for each. */
export type TiktokAppSetting = AppSetting<TiktokApp>;

const findApp = appFinder(appSchema, oauth.name);

/** The app of an account, as OAuth calls it. */
export async function findClient(setting: TiktokAppSetting, accountId: string): Promise<OAuthApp> {
  const { client_key: client_id, client_secret } = await findApp(setting, accountId);
  return { client_id, client_secret };
}

/**
 * A refresh token lives for half a year in the documents of 2026-11, and a year in older ones; it is used when half of
 * what TikTok told is over. Where nobody knows how old it is, this soon, milliseconds.
 * https://developers.tiktok.com/docs/en/oauth-refresh-a-user-access-token (2026-11)
 */
export const renewUnknownAfterMs = 30 * 24 * 3_600_000;
