import { type BrowserLogin, LoginFailed } from "../contract/browser-login.ts";
import { findGoogleApp, type GoogleAppSetting } from "../shared/google/tokens.ts";
import { demandRefreshToken, oauthLogin, refreshEndField } from "../shared/oauth-login.ts";
import { type Purpose, scopesFor } from "../shared/scopes.ts";
import { readAccounts, readLocations } from "./locations.ts";
import { oauth } from "./oauth.ts";
import { scopes } from "./scopes.ts";

/** A login at Google, behind which are all locations that the person manages. */
export function browserLogin(setting: GoogleAppSetting, purposes: readonly Purpose[]): BrowserLogin {
  return oauthLogin({
    table: oauth,
    clientOf: (accountId) => findGoogleApp(setting, accountId, oauth.name),
    wanted: scopesFor(scopes, purposes),

    async accounts(context, { client, tokens }) {
      const { access_token } = tokens;
      const refresh_token = demandRefreshToken(tokens, "Google");
      const login = { access_token, refresh_token, ...refreshEndField(tokens) };
      const reading = { request: context.request, headers: { authorization: `Bearer ${access_token}` } };
      const reached = await readLocations(reading, await readAccounts(reading));
      if (reached.length === 0)
        throw new LoginFailed("no_account", "This Google account manages no business profile: choose another.");
      return reached.map(({ location: { name, title }, parent }) => ({
        id: name,
        name: title || name,
        handle: null,
        avatar_url: null,
        credentials: { ...login, location: name, account: parent, client_id: client.client_id },
      }));
    },
  });
}
