import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { Connector } from "../contract/adapter.ts";
import type { BrowserLogin } from "../contract/browser-login.ts";
import type { Identity } from "../contract/profile.ts";
import type { LoginContext, NetworkRequest } from "../contract/request.ts";
import { withBearer } from "../shared/bearer.ts";
import { revokeToken } from "../shared/oauth2.ts";
import { type Account, type AccountAccess, readAccount } from "./account.ts";
import { readHandle } from "./handle.ts";
import { instanceHost, readInstance } from "./instance.ts";
import { listsAll } from "./known.ts";
import { readSeen } from "./lists.ts";
import { oauthOf } from "./oauth.ts";
import { missingScopes } from "./scopes.ts";

export const credentialsSchema = documentedObject({
  /** The account's server: mastodon.social, `@me@mastodon.social` or a URL on it. */
  instance: z
    .string()
    .min(1)
    .max(500)
    .describe("The account's server: mastodon.social, `@me@mastodon.social` or a URL on it."),
  /** An access token of the account, from Preferences → Development on its server, with the scopes read and write. */
  access_token: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "An access token must not contain spaces.")
    .max(4096)
    .describe(
      "An access token of the account, from Preferences → Development on its server, with the scopes read and write.",
    ),
  /** The app of the browser sign-in that issued the token. Leave it out for a token entered by hand. */
  client_id: z
    .string()
    .max(1_000)
    .optional()
    .describe("The app of the browser sign-in that issued the token. Leave it out for a token entered by hand."),
  /** The secret of that app, used to revoke the token. */
  client_secret: z.string().max(1_000).optional().describe("The secret of that app, used to revoke the token."),
});

/** https://docs.joinmastodon.org/methods/apps/#verify_credentials (2026-07) */
const applicationSchema = z.object({ scopes: z.array(z.string()) });

/** The scopes that publishing needs. https://docs.joinmastodon.org/api/oauth-scopes/ (2026-07) */
const neededScopes = ["read:statuses", "write:statuses", "write:media"];

/** @param login undefined: accounts are connected only with access tokens */
export function createConnector(login: BrowserLogin | undefined): Connector<typeof credentialsSchema> {
  return login === undefined ? connector : { ...connector, browser: login };
}

export const connector: Connector<typeof credentialsSchema> = {
  credentials: credentialsSchema,

  async login(context, input) {
    const { instance, access_token, client_id, client_secret } = credentialsSchema.parse(input);
    const host = instanceHost(instance);
    const sign = (request: NetworkRequest): NetworkRequest => withBearer(request, access_token);
    const identity = await readIdentity(context, { host, sign }).catch((error: unknown) => {
      if (!PublishingError.is(error) || error.code !== "reauthentication_required") throw error;
      const message = `access_token: ${host} rejects it, or it lacks permissions. Create one in Preferences → Development with the scopes read and write, and copy all of it.`;
      throw new PublishingError(error.code, message, { cause: error });
    });
    const seen = await seenOf(context, identity, sign);
    const ofLogin = client_id !== undefined && client_secret !== undefined;
    const secret: JsonObject = ofLogin ? { access_token, client_id, client_secret } : { access_token };
    return { identity: { ...identity, seen }, credentials: { secret, expires_at: null } };
  },

  inspect(context) {
    const { host, account_facts: known } = context.profile;
    const access = { host: String(host), sign: (request: NetworkRequest) => request };
    return readIdentity(context, access, known.confirmed_handle);
  },

  sign: (request, { secret }) => withBearer(request, String(secret.access_token)),

  /** Revokes only tokens of a sign-in. A token that was created by hand may be in use elsewhere, and only its owner can revoke it. */
  async revoke(context) {
    const { access_token, client_id, client_secret } = context.secret;
    if (typeof client_id !== "string" || typeof client_secret !== "string") return;
    const app = { client_id, client_secret };
    await revokeToken(oauthOf(String(context.profile.host)), context, { app, token: String(access_token) });
  },
};

/** @param confirmed a handle that was confirmed before; undefined: none */
async function readIdentity(
  context: LoginContext,
  { host, sign }: AccountAccess,
  confirmed?: unknown,
): Promise<Identity> {
  // Sends the token only after the host has proved to be a server with Mastodon's API.
  const instance = await readInstance(context, host);
  const account = await readAccount(context, { host, sign });
  const handle = await readHandle(context, { host, domain: instance.domain, account, confirmed });
  return {
    // Ids are unique only on their own server.
    external_id: `${host}:${account.id}`,
    name: account.display_name || account.username,
    handle,
    avatar_url: account.avatar ?? null,
    url: pageOf(account, { host, handle }),
    scopes: await readScopes(context, { host, sign }),
    limits: instance.limits,
    host,
    account_facts: {
      account_id: account.id,
      api_version: instance.api_version,
      version: instance.version,
      is_mastodon: instance.is_mastodon,
      confirmed_handle: handle,
    },
  };
}

/** The account's page, on its server or on the domain of its handle. A page elsewhere could impersonate another account. */
function pageOf({ url }: Account, { host, handle }: { host: string; handle: string | null }): string | null {
  if (url == null || !URL.canParse(url)) return null;
  const page = new URL(url);
  return page.host === host || handle?.endsWith(`@${page.host}`) === true ? url : null;
}

/** The lists that show older posts of the account, for servers that are not known to list everything. Empty: the lists cannot be read now. */
async function seenOf(
  context: Pick<LoginContext, "request">,
  profile: Identity,
  sign: AccountAccess["sign"],
): Promise<string[]> {
  if (listsAll(profile)) return [];
  const request = (asked: NetworkRequest) => context.request(sign({ ...asked, repeat: false }));
  return readSeen({ request, profile }).catch((error: unknown) => {
    if (!PublishingError.is(error)) throw error;
    return [];
  });
}

/** The scopes of the token's application. Empty: the server does not return them (before 4.3, and compatible servers). */
async function readScopes(context: Pick<LoginContext, "request">, { host, sign }: AccountAccess): Promise<string[]> {
  const url = `https://${host}/api/v1/apps/verify_credentials`;
  const request = sign({ method: "GET", url, accept: [400, 401, 403, 404, 405, 422] });
  const parsed = applicationSchema.safeParse((await context.request(request)).body);
  if (!parsed.success) return [];
  const { scopes } = parsed.data;
  const missing = missingScopes(neededScopes, scopes);
  if (scopes.length > 0 && missing.length > 0)
    throw new PublishingError("invalid_request", `access_token: its application lacks ${missing.join(", ")}.`);
  return scopes;
}
