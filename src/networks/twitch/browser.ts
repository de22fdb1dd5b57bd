import type { BrowserLogin } from "../contract/browser-login.ts";
import { appFor } from "../shared/app.ts";
import { oauthLogin, tokenFields } from "../shared/oauth-login.ts";
import { readMe } from "./account.ts";
import { appSchema, oauth, scopes, type TwitchAppSetting } from "./oauth.ts";

/** The login on Twitch's own pages: one login is one channel. */
export function browserLogin(setting: TwitchAppSetting): BrowserLogin {
  return oauthLogin({
    table: oauth,
    clientOf: (accountId) => appFor(setting, { schema: appSchema, accountId, name: oauth.name }),
    wanted: scopes,

    async accounts(context, { client, tokens }) {
      const headers = { authorization: `Bearer ${tokens.access_token}`, "client-id": client.client_id };
      const me = await readMe(context, { headers });
      const avatar_url = me.profile_image_url ?? null;
      return [{ id: me.id, name: me.display_name, handle: me.login, avatar_url, credentials: tokenFields(tokens) }];
    },
  });
}
