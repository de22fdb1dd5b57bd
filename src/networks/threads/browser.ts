import * as z from "zod";
import { isoTime } from "../../ports/clock.ts";
import type { AccountChoice, BrowserLogin } from "../contract/browser-login.ts";
import { inNameOf } from "../shared/bearer.ts";
import { longTokenFor, withoutTail } from "../shared/meta/long-token.ts";
import { assertScopes, loginPage, tradeCode } from "../shared/oauth2.ts";
import { readMe, readTokenFacts } from "./account.ts";
import { findApp, longTokens, oauth, type ThreadsAppSetting } from "./oauth.ts";

/** The browser sign-in on Threads' own pages, for one account. */
export function browserLogin(setting: ThreadsAppSetting, wanted: readonly string[]): BrowserLogin {
  return {
    input: z.strictObject({}),

    async begin(context) {
      return loginPage(oauth, context, { app: await findApp(setting, context.accountId), scopes: wanted });
    },

    async finish(context, back): Promise<AccountChoice[]> {
      const app = await findApp(setting, context.accountId);
      // No error may contain the secret, which is part of a URL below.
      context.conceal({ client_secret: app.client_secret });
      const short = await tradeCode(oauth, context, { app, back: withoutTail(back) });
      const given = { client_secret: app.client_secret, access_token: short.access_token };
      const { access_token, expires_at } = await longTokenFor(longTokens, context, given);
      const reading = inNameOf(context, access_token);
      const { scopes: granted } = await readTokenFacts(reading, access_token);
      assertScopes(oauth, { wanted, granted });
      const { id, username, name, threads_profile_picture_url } = await readMe(reading);
      const credentials = {
        access_token,
        expires_at: isoTime(expires_at),
        client_id: app.client_id,
        scopes: granted ?? [...wanted],
      };
      return [
        { id, name: name || username, handle: username, avatar_url: threads_profile_picture_url ?? null, credentials },
      ];
    },
  };
}
