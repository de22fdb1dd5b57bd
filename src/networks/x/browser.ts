import type { BrowserLogin } from "../contract/browser-login.ts";
import { inNameOf } from "../shared/bearer.ts";
import { choiceOf, oauthLogin, tokenFields } from "../shared/oauth-login.ts";
import { type Purpose, scopesFor } from "../shared/scopes.ts";
import { identityOf, readMe, requestMe } from "./account.ts";
import { findApp, oauth, scopes, type XAppSetting } from "./oauth.ts";

/** The browser sign-in on X's own pages, for one account. A code is valid for 30 seconds. */
export function browserLogin(setting: XAppSetting, purposes: readonly Purpose[]): BrowserLogin {
  return oauthLogin({
    table: oauth,
    clientOf: (accountId) => findApp(setting, accountId),
    wanted: scopesFor(scopes, purposes),

    async accounts(context, { client, tokens, granted }) {
      const me = readMe(await requestMe(inNameOf(context, tokens.access_token)));
      const credentials = { ...tokenFields(tokens), client_id: client.client_id, scopes: [...granted] };
      return [choiceOf(identityOf(me, granted), credentials)];
    },
  });
}
