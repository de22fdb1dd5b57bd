import { z } from "zod";
import { isoTime } from "../../ports/clock.ts";
import type { AccountChoice, BrowserLogin } from "../contract/browser-login.ts";
import { appFor } from "../shared/app.ts";
import { demandScopes, loginPage, type OAuthApp, tradeCode } from "../shared/oauth2.ts";
import { nameOf, readAccount } from "./account.ts";
import { appSchema, oauth, type PinterestAppSetting } from "./oauth.ts";

/** The login on Pinterest's own pages: one login is one account; which board a Pin goes to, the post says. */
export function browserLogin(setting: PinterestAppSetting, wanted: readonly string[]): BrowserLogin {
  const appOf = (accountId: string): Promise<OAuthApp> =>
    appFor(setting, { schema: appSchema, accountId, name: oauth.name });
  return {
    input: z.strictObject({}),

    async begin(context) {
      return loginPage(oauth, context, { app: await appOf(context.accountId), scopes: wanted });
    },

    async finish(context, back): Promise<AccountChoice[]> {
      const app = await appOf(context.accountId);
      const tokens = await tradeCode(oauth, context, { app, back });
      demandScopes(oauth, { wanted, granted: tokens.scopes });
      const headers = { authorization: `Bearer ${tokens.access_token}` };
      const account = await readAccount(context, { headers });
      const credentials = {
        access_token: tokens.access_token,
        ...(tokens.refresh_token === null ? {} : { refresh_token: tokens.refresh_token }),
        ...(tokens.expires_at === null ? {} : { expires_at: isoTime(tokens.expires_at) }),
        client_id: app.client_id,
        scopes: tokens.scopes ?? [...wanted],
      };
      const { id, username, profile_image } = account;
      return [{ id, name: nameOf(account), handle: username, avatar_url: profile_image || null, credentials }];
    },
  };
}
