import { documentedObject } from "../../wire/documented-object.ts";
import { type BrowserLogin, LoginFailed } from "../contract/browser-login.ts";
import { findGoogleApp, type GoogleAppSetting } from "../shared/google/tokens.ts";
import { demandScopes, loginPage, tradeCode } from "../shared/oauth2.ts";
import { type Purpose, scopesFor } from "../shared/scopes.ts";
import { readAccounts, readLocations } from "./locations.ts";
import { oauth } from "./oauth.ts";
import { scopes } from "./scopes.ts";

const input = documentedObject({});

/** A login at Google, behind which are all locations that the person manages. */
export function browserLogin(setting: GoogleAppSetting, purposes: readonly Purpose[]): BrowserLogin {
  const wanted = scopesFor(scopes, purposes);

  return {
    input,

    async begin(context) {
      const app = await findGoogleApp(setting, context.accountId, oauth.name);
      return loginPage(oauth, context, { app, scopes: wanted });
    },

    async finish(context, back) {
      const app = await findGoogleApp(setting, context.accountId, oauth.name);
      const { access_token, refresh_token, scopes: granted } = await tradeCode(oauth, context, { app, back });
      demandScopes(oauth, { wanted, granted });
      if (refresh_token === null)
        throw new LoginFailed("login_failed", "Google gave no lasting login: log in again and allow all of it.");
      const reading = { request: context.request, headers: { authorization: `Bearer ${access_token}` } };
      const reached = await readLocations(reading, await readAccounts(reading));
      if (reached.length === 0)
        throw new LoginFailed("no_account", "This Google account manages no business profile: choose another.");
      return reached.map(({ location: { name, title }, parent }) => ({
        id: name,
        name: title || name,
        handle: null,
        avatar_url: null,
        credentials: { access_token, refresh_token, location: name, account: parent, client_id: app.client_id },
      }));
    },
  };
}
