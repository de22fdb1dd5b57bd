import type { BrowserLogin } from "../contract/browser-login.ts";
import { appFor } from "../shared/app.ts";
import { oauthLogin, tokenFields } from "../shared/oauth-login.ts";
import { type Purpose, scopesFor } from "../shared/scopes.ts";
import { pictureOf, readMe, requestMe } from "./account.ts";
import { appSchema, oauth, scopes, type XAppSetting } from "./oauth.ts";

/** The login on X's own pages: one login is one account. A code is good for 30 seconds. */
export function browserLogin(setting: XAppSetting, purposes: readonly Purpose[]): BrowserLogin {
  return oauthLogin({
    table: oauth,
    clientOf: (accountId) => appFor(setting, { schema: appSchema, accountId, name: oauth.name }),
    wanted: scopesFor(scopes, purposes),

    async accounts(context, { client, tokens, granted }) {
      const headers = { authorization: `Bearer ${tokens.access_token}` };
      const me = readMe(await requestMe(context, { headers }));
      const credentials = { ...tokenFields(tokens), client_id: client.client_id, scopes: [...granted] };
      return [{ id: me.id, name: me.name, handle: me.username, avatar_url: pictureOf(me), credentials }];
    },
  });
}
