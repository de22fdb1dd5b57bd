import { z } from "zod";
import { isoTime } from "../../ports/clock.ts";
import type { AccountChoice, BrowserLogin } from "../contract/browser-login.ts";
import { appFor } from "../shared/app.ts";
import { demandScopes, loginPage, type OAuthApp, tradeCode } from "../shared/oauth2.ts";
import { type Purpose, scopesFor } from "../shared/scopes.ts";
import { pictureOf, readMe, requestMe } from "./account.ts";
import { appSchema, oauth, scopes, type XAppSetting } from "./oauth.ts";

/** The login on X's own pages: one login is one account. A code is good for 30 seconds. */
export function browserLogin(setting: XAppSetting, purposes: readonly Purpose[]): BrowserLogin {
  const wanted = scopesFor(scopes, purposes);
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
      const me = readMe(await requestMe(context, { headers }));
      const credentials = {
        access_token: tokens.access_token,
        ...(tokens.refresh_token === null ? {} : { refresh_token: tokens.refresh_token }),
        ...(tokens.expires_at === null ? {} : { expires_at: isoTime(tokens.expires_at) }),
        client_id: app.client_id,
        scopes: tokens.scopes ?? wanted,
      };
      return [{ id: me.id, name: me.name, handle: me.username, avatar_url: pictureOf(me), credentials }];
    },
  };
}
