import type * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { Connector } from "../contract/adapter.ts";
import type { Credentials, Identity } from "../contract/profile.ts";
import type { LoginContext, NetworkContext } from "../contract/request.ts";
import { bearerToken, inNameOf, signWithAccessToken } from "../shared/bearer.ts";
import { clientId, endOf, endTime, scopeList } from "../shared/credential-fields.ts";
import { defined } from "../shared/defined.ts";
import { type OAuthClient, revokeToken, tradeRefreshToken } from "../shared/oauth2.ts";
import { renewTokens } from "../shared/renew-tokens.ts";
import { type Purpose, scopesFor } from "../shared/scopes.ts";
import { tokenCredentials } from "../shared/token-credentials.ts";
import { identityOf, readMe, requestMe } from "./account.ts";
import { browserLogin } from "./browser.ts";
import { readKnown } from "./known.ts";
import { findApp, oauth, renewIdleAfterMs, scopes, type XAppSetting } from "./oauth.ts";

export const credentialsSchema = documentedObject({
  /** An OAuth 2.0 access token of the account. It expires after two hours. */
  access_token: bearerToken.describe("An OAuth 2.0 access token of the account. It expires after two hours."),
  /**
   * The refresh token that was issued with it, by the scope `offline.access`. It is valid for one use: do not use it
   * elsewhere. Without one the profile works until the access token expires.
   */
  refresh_token: bearerToken
    .optional()
    .describe(
      "The refresh token that was issued with it, by the scope `offline.access`. It is valid for one use: do not use it elsewhere. Without one the profile works until the access token expires.",
    ),
  /** When the access token expires, ISO 8601. Default: unknown until X rejects it. */
  expires_at: endTime
    .optional()
    .describe("When the access token expires, ISO 8601. Default: unknown until X rejects it."),
  /** Client id of the app that issued the tokens. Default: the adapter's app. */
  client_id: clientId.optional().describe("Client id of the app that issued the tokens. Default: the adapter's app."),
  /** The tokens' scopes, as X returned them: `tweet.read`, `tweet.write`, … Default: unknown. */
  scopes: scopeList
    .optional()
    .describe("The tokens' scopes, as X returned them: `tweet.read`, `tweet.write`, … Default: unknown."),
});

type GivenCredentials = z.infer<typeof credentialsSchema>;

/** Settings of the adapter. */
export interface ConnectSettings {
  app: XAppSetting | undefined;
  purposes: readonly Purpose[];
}

/** Connects accounts. Tokens are rotated: each refresh token is valid for one use. */
export function createConnector(settings: ConnectSettings): Connector<typeof credentialsSchema> {
  const { app, purposes } = settings;
  return {
    credentials: credentialsSchema,
    ...(app && { browser: browserLogin(app, purposes), revoke: (context) => revoke(context, app) }),

    async login(context, input) {
      const given = credentialsSchema.parse(input);
      assertUsable(given, settings);
      return (await loginAsIs(context, given)) ?? loginRenewed(context, given, settings);
    },

    async inspect(context) {
      return identityOf(readMe(await requestMe(context)), readKnown(context.profile).scopes);
    },

    sign: signWithAccessToken,

    async refresh(context) {
      const { client_id } = context.secret;
      const { client, secret, expires_at } = await renewTokens(oauth, context, {
        client: () => clientFor(app, context.accountId, clientIdOf(client_id)),
        ended: "The access token has expired: reconnect the account.",
      });
      return credentialsOf({ ...secret, client_id: client.client_id }, expires_at, context.now());
    },
  };
}

/** Revokes tokens of the host's own app only, so that connections of other apps stay. */
async function revoke(context: NetworkContext, setting: XAppSetting): Promise<void> {
  const { access_token, refresh_token, client_id } = context.secret;
  const app = await findApp(setting, context.accountId);
  if (client_id !== undefined && client_id !== app.client_id) return;
  for (const each of [refresh_token, access_token])
    if (typeof each === "string") await revokeToken(oauth, context, { app, token: each });
}

