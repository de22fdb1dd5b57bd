import { documentedObject } from "../../wire/documented-object.ts";
import { type AccountChoice, type BrowserLogin, LoginFailed } from "../contract/browser-login.ts";
import {
  facebookLogin,
  grantedScopes,
  longToken,
  pagesOfBusinesses,
  pagesOfPerson,
  personId,
} from "../shared/meta/person.ts";
import { assertScopes, loginPage, tradeCode } from "../shared/oauth2.ts";
import { type Purpose, scopesFor } from "../shared/scopes.ts";
import type { Api } from "./api.ts";
import { type FacebookAppSetting, findApp } from "./oauth.ts";
import { mayPublish, type ReachedPage, reachedPages } from "./page.ts";
import { scopes } from "./scopes.ts";

interface BrowserOptions {
  app: FacebookAppSetting;
  purposes: readonly Purpose[];
}

/** The browser sign-in of a user, who selects one or more Pages. */
export function browserLogin(api: Api, { app: setting, purposes }: BrowserOptions): BrowserLogin {
  const table = facebookLogin(api.version);
  return {
    input: documentedObject({}),

    async begin(context) {
      const app = await findApp(setting, context.accountId);
      return loginPage(table, context, { app, scopes: scopesFor(scopes, purposes) });
    },

    async finish(context, back) {
      const app = await findApp(setting, context.accountId);
      const short = await tradeCode(table, context, { app, back });
      const token = await longToken(context, { version: api.version, app, short: short.access_token });
      const person = { version: api.version, token };
      const granted = await grantedScopes(context, person);
      assertScopes(table, { wanted: scopesFor(scopes, purposes), granted });
      const reached = [
        ...((await pagesOfPerson(context, person, reachedPages)) ?? []),
        ...(granted.includes("business_management") ? await pagesOfBusinesses(context, person, reachedPages) : []),
      ];
      context.conceal(reached.map(({ access_token }) => ({ access_token })));
      return choicesFrom(reached, {
        client_id: app.client_id,
        person_id: await personId(context, person),
        scopes: granted,
      });
    },
  };
}

/** The user who logged in, the app, and the granted scopes. */
interface Login {
  client_id: string;
  person_id: string;
  scopes: string[];
}

/** One choice for each Page, even if several ways lead to it. */
function choicesFrom(reached: readonly ReachedPage[], login: Login): AccountChoice[] {
  const usable = reached.filter((page) => page.access_token != null && mayPublish(page));
  const byId = new Map(usable.map((page) => [page.id, page]));
  if (byId.size > 0) return [...byId.values()].map((page) => choiceOf(page, login));
  const message =
    reached.length === 0
      ? "No Facebook Page was chosen: sign in again and tick the Pages."
      : "This person may not create content on any chosen Page: request that task, or choose other Pages.";
  throw new LoginFailed("no_account", message);
}

function choiceOf(
  { id, name, username, picture, access_token, tasks }: ReachedPage,
  { client_id, person_id, scopes: granted }: Login,
): AccountChoice {
  return {
    id,
    name,
    handle: username ?? null,
    avatar_url: picture?.data.url ?? null,
    credentials: {
      access_token: access_token ?? "",
      page_id: id,
      client_id,
      person_id,
      scopes: granted,
      ...(tasks == null ? {} : { tasks }),
    },
  };
}
