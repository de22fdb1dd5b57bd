import type { BrowserLogin } from "../contract/browser-login.ts";
import { inNameOf } from "../shared/bearer.ts";
import { choiceOf, oauthLogin, tokenFields } from "../shared/oauth-login.ts";
import { readIdentity } from "./account.ts";
import { findApp, oauth, type PinterestAppSetting } from "./oauth.ts";

/** The browser sign-in on Pinterest's own pages, for one account. Each post names its board. */
export function browserLogin(setting: PinterestAppSetting, wanted: readonly string[]): BrowserLogin {
  return oauthLogin({
    table: oauth,
    clientOf: (accountId) => findApp(setting, accountId),
    wanted,

    async accounts(context, { client, tokens, granted }) {
      const identity = await readIdentity(inNameOf(context, tokens.access_token), granted);
      const credentials = { ...tokenFields(tokens), client_id: client.client_id, scopes: [...granted] };
      return [choiceOf(identity, credentials)];
    },
  });
}
