import { documentedObject } from "../../wire/documented-object.ts";
import { type BrowserLogin, LoginFailed } from "../contract/browser-login.ts";
import { findGoogleApp, type GoogleAppSetting, withBearer } from "../shared/google/tokens.ts";
import { demandScopes, loginPage, tradeCode } from "../shared/oauth2.ts";
import { type Purpose, scopesFor } from "../shared/scopes.ts";
import { pictureOf, readChannel } from "./channel.ts";
import { oauth } from "./oauth.ts";
import { scopes } from "./scopes.ts";

const input = documentedObject({});

/** A login at Google, on whose page one channel is chosen. */
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
      const channel = await readChannel(context, (request) => withBearer(request, access_token));
      if (channel === null)
        throw new LoginFailed("no_account", "This Google account has no YouTube channel: make one, or choose another.");
      const { id, snippet } = channel;
      return [
        {
          id,
          name: snippet.title,
          handle: snippet.customUrl ?? null,
          avatar_url: pictureOf(snippet),
          credentials: { access_token, refresh_token, client_id: app.client_id },
        },
      ];
    },
  };
}
