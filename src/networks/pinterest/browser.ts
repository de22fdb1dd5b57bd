import type { BrowserLogin } from "../contract/browser-login.ts";
import { appFor } from "../shared/app.ts";
import { oauthLogin, tokenFields } from "../shared/oauth-login.ts";
import { nameOf, readAccount } from "./account.ts";
import { appSchema, oauth, type PinterestAppSetting } from "./oauth.ts";

/** The login on Pinterest's own pages: one login is one account; which board a Pin goes to, the post says. */
export function browserLogin(setting: PinterestAppSetting, wanted: readonly string[]): BrowserLogin {
  return oauthLogin({
    table: oauth,
    clientOf: (accountId) => appFor(setting, { schema: appSchema, accountId, name: oauth.name }),
    wanted,

    async accounts(context, { client, tokens, granted }) {
      const account = await readAccount(context, { headers: { authorization: `Bearer ${tokens.access_token}` } });
      const credentials = { ...tokenFields(tokens), client_id: client.client_id, scopes: [...granted] };
      const { id, username, profile_image } = account;
      return [{ id, name: nameOf(account), handle: username, avatar_url: profile_image || null, credentials }];
    },
  });
}