type LoggedIn = { identity: Identity; credentials: Credentials };

/** Null: X rejects the access token. */
async function loginAsIs(context: LoginContext, given: GivenCredentials): Promise<LoggedIn | null> {
  const expires_at = endOf(given.expires_at);
  if (expires_at !== null && expires_at <= context.now()) return null;
  const { access_token, refresh_token, client_id } = given;
  const response = await requestMe(inNameOf(context, access_token), { accept: [401] });
  if (response.status === 401) return null;
  const secret = defined({ access_token, refresh_token, client_id });
  const credentials = credentialsOf(secret, expires_at, context.now());
  return { identity: identityOf(readMe(response), given.scopes ?? null), credentials };
}

/** Logs in with the refresh token, because most supplied access tokens have expired. */
async function loginRenewed(
  context: LoginContext,
  given: GivenCredentials,
  { app, purposes }: ConnectSettings,
): Promise<LoggedIn> {
  const { refresh_token: refreshToken, client_id } = given;
  const used = typeof app === "function" && client_id === undefined ? null : await clientFor(app, null, client_id);
  if (refreshToken === undefined || used === null) throw deadToken("access_token: X rejects it; it may have expired.");
  const tokens = await tradeRefreshToken(oauth, context, { app: used, refreshToken }).catch((error: unknown) => {
    if (!PublishingError.is(error) || error.code !== "reauthentication_required") throw error;
    throw deadToken("refresh_token: X rejects it, because it was already used or revoked.", error);
  });
  const { access_token, refresh_token, expires_at, scopes: granted } = tokens;
  assertScopes(granted, purposes);
  const me = readMe(await requestMe(inNameOf(context, access_token)));
  // The used refresh token is invalid, but is kept if X returned no new one.
  const secret = { access_token, refresh_token: refresh_token ?? refreshToken, client_id: used.client_id };
  const credentials = credentialsOf(secret, expires_at, context.now());
  return { identity: identityOf(me, granted ?? given.scopes ?? null), credentials };
}

function credentialsOf(secret: JsonObject, expires_at: number | null, now: number): Credentials {
  return tokenCredentials(secret, { expires_at }, now + renewIdleAfterMs);
}

function deadToken(message: string, cause?: unknown): PublishingError {
  return new PublishingError("reauthentication_required", message, { cause });
}

function clientIdOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/**
 * The client that renews tokens: the host's app for its own tokens, otherwise the app that issued them, which works
 * only if that needs no secret.
 *
 * @param accountId null: not known yet, so an app is found only if it is the same for all accounts
 */
async function clientFor(
  setting: XAppSetting | undefined,
  accountId: string | null,
  clientId: string | undefined,
): Promise<OAuthClient> {
  const isKnown = setting !== undefined && (typeof setting !== "function" || accountId !== null);
  if (isKnown) {
    const app = await findApp(setting, accountId ?? "");
    if (clientId === undefined || clientId === app.client_id) return app;
  }
  if (clientId !== undefined) return { client_id: clientId };
  throw new PublishingError(
    "reauthentication_required",
    "The app that issued this access token is unknown: reconnect the account.",
  );
}

function assertUsable(
  { refresh_token, client_id, scopes: granted }: GivenCredentials,
  settings: ConnectSettings,
): void {
  if (refresh_token !== undefined && client_id === undefined && settings.app === undefined)
    throw new PublishingError("invalid_request", "client_id: a refresh token is valid only with its app's client id.");
  assertScopes(granted ?? null, settings.purposes);
}

/** Does not require `offline.access`, whose absence shows in a missing refresh token. */
function assertScopes(granted: readonly string[] | null, purposes: readonly Purpose[]): void {
  if (granted === null) return;
  const missing = scopesFor(scopes, purposes).filter((each) => each !== "offline.access" && !granted.includes(each));
  if (missing.length === 0) return;
  throw new PublishingError(
    "invalid_request",
    `scopes: the tokens lack ${missing.join(", ")}. Sign in again and allow them.`,
  );
}
