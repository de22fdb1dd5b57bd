import { type BrowserLogin, LoginFailed } from "../contract/browser-login.ts";
import { withBearer } from "../shared/bearer.ts";
import { findGoogleApp, type GoogleAppSetting } from "../shared/google/tokens.ts";
import { demandRefreshToken, oauthLogin, refreshEndField } from "../shared/oauth-login.ts";
import { type Purpose, scopesFor } from "../shared/scopes.ts";
import { pictureOf, readChannel } from "./channel.ts";
import { oauth } from "./oauth.ts";
import { scopes } from "./scopes.ts";

/** A login at Google, on whose page one channel is chosen. */
export function browserLogin(setting: GoogleAppSetting, purposes: readonly Purpose[]): BrowserLogin {
  return oauthLogin({
    table: oauth,
    clientOf: (accountId) => findGoogleApp(setting, accountId, oauth.name),
    wanted: scopesFor(scopes, purposes),

    async accounts(context, { client, tokens }) {
      const { access_token } = tokens;
      const refresh_token = demandRefreshToken(tokens, "Google");
      const channel = await readChannel(context, (request) => withBearer(request, access_token));
      if (channel === null)
        throw new LoginFailed("no_account", "This Google account has no YouTube channel: make one, or choose another.");
      const { id, snippet } = channel;
      const { title: name, customUrl: handle = null } = snippet;
      const credentials = { access_token, refresh_token, ...refreshEndField(tokens), client_id: client.client_id };
      return [{ id, name, handle, avatar_url: pictureOf(snippet), credentials }];
    },
  });
}
