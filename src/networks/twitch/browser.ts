import type { BrowserLogin } from "../contract/browser-login.ts";
import { choiceOf, oauthLogin, tokenFields } from "../shared/oauth-login.ts";
import { asLogin, identityOf, readMe } from "./account.ts";
import { findApp, oauth, scopes, type TwitchAppSetting } from "./oauth.ts";

/** The browser sign-in on Twitch's own pages, for one channel. */
export function browserLogin(setting: TwitchAppSetting): BrowserLogin {
  return oauthLogin({
    table: oauth,
    clientOf: (accountId) => findApp(setting, accountId),
    wanted: scopes,

    async accounts(context, { client: { client_id }, tokens, granted }) {
      const me = await readMe(asLogin(context, { access_token: tokens.access_token, client_id }));
      return [choiceOf(identityOf(me, granted), tokenFields(tokens))];
    },
  });
}
