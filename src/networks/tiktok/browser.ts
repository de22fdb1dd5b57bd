import { isoTime } from "../../ports/clock.ts";
import { documentedObject } from "../../wire/documented-object.ts";
import { type BrowserLogin, LoginFailed } from "../contract/browser-login.ts";
import { appFor } from "../shared/app.ts";
import { demandScopes, loginPage, tradeCode } from "../shared/oauth2.ts";
import { type Purpose, scopesFor } from "../shared/scopes.ts";
import { readUser } from "./account.ts";
import { appSchema, clientOf, oauth, type TiktokApp, type TiktokAppSetting } from "./oauth.ts";
import { type FurtherScope, scopes } from "./scopes.ts";

const input = documentedObject({});

/** The login on TikTok's own pages: one login is one account. */
export function browserLogin(
  setting: TiktokAppSetting,
  { purposes, further }: { purposes: readonly Purpose[]; further: readonly FurtherScope[] },
): BrowserLogin {
  const wanted = scopesFor(scopes, purposes);

  return {
    input,

    async begin(context) {
      const app = await findApp(setting, context.accountId);
      return loginPage(oauth, context, { app: clientOf(app), scopes: [...wanted, ...further] });
    },

    async finish(context, back) {
      const app = await findApp(setting, context.accountId);
      const tokens = await tradeCode(oauth, context, { app: clientOf(app), back });
      const { access_token, refresh_token, expires_at, answer } = tokens;
      demandScopes(oauth, { wanted, granted: tokens.scopes });
      if (refresh_token === null)
        throw new LoginFailed("login_failed", "TikTok gave no lasting login: log in again and allow all of it.");
      const granted = tokens.scopes ?? [...wanted, ...further];
      const headers = { authorization: `Bearer ${access_token}` };
      const user = await readUser({ request: context.request, headers }, granted);
      const life = refreshSeconds(answer);
      const credentials = {
        access_token,
        refresh_token,
        ...(expires_at === null ? {} : { expires_at: isoTime(expires_at) }),
        ...(life === null ? {} : { refresh_expires_at: isoTime(context.now() + life * 1000) }),
        client_key: app.client_key,
        scopes: granted,
      };
      const { open_id: id, display_name, username, avatar_url } = user;
      return [
        {
          id,
          name: display_name || username || "TikTok",
          handle: username || null,
          avatar_url: avatar_url || null,
          credentials,
        },
      ];
    },
  };
}

/** How long a refresh token lives, seconds; null: TikTok does not say. */
export function refreshSeconds({ refresh_expires_in: seconds }: Readonly<Record<string, unknown>>): number | null {
  return typeof seconds === "number" && seconds > 0 ? seconds : null;
}

export function findApp(setting: TiktokAppSetting, accountId: string): Promise<TiktokApp> {
  return appFor(setting, { schema: appSchema, accountId, name: oauth.name });
}
