import { isoTime } from "../../ports/clock.ts";
import type { BrowserLogin } from "../contract/browser-login.ts";
import { appFor } from "../shared/app.ts";
import { demandRefreshToken, oauthLogin, tokenFields } from "../shared/oauth-login.ts";
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
      const life = refreshSeconds(tokens.answer);
      const credentials = {
        ...tokenFields(tokens),
        refresh_token,
        ...(life === null ? {} : { refresh_expires_at: isoTime(context.now() + life * 1000) }),
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

/** How long a refresh token lives, seconds; null: TikTok does not say. */
export function refreshSeconds({ refresh_expires_in: seconds }: Readonly<Record<string, unknown>>): number | null {
  return typeof seconds === "number" && seconds > 0 ? seconds : null;
}

export function findApp(setting: TiktokAppSetting, accountId: string): Promise<TiktokApp> {
  return appFor(setting, { schema: appSchema, accountId, name: oauth.name });
}
