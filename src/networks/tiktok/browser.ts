import type { BrowserLogin } from "../contract/browser-login.ts";
import { inNameOf } from "../shared/bearer.ts";
import { assertRefreshToken, choiceOf, oauthLogin, refreshEndField, tokenFields } from "../shared/oauth-login.ts";
import { type Purpose, scopesFor } from "../shared/scopes.ts";
import { identityOf, readUser } from "./account.ts";
import { findClient, oauth, type TiktokAppSetting } from "./oauth.ts";
import { type FurtherScope, scopes } from "./scopes.ts";

/** The browser sign-in on TikTok's own pages, for one account. */
export function browserLogin(
  setting: TiktokAppSetting,
  { purposes, further }: { purposes: readonly Purpose[]; further: readonly FurtherScope[] },
): BrowserLogin {
  return oauthLogin({
    table: oauth,
    clientOf: (accountId) => findClient(setting, accountId),
    wanted: scopesFor(scopes, purposes),
    further,

    async accounts(context, { client, tokens, granted }) {
      const refresh_token = assertRefreshToken(tokens, "TikTok");
      const user = await readUser(inNameOf(context, tokens.access_token), granted);
      const known = { scopes: [...granted], scopes_are_whole: true };
      const credentials = {
        ...tokenFields(tokens),
        ...refreshEndField(tokens),
        refresh_token,
        client_key: client.client_id,
        scopes: known.scopes,
      };
      return [choiceOf(identityOf({ user, creator: null }, known), credentials)];
    },
  });
}
