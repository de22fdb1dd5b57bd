import type { BrowserLogin } from "../contract/browser-login.ts";
import { appFor } from "../shared/app.ts";
import { demandRefreshToken, oauthLogin, refreshEndField, tokenFields } from "../shared/oauth-login.ts";
import { type Purpose, scopesFor } from "../shared/scopes.ts";
import { readUser } from "./account.ts";
import { appSchema, clientOf, oauth, type TiktokApp, type TiktokAppSetting } from "./oauth.ts";
import { type FurtherScope, scopes } from "./scopes.ts";

/** The login on TikTok's own pages: one login is one account. */
export function browserLogin(
  setting: TiktokAppSetting,
  { purposes, further }: { purposes: readonly Purpose[]; further: readonly FurtherScope[] },
): BrowserLogin {
  return oauthLogin({
    table: oauth,
    clientOf: async (accountId) => clientOf(await findApp(setting, accountId)),
    wanted: scopesFor(scopes, purposes),
    further,

    async accounts(context, { client, tokens, granted }) {
      const refresh_token = demandRefreshToken(tokens, "TikTok");
      const headers = { authorization: `Bearer ${tokens.access_token}` };
      const user = await readUser({ request: context.request, headers }, granted);
      const credentials = {
        ...tokenFields(tokens),
        ...refreshEndField(tokens),
        refresh_token,
        client_key: client.client_id,
        scopes: [...granted],
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
  });
}

export function findApp(setting: TiktokAppSetting, accountId: string): Promise<TiktokApp> {
  return appFor(setting, { schema: appSchema, accountId, name: oauth.name });
}
