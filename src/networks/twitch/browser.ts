import { z } from "zod";
import { isoTime } from "../../ports/clock.ts";
import type { AccountChoice, BrowserLogin } from "../contract/browser-login.ts";
import { appFor } from "../shared/app.ts";
import { demandScopes, loginPage, tradeCode } from "../shared/oauth2.ts";
import { readMe } from "./account.ts";
import { appSchema, oauth, scopes, type TwitchApp, type TwitchAppSetting } from "./oauth.ts";

/** The login on Twitch's own pages: one login is one channel. */
export function browserLogin(setting: TwitchAppSetting): BrowserLogin {
  const appOf = (accountId: string): Promise<TwitchApp> =>
    appFor(setting, { schema: appSchema, accountId, name: oauth.name });
  return {
    input: z.strictObject({}),

    async begin(context) {
      return loginPage(oauth, context, { app: await appOf(context.accountId), scopes });
    },

    async finish(context, back): Promise<AccountChoice[]> {
      const { client_id, client_secret } = await appOf(context.accountId);
      const tokens = await tradeCode(oauth, context, { app: { client_id, client_secret }, back });
      demandScopes(oauth, { wanted: scopes, granted: tokens.scopes });
      const { access_token, refresh_token, expires_at } = tokens;
      const headers = { authorization: `Bearer ${access_token}`, "client-id": client_id };
      const me = await readMe(context, { headers });
      const credentials = {
        access_token,
        ...(refresh_token === null ? {} : { refresh_token }),
        ...(expires_at === null ? {} : { expires_at: isoTime(expires_at) }),
      };
      const avatar_url = me.profile_image_url ?? null;
      return [{ id: me.id, name: me.display_name, handle: me.login, avatar_url, credentials }];
    },
  };
}
