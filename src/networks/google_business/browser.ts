import { type BrowserLogin, LoginFailed } from "../contract/browser-login.ts";
import { inNameOf } from "../shared/bearer.ts";
import { findGoogleApp, type GoogleAppSetting } from "../shared/google/tokens.ts";
import { assertRefreshToken, choiceOf, oauthLogin, refreshEndField } from "../shared/oauth-login.ts";
import { type Purpose, scopesFor } from "../shared/scopes.ts";
import { identityOf, readAccounts, readLocations } from "./locations.ts";
import { oauth } from "./oauth.ts";
import { scopes } from "./scopes.ts";

/** The browser sign-in at Google, for all locations that the user manages. */
export function browserLogin(setting: GoogleAppSetting, purposes: readonly Purpose[]): BrowserLogin {
  return oauthLogin({
    table: oauth,
    clientOf: (accountId) => findGoogleApp(setting, accountId, oauth.name),
    wanted: scopesFor(scopes, purposes),

    async accounts(context, { client, tokens, granted }) {
      const { access_token } = tokens;
      const refresh_token = assertRefreshToken(tokens, "Google");
      const login = { access_token, refresh_token, ...refreshEndField(tokens) };
      const reading = inNameOf(context, access_token);
      const reached = await readLocations(reading, await readAccounts(reading));
      if (reached.length === 0)
        throw new LoginFailed("no_account", "This Google account manages no business profile: choose another account.");
      const { client_id } = client;
      return reached.map(({ location, parent }) =>
        choiceOf(identityOf({ location, parent }, { scopes: [...granted], app: client_id }), {
          ...login,
          location: location.name,
          account: parent,
          client_id,
        }),
      );
    },
  });
}
