import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { PublishingError } from "../../wire/errors.ts";
import {
  type AccountChoice,
  type BrowserLogin,
  type BrowserLoginContext,
  LoginFailed,
  type LoginReturn,
} from "../contract/browser-login.ts";
import { appFor } from "../shared/app.ts";
import { loginPage, type Tokens, tradeCode } from "../shared/oauth2.ts";
import { type Purpose, scopesFor } from "../shared/scopes.ts";
import { readAccount } from "./account.ts";
import { readHandle } from "./handle.ts";
import { instanceHost, readInstance } from "./instance.ts";
import { assertOwnIssuer, readIssuer } from "./issuer.ts";
import { appSchema, type MastodonAppSetting, oauthOf, scopes } from "./oauth.ts";
import { missingScopes } from "./scopes.ts";

const input = documentedObject({
  /** The account's server: mastodon.social, `@me@mastodon.social` or a URL on it. */
  instance: z
    .string()
    .min(1)
    .max(500)
    .describe("The account's server: mastodon.social, `@me@mastodon.social` or a URL on it."),
});

/** A sign-in on the account's own server, where the app registers itself first. */
export function browserLogin(setting: MastodonAppSetting, purposes: readonly Purpose[]): BrowserLogin {
  const wanted = scopesFor(scopes, purposes);

  return {
    input,

    server: (given) => instanceHost(input.parse(given).instance),

    async begin(context, given) {
      const host = instanceHost(input.parse(given).instance);
      const { domain, is_mastodon } = await readInstance(context, host);
      const register = is_mastodon ? sharedApp : ownApp;
      const { app, key } = await register(context, { setting, host, wanted });
      const page = loginPage(oauthOf(host), context, { app, scopes: wanted });
      const issuer = await readIssuer(context, host);
      return { ...page, keep: { ...page.keep, host, domain, issuer, app: { ...app }, key } };
    },

    async finish(context, back) {
      const { host, domain, issuer, app, key } = keptSchema.parse(back.keep);
      assertOwnIssuer(back, { host, issuer });
      const tokens = await trade(context, { host, app, back, key });
      const missing = missingScopes(wanted, tokens.scopes ?? wanted);
      if (missing.length > 0)
        throw new LoginFailed(
          "missing_scope",
          `${host} did not grant ${missing.join(", ")}: sign in again and allow all permissions.`,
        );
      return [await choiceOf(context, { host, domain, app, tokens })];
    },
  };
}

const registrationSchema = z.object({
  client_id: z.string().min(1).max(1_000),
  client_secret: z.string().min(1).max(1_000),
});

type RegisteredApp = z.infer<typeof registrationSchema>;

/**
 * The data that `begin` keeps for `finish`: the app that the sign-in began with, even if another was registered since.
 * `key`: where the app is stored for other sign-ins; null: not stored.
 */
const keptSchema = z.object({
  host: z.string(),
  domain: z.string(),
  /** The issuer that the server announced. Null: none. */
  issuer: z.string().nullable(),
  app: registrationSchema,
  key: z.string().nullable(),
});

interface Registration {
  app: RegisteredApp;
  key: string | null;
}

/** The server to sign in on, and the scopes. */
interface Wanted {
  setting: MastodonAppSetting;
  host: string;
  wanted: readonly string[];
}

/** One registration for all sign-ins on this server with these scopes. */
async function sharedApp(context: BrowserLoginContext, { setting, host, wanted }: Wanted): Promise<Registration> {
  const app = await findApp(setting, context);
  const key = JSON.stringify([host, context.redirectUri, wanted, app.name, app.website ?? null]);
  const registered = await context.apps.get(key, async () => {
    const registration = await registerAt(context, { host, wanted, app });
    await keepRegistration(context, host, registration);
    return { ...registration };
  });
  return { app: registrationSchema.parse(registered), key };
}

/**
 * A registration for this sign-in only. A small server (snac2 2.75, 2026-11) ignores the code: it returns a token for
 * the last user who signed in with the app. With a shared app, that could be any user.
 */
async function ownApp(context: BrowserLoginContext, { setting, host, wanted }: Wanted): Promise<Registration> {
  return { app: await registerAt(context, { host, wanted, app: await findApp(setting, context) }), key: null };
}

function findApp(setting: MastodonAppSetting, { accountId }: BrowserLoginContext): Promise<z.infer<typeof appSchema>> {
  return appFor(setting, { schema: appSchema, accountId, name: "Mastodon" });
}

/** https://docs.joinmastodon.org/methods/apps/#create (2026-07). One URL, as a string: servers before 4.3 accept no list. */
async function registerAt(
  context: BrowserLoginContext,
  given: { host: string; wanted: readonly string[]; app: z.infer<typeof appSchema> },
): Promise<RegisteredApp> {
  const { host, wanted, app } = given;
  const { name, website } = app;
  const json = { client_name: name, redirect_uris: context.redirectUri, scopes: wanted.join(" ") };
  const body = { json: website === undefined ? json : { ...json, website } };
  const url = `https://${host}/api/v1/apps`;
  const response = await context.request({ method: "POST", url, body, repeat: false });
  const parsed = registrationSchema.safeParse(response.body);
  if (!parsed.success) throw new PublishingError("network_error", `instance: ${host} did not register the app.`);
  context.conceal(response.body);
  return parsed.data;
}

/** Statuses of a rejected request for the app's own token. The sign-in works without the token. */
const refusals = [400, 401, 403, 404, 422];

/** Servers before 4.3 delete an app without a token after a day. https://github.com/mastodon/mastodon/pull/30316 (2026-07) */
async function keepRegistration(
  context: BrowserLoginContext,
  host: string,
  { client_id, client_secret }: RegisteredApp,
): Promise<void> {
  const form = { grant_type: "client_credentials", client_id, client_secret, redirect_uri: context.redirectUri };
  await context.request({ method: "POST", url: oauthOf(host).token, body: { form }, accept: refusals, repeat: false });
}

async function trade(
  context: BrowserLoginContext,
  { host, app, back, key }: Registration & { host: string; back: LoginReturn },
): Promise<Tokens> {
  try {
    return await tradeCode(oauthOf(host), context, { app, back });
  } catch (error) {
    if (!(error instanceof LoginFailed) || error.reason !== "app_refused") throw error;
    if (key !== null) await context.apps.forget(key);
    throw new LoginFailed(
      "login_failed",
      `${host} no longer knows this app. Sign in again: the app is registered again.`,
    );
  }
}

async function choiceOf(
  context: BrowserLoginContext,
  { host, domain, app, tokens }: { host: string; domain: string; app: RegisteredApp; tokens: Tokens },
): Promise<AccountChoice> {
  const { access_token } = tokens;
  const headers = { authorization: `Bearer ${access_token}` };
  const account = await readAccount(context, { host, sign: (request) => ({ ...request, headers }) });
  return {
    id: `${host}:${account.id}`,
    name: account.display_name || account.username,
    handle: await readHandle(context, { host, domain, account }),
    avatar_url: account.avatar ?? null,
    credentials: { instance: host, access_token, ...app },
  };
}
