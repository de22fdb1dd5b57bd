import { z } from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import {
  type AccountChoice,
  type BrowserLogin,
  type BrowserLoginContext,
  LoginFailed,
  type LoginReturn,
} from "../contract/browser-login.ts";
import { appFor } from "../shared/app.ts";
import { loginPage, type OAuthApp, type Tokens, tradeCode } from "../shared/oauth2.ts";
import { type Purpose, scopesFor } from "../shared/scopes.ts";
import { readAccount } from "./account.ts";
import { instanceHost, readInstance } from "./instance.ts";
import { appSchema, type MastodonAppSetting, oauthOf, scopes } from "./oauth.ts";
import { missingScopes } from "./scopes.ts";

const input = documentedObject({
  /** The account's server: mastodon.social, `@me@mastodon.social` or an address on it. */
  instance: z
    .string()
    .min(1)
    .max(500)
    .describe("The account's server: mastodon.social, `@me@mastodon.social` or an address on it."),
});

/** A login on the account's own server, where the app registers itself first. */
export function browserLogin(setting: MastodonAppSetting, purposes: readonly Purpose[]): BrowserLogin {
  const wanted = scopesFor(scopes, purposes);

  return {
    input,

    async begin(context, given) {
      const { instance } = input.parse(given);
      const host = instanceHost(instance);
      const { domain } = await readInstance(context, host);
      const { app } = await registeredApp(context, { setting, host, wanted });
      const page = loginPage(oauthOf(host), context, { app, scopes: wanted });
      return { ...page, keep: { ...page.keep, host, domain } };
    },

    async finish(context, back) {
      const host = String(back.keep.host);
      const { app, key } = await registeredApp(context, { setting, host, wanted });
      const tokens = await trade(context, { host, app, back, key });
      const missing = missingScopes(wanted, tokens.scopes ?? wanted);
      if (missing.length > 0)
        throw new LoginFailed(
          "missing_scope",
          `${host} did not give ${missing.join(", ")}: log in again and allow all of it.`,
        );
      return [await choiceOf(context, { host, domain: String(back.keep.domain), app, tokens })];
    },
  };
}

const registrationSchema = z.object({ client_id: z.string().min(1), client_secret: z.string().min(1) });

/** One registration for all who log in on that server with these rights. */
async function registeredApp(
  context: BrowserLoginContext,
  { setting, host, wanted }: { setting: MastodonAppSetting; host: string; wanted: readonly string[] },
): Promise<{ app: OAuthApp; key: string }> {
  const { accountId, redirectUri } = context;
  const app = await appFor(setting, { schema: appSchema, accountId, name: "Mastodon" });
  const key = JSON.stringify([host, redirectUri, wanted, app.name, app.website ?? null]);
  const registered = await context.apps.get(key, () => registerAt(context, { host, wanted, app }));
  return { app: registrationSchema.parse(registered), key };
}

/** https://docs.joinmastodon.org/methods/apps/#create (2026-07). One address, as a text: servers before 4.3 know no list. */
async function registerAt(
  context: BrowserLoginContext,
  given: { host: string; wanted: readonly string[]; app: z.infer<typeof appSchema> },
): Promise<JsonObject> {
  const { host, wanted, app } = given;
  const { name, website } = app;
  const json = { client_name: name, redirect_uris: context.redirectUri, scopes: wanted.join(" ") };
  const body = { json: website === undefined ? json : { ...json, website } };
  const url = `https://${host}/api/v1/apps`;
  const response = await context.request({ method: "POST", url, body, repeat: false });
  const parsed = registrationSchema.safeParse(response.body);
  if (!parsed.success) throw new PublishingError("network_error", `instance: ${host} did not register the app.`);
  context.conceal(response.body);
  await keepRegistration(context, host, parsed.data);
  return parsed.data;
}

/** Statuses that refuse such a token; the login works without it. */
const refusals = [400, 401, 403, 404, 422];

/** Servers before 4.3 delete an app that has no token when it is a day old. https://github.com/mastodon/mastodon/pull/30316 (2026-07) */
async function keepRegistration(context: BrowserLoginContext, host: string, app: OAuthApp): Promise<void> {
  const { client_id, client_secret } = app;
  const form = { grant_type: "client_credentials", client_id, client_secret, redirect_uri: context.redirectUri };
  await context.request({ method: "POST", url: oauthOf(host).token, body: { form }, accept: refusals, repeat: false });
}

async function trade(
  context: BrowserLoginContext,
  { host, app, back, key }: { host: string; app: OAuthApp; back: LoginReturn; key: string },
): Promise<Tokens> {
  try {
    return await tradeCode(oauthOf(host), context, { app, back });
  } catch (error) {
    if (!(error instanceof LoginFailed) || error.reason !== "app_refused") throw error;
    await context.apps.forget(key);
    throw new LoginFailed(
      "login_failed",
      `${host} does not know this app any more. Log in again: it is registered anew.`,
    );
  }
}

async function choiceOf(
  context: BrowserLoginContext,
  { host, domain, app, tokens }: { host: string; domain: string; app: OAuthApp; tokens: Tokens },
): Promise<AccountChoice> {
  const { access_token } = tokens;
  const headers = { authorization: `Bearer ${access_token}` };
  const account = await readAccount(context, { host, sign: (request) => ({ ...request, headers }) });
  return {
    id: `${host}:${account.id}`,
    name: account.display_name || account.username,
    handle: `${account.username}@${domain}`,
    avatar_url: account.avatar ?? null,
    credentials: { instance: host, access_token, ...app },
  };
}
