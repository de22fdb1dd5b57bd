import { type BrowserLogin, LoginFailed } from "../contract/browser-login.ts";
import { inNameOf } from "../shared/bearer.ts";
import { findGoogleApp, type GoogleAppSetting } from "../shared/google/tokens.ts";
import { assertRefreshToken, choiceOf, oauthLogin, refreshEndField } from "../shared/oauth-login.ts";
import { type Purpose, scopesFor } from "../shared/scopes.ts";
import { readChannel, toIdentity } from "./channel.ts";
import { oauth } from "./oauth.ts";
import { scopes } from "./scopes.ts";

/** The browser sign-in at Google, where the user chooses one channel. */
export function browserLogin(setting: GoogleAppSetting, purposes: readonly Purpose[]): BrowserLogin {
  return oauthLogin({
    table: oauth,
    clientOf: (accountId) => findGoogleApp(setting, accountId, oauth.name),
    wanted: scopesFor(scopes, purposes),

    async accounts(context, { client, tokens, granted }) {
      const { access_token } = tokens;
      const refresh_token = assertRefreshToken(tokens, "Google");
      const channel = await readChannel(inNameOf(context, access_token));
      if (channel === null)
        throw new LoginFailed(
          "no_account",
          "This Google account has no YouTube channel: create one, or choose another account.",
        );
      const credentials = { access_token, refresh_token, ...refreshEndField(tokens), client_id: client.client_id };
      return [choiceOf(toIdentity(channel, { scopes: [...granted], app: client.client_id }), credentials)];
    },
  });
}
