import type * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { Connector } from "../contract/adapter.ts";
import type { Credentials, Identity } from "../contract/profile.ts";
import type { LoginContext, NetworkContext } from "../contract/request.ts";
import { appFor } from "../shared/app.ts";
import { bearerToken, withBearer } from "../shared/bearer.ts";
import { clientId, endOf, endTime, scopeList } from "../shared/credential-fields.ts";
import { loginEnd } from "../shared/login-end.ts";
import { type OAuthClient, revokeToken, type Tokens, tradeRefreshToken } from "../shared/oauth2.ts";
import { type Purpose, scopesFor } from "../shared/scopes.ts";
import { identityOf, readMe, requestMe } from "./account.ts";
import { browserLogin } from "./browser.ts";
import { readKnown } from "./known.ts";
import { appSchema, oauth, renewIdleAfterDays, scopes, type XAppSetting } from "./oauth.ts";

export const credentialsSchema = documentedObject({
  /** An access token of the account, by OAuth 2.0. It runs out after two hours. */
  access_token: bearerToken.describe("An access token of the account, by OAuth 2.0. It runs out after two hours."),
  /**
   * The refresh token that came with it, from the scope `offline.access`. It is good for one use, which from now on is
   * made here: whoever else has it loses it. Without one the profile works until the access token runs out.
   */
  refresh_token: bearerToken
    .optional()
    .describe(
      "The refresh token that came with it, from the scope `offline.access`. It is good for one use, which from now on is made here: whoever else has it loses it. Without one the profile works until the access token runs out.",
    ),
  /** When the access token runs out, ISO 8601. Default: found out when X refuses it. */
  expires_at: endTime
    .optional()
    .describe("When the access token runs out, ISO 8601. Default: found out when X refuses it."),
  /** The client id of the app that the tokens came from. Default: the app that the adapter was given. */
  client_id: clientId
    .optional()
    .describe("The client id of the app that the tokens came from. Default: the app that the adapter was given."),
  /** What the tokens allow, as X's answer said it: `tweet.read`, `tweet.write`, … Default: not known. */
  scopes: scopeList
    .optional()
    .describe("What the tokens allow, as X's answer said it: `tweet.read`, `tweet.write`, … Default: not known."),
});

type GivenCredentials = z.infer<typeof credentialsSchema>;

/** What the adapter was given. */
export interface ConnectSettings {
  app: XAppSetting | undefined;
  purposes: readonly Purpose[];
}

/** How accounts are connected. Tokens are rotated: each refresh token is good for one use. */
export function createConnector(settings: ConnectSettings): Connector<typeof credentialsSchema> {
  const { app, purposes } = settings;
  return {
    credentials: credentialsSchema,
    ...(app === undefined ? {} : { browser: browserLogin(app, purposes) }),

    async login(context, input) {
      const given = credentialsSchema.parse(input);
      assertUsable(given, settings);
      return (await loginAsIs(context, given)) ?? loginRenewed(context, given, settings);
    },

    async inspect(context) {
      return identityOf(readMe(await requestMe(context, {})), readKnown(context.profile).scopes);
    },

    sign: (request, { secret }) => withBearer(request, String(secret.access_token)),

    async refresh(context) {
      const { refresh_token: refreshToken, client_id } = context.secret;
      if (typeof refreshToken !== "string")
        throw new PublishingError(
          "reauthentication_required",
          "The access token has run out: connect the account again.",
        );
      const used = await clientFor(app, context.accountId, clientIdOf(client_id));
      const tokens = await tradeRefreshToken(oauth, context, { app: used, refreshToken });
      return renewed(tokens, { refreshToken, clientId: used.client_id, now: context.now() });
    },

    ...(app === undefined ? {} : { revoke: (context: NetworkContext) => revoke(context, app) }),
  };
}

/** Of the host's own app, so that nobody else's login ends. */
async function revoke(context: NetworkContext, setting: XAppSetting): Promise<void> {
  const { access_token, refresh_token, client_id } = context.secret;
  const app = await appFor(setting, { schema: appSchema, accountId: context.accountId, name: oauth.name });
  if (client_id !== undefined && client_id !== app.client_id) return;
  for (const each of [refresh_token, access_token])
    if (typeof each === "string") await revokeToken(oauth, context, { app, token: each });
}

type LoggedIn = { identity: Identity; credentials: Credentials };

