import * as z from "zod";
import { isoTime } from "../../ports/clock.ts";
import { documentedObject } from "../../wire/documented-object.ts";
import { PublishingError } from "../../wire/errors.ts";
import {
  type AccountChoice,
  type BrowserLogin,
  type BrowserLoginContext,
  LoginFailed,
  type LoginReturn,
} from "../contract/browser-login.ts";
import { inNameOf } from "../shared/bearer.ts";
import { longTokenFor, withoutTail } from "../shared/meta/long-token.ts";
import { grantedScopes, longToken } from "../shared/meta/person.ts";
import { assertScopes, loginPage, type OAuthApp, tradeCode } from "../shared/oauth2.ts";
import { type BusinessAccount, readOwnAccount } from "./account.ts";
import type { Api } from "./api.ts";
import type { Flavour } from "./known.ts";
import {
  findApp,
  type InstagramApp,
  type InstagramAppSetting,
  longTokens,
  oauthOf,
  type ScopesByLogin,
} from "./oauth.ts";
import { accountsOf, accountsOfBusinesses } from "./pages-of-user.ts";

const flavourSchema = z.enum(["instagram", "facebook"]);

const input = documentedObject({
  /**
   * `instagram`: the account's own name and password · `facebook`: accounts linked to the person's Pages. Default: what
   * the adapter has an app for; `instagram` if both.
   */
  login: flavourSchema
    .optional()
    .describe(
      "`instagram`: the account's own name and password · `facebook`: accounts linked to the person's Pages. Default: what the adapter has an app for; `instagram` if both.",
    ),
});

interface BrowserOptions {
  app: InstagramAppSetting;
  scopes: ScopesByLogin;
}

/**
 * Both browser sign-ins: Instagram's own, for one account, and Facebook's, for the accounts linked to the user's Pages.
 */
export function browserLogin(api: Api, { app: setting, scopes }: BrowserOptions): BrowserLogin {
  return {
    input,

    async begin(context, given) {
      const app = await findApp(setting, context.accountId);
      const { login = app.instagram === undefined ? "facebook" : "instagram" } = input.parse(given);
      const page = loginPage(oauthOf(login, api.version), context, {
        app: clientOf(app, login),
        scopes: scopes[login],
      });
      return { ...page, keep: { ...page.keep, login } };
    },

    async finish(context, back) {
      const login = flavourSchema.parse(back.keep.login);
      const app = clientOf(await findApp(setting, context.accountId), login);
      // No error may contain the secret, which is part of a URL below.
      context.conceal({ client_secret: app.client_secret });
      const given = { app, back: withoutTail(back), wanted: scopes[login] };
      return login === "instagram" ? finishWithInstagram(context, api, given) : finishWithFacebook(context, api, given);
    },
  };
}

function clientOf(app: InstagramApp, login: Flavour): OAuthApp {
  const client = app[login];
  if (client !== undefined) return client;
  throw new PublishingError("unsupported", `login: the adapter has no app for the sign-in with ${login}.`);
}

interface Finishing {
  app: OAuthApp;
  back: LoginReturn;
  wanted: readonly string[];
}

/** A list, or a string of names separated by commas. */
const permissionsSchema = z.union([
  z.array(z.string()),
  z.string().transform((text) => text.split(/[\s,]+/).filter(Boolean)),
]);

async function finishWithInstagram(
  context: BrowserLoginContext,
  api: Api,
  { app, back, wanted }: Finishing,
): Promise<AccountChoice[]> {
  const table = oauthOf("instagram", api.version);
  const short = await tradeCode(table, context, { app, back });
  const granted = permissionsSchema.safeParse(short.answer.permissions).data ?? null;
  assertScopes(table, { wanted, granted });
  const given = { client_secret: app.client_secret, access_token: short.access_token };
  const { access_token, expires_at: endsAt } = await longTokenFor(longTokens, context, given);
  const account = await readOwnAccount({ ...inNameOf(context, access_token), api });
  const expires_at = isoTime(endsAt);
  const credentials = { access_token, login: "instagram", expires_at, client_id: app.client_id };
  return [choiceOf(account, { ...credentials, scopes: granted ?? [...wanted] })];
}

async function finishWithFacebook(
  context: BrowserLoginContext,
  api: Api,
  { app, back, wanted }: Finishing,
): Promise<AccountChoice[]> {
  const table = oauthOf("facebook", api.version);
  const short = await tradeCode(table, context, { app, back });
  const token = await longToken(context, { version: api.version, app, short: short.access_token });
  const person = { version: api.version, token };
  const granted = await grantedScopes(context, person);
  assertScopes(table, { wanted, granted });
  const reached = [
    ...((await accountsOf(context, person)) ?? []),
    ...(granted.includes("business_management") ? await accountsOfBusinesses(context, person) : []),
  ];
  context.conceal(reached.map(({ token: access_token }) => ({ access_token })));
  const byId = new Map(reached.map((each) => [each.account.id, each]));
  if (byId.size === 0)
    throw new LoginFailed(
      "no_account",
      "No professional Instagram account is linked to a chosen Facebook Page: link one, or sign in again and choose its Page.",
    );
  return [...byId.values()].map(({ account, token: access_token }) =>
    choiceOf(account, {
      access_token,
      login: "facebook",
      account_id: account.id,
      client_id: app.client_id,
      scopes: granted,
    }),
  );
}

function choiceOf(account: BusinessAccount, credentials: AccountChoice["credentials"]): AccountChoice {
  const { id, username, name, profile_picture_url } = account;
  return { id, name: name || username, handle: username, avatar_url: profile_picture_url ?? null, credentials };
}