/** Null: X does not take the access token. */
async function loginAsIs(context: LoginContext, given: GivenCredentials): Promise<LoggedIn | null> {
  const expires_at = endOf(given.expires_at);
  if (expires_at !== null && expires_at <= context.now()) return null;
  const response = await requestMe(context, { ...bearer(given.access_token), accept: [401] });
  if (response.status === 401) return null;
  const { access_token, refresh_token, client_id } = given;
  const secret: JsonObject = {
    access_token,
    ...(refresh_token === undefined ? {} : { refresh_token }),
    ...(client_id === undefined ? {} : { client_id }),
  };
  const ends = { ...loginEnd(secret, { expires_at }), ...idleEnd(refresh_token, context.now()) };
  const credentials: Credentials = { secret, expires_at, ...ends };
  return { identity: identityOf(readMe(response), given.scopes ?? null), credentials };
}

/** Tokens that were kept elsewhere have mostly run out. */
async function loginRenewed(
  context: LoginContext,
  given: GivenCredentials,
  { app, purposes }: ConnectSettings,
): Promise<LoggedIn> {
  const { refresh_token: refreshToken, client_id } = given;
  const used = typeof app === "function" && client_id === undefined ? null : await clientFor(app, null, client_id);
  if (refreshToken === undefined || used === null)
    throw deadToken("access_token: X does not take it, or not any more.");
  const tokens = await tradeRefreshToken(oauth, context, { app: used, refreshToken }).catch((error: unknown) => {
    if (!PublishingError.is(error) || error.code !== "reauthentication_required") throw error;
    throw deadToken("refresh_token: X does not take it: it has been used already, or was taken back.", error);
  });
  assertScopes(tokens.scopes, purposes);
  const me = readMe(await requestMe(context, bearer(tokens.access_token)));
  const credentials = renewed(tokens, { refreshToken, clientId: used.client_id, now: context.now() });
  return { identity: identityOf(me, tokens.scopes ?? given.scopes ?? null), credentials };
}

function deadToken(message: string, cause?: unknown): PublishingError {
  return new PublishingError("reauthentication_required", message, { cause });
}

function bearer(accessToken: string): { headers: { authorization: string } } {
  return { headers: { authorization: `Bearer ${accessToken}` } };
}

/** The used refresh token is dead; where no other came, it is all there is. */
function renewed(
  tokens: Tokens,
  { refreshToken, clientId, now }: { refreshToken: string; clientId: string; now: number },
): Credentials {
  const { access_token, expires_at } = tokens;
  const refresh_token = tokens.refresh_token ?? refreshToken;
  return { secret: { access_token, refresh_token, client_id: clientId }, expires_at, ...idleEnd(refresh_token, now) };
}

function idleEnd(refreshToken: string | undefined, now: number): Pick<Credentials, "refresh_at"> {
  return refreshToken === undefined ? {} : { refresh_at: now + renewIdleAfterDays * 24 * 3_600_000 };
}

function clientIdOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/**
 * Who renews: the host's app where the tokens are its own, else the app that they came from, as far as that needs no
 * secret.
 *
 * @param accountId null: not known yet, so that an app is found only where there is one for all
 */
async function clientFor(
  setting: XAppSetting | undefined,
  accountId: string | null,
  clientId: string | undefined,
): Promise<OAuthClient> {
  const isKnown = setting !== undefined && (typeof setting !== "function" || accountId !== null);
  if (isKnown) {
    const app = await appFor(setting, { schema: appSchema, accountId: accountId ?? "", name: oauth.name });
    if (clientId === undefined || clientId === app.client_id) return app;
  }
  if (clientId !== undefined) return { client_id: clientId };
  throw new PublishingError("reauthentication_required", "Nobody knows which app this login came from: connect again.");
}

function assertUsable(
  { refresh_token, client_id, scopes: granted }: GivenCredentials,
  settings: ConnectSettings,
): void {
  if (refresh_token !== undefined && client_id === undefined && settings.app === undefined)
    throw new PublishingError("invalid_request", "client_id: a refresh token is good only together with its app's id.");
  assertScopes(granted ?? null, settings.purposes);
}

/** What renews a login is missed only where there is no such token. */
function assertScopes(granted: readonly string[] | null, purposes: readonly Purpose[]): void {
  if (granted === null) return;
  const missing = scopesFor(scopes, purposes).filter((each) => each !== "offline.access" && !granted.includes(each));
  if (missing.length === 0) return;
  throw new PublishingError(
    "invalid_request",
    `scopes: the tokens lack ${missing.join(", ")}: log in again with them.`,
  );
}
