import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { PublishingError } from "../../wire/errors.ts";
import type { Connector } from "../contract/adapter.ts";
import type { Credentials, Identity } from "../contract/profile.ts";
import type { LoginContext, NetworkContext } from "../contract/request.ts";
import { bearerToken, inNameOf, signWithAccessToken } from "../shared/bearer.ts";
import { clientId, endOf, endTime, scopeList } from "../shared/credential-fields.ts";
import { defined } from "../shared/defined.ts";
import { refreshEndField, tokenFields } from "../shared/oauth-login.ts";
import { type OAuthClient, revokeToken, tradeRefreshToken } from "../shared/oauth2.ts";
import { renewTokens } from "../shared/renew-tokens.ts";
import type { Purpose } from "../shared/scopes.ts";
import { tokenCredentials } from "../shared/token-credentials.ts";
import { type Account, identityOf, readMember, readOrganization, readRoles } from "./account.ts";
import { type Api, organizationUrn } from "./api.ts";
import { browserLogin } from "./browser.ts";
import { isOrganization, readKnown } from "./known.ts";
import { findApp, type LinkedinAppSetting, oauth } from "./oauth.ts";
import { type Product, publishScope } from "./scopes.ts";

export const credentialsSchema = documentedObject({
  /** An access token of a member. It expires after 60 days. */
  access_token: bearerToken.describe("An access token of a member. It expires after 60 days."),
  /**
   * The refresh token that was issued with it; LinkedIn issues one only to approved partners. It expires a year after
   * the sign-in, however often it is used.
   */
  refresh_token: bearerToken
    .optional()
    .describe(
      "The refresh token that was issued with it; LinkedIn issues one only to approved partners. It expires a year after the sign-in, however often it is used.",
    ),
  /**
   * The id of the organisation to publish for, with or without `urn:li:organization:` before it. Default: the member.
   */
  organization_id: z
    .string()
    .regex(/^(?:urn:li:organization:)?\d{1,19}$/, "The id of an organisation: digits.")
    .optional()
    .describe(
      "The id of the organisation to publish for, with or without `urn:li:organization:` before it. Default: the member.",
    ),
  /** When the access token expires, ISO 8601. Default: unknown until LinkedIn rejects it. */
  expires_at: endTime
    .optional()
    .describe("When the access token expires, ISO 8601. Default: unknown until LinkedIn rejects it."),
  /** When the refresh token expires, ISO 8601. Default: unknown until the access token is renewed. */
  refresh_expires_at: endTime
    .optional()
    .describe("When the refresh token expires, ISO 8601. Default: unknown until the access token is renewed."),
  /** Client id of the app that issued the tokens. Default: the adapter's app. */
  client_id: clientId.optional().describe("Client id of the app that issued the tokens. Default: the adapter's app."),
  /**
   * The token's scopes, as LinkedIn returned them: `w_member_social`, … Default: unknown, and comments are disabled.
   */
  scopes: scopeList
    .optional()
    .describe(
      "The token's scopes, as LinkedIn returned them: `w_member_social`, … Default: unknown, and comments are disabled.",
    ),
});

type Given = z.infer<typeof credentialsSchema>;

/** The adapter's settings for connecting accounts. */
export interface ConnectSettings {
  app: LinkedinAppSetting | undefined;
  product: Product;
  purposes: readonly Purpose[];
}

/** How to connect accounts. One token serves a member and all organisations that the member may post for. */
export function createConnector(api: Api, settings: ConnectSettings): Connector<typeof credentialsSchema> {
  const { app } = settings;
  return {
    credentials: credentialsSchema,
    ...(app && { browser: browserLogin(api, { ...settings, app }), revoke: (context) => revoke(context, app) }),

    async login(context, input) {
      const given = credentialsSchema.parse(input);
      assertScopes(given);
      return (await loginAsIs(context, api, { given, app })) ?? loginRenewed(context, api, { given, app });
    },

    async inspect(context) {
      const { scopes } = readKnown(context.profile);
      const account = isOrganization(context.profile)
        ? await administered(context, api, context.profile.external_id)
        : await readMember({ request: context.request, api }, scopes);
      if (account === null)
        throw new PublishingError(
          "reauthentication_required",
          "LinkedIn has ended this session: reconnect the account.",
        );
      return identityOf(account, scopes);
    },

    sign: signWithAccessToken,

    /** Each response returns the refresh token with the rest of its year. */
    async refresh(context) {
      const ended = "The access token has expired, and there is no refresh token: reconnect the account.";
      const client = async () => {
        const own = await ownApp(app, context.accountId, clientIn(context));
        if (own === null) throw new PublishingError("reauthentication_required", ended);
        return own;
      };
      const { secret, ...ends } = await renewTokens(oauth, context, { client, ended });
      return tokenCredentials(secret, ends);
    },
  };
}

interface LoginGiven {
  given: Given;
  app: LinkedinAppSetting | undefined;
}

type LoggedIn = { identity: Identity; credentials: Credentials };

/** Null: LinkedIn rejects the access token. */
async function loginAsIs(context: LoginContext, api: Api, { given, app }: LoginGiven): Promise<LoggedIn | null> {
  const expires_at = endOf(given.expires_at);
  if (expires_at !== null && expires_at <= context.now()) return null;
  const { access_token, refresh_token, client_id, scopes = null, organization_id } = given;
  const reading = { ...inNameOf(context, access_token), api };
  const member = await readMember(reading, scopes);
  if (member === null) return null;
  const account = organization_id === undefined ? member : await chosen(reading, organization_id);
  const secret = defined({ access_token, refresh_token, client_id });
  const ends = { expires_at, refresh_expires_at: endOf(given.refresh_expires_at) };
  const credentials = {
    ...tokenCredentials(secret, ends),
    // Without the app nothing can be renewed.
    ...(app === undefined && { reconnect_by: expires_at }),
    // A grant ends as a whole when its token is revoked, for the member and the organisations.
    ...(client_id && { grant_id: `${client_id}/${member.urn}` }),
  };
  return { identity: identityOf(account, scopes), credentials };
}

/** Connects with renewed tokens, because a token that was stored elsewhere may have expired. */
async function loginRenewed(context: LoginContext, api: Api, { given, app }: LoginGiven): Promise<LoggedIn> {
  const { refresh_token: refreshToken, client_id } = given;
  const used = refreshToken === undefined || typeof app === "function" ? null : await ownApp(app, "", client_id);
  if (refreshToken === undefined || used === null)
    throw new PublishingError("reauthentication_required", "access_token: LinkedIn rejects it; it may have expired.");
  const tokens = await tradeRefreshToken(oauth, context, { app: used, refreshToken }).catch((error: unknown) => {
    if (!PublishingError.is(error) || error.code !== "reauthentication_required") throw error;
    const message = "refresh_token: LinkedIn rejects it, because it has expired or was revoked.";
    throw new PublishingError("reauthentication_required", message, { cause: error });
  });
  const { expires_at: _, ...kept } = given;
  const came = { ...tokenFields(tokens), ...refreshEndField(tokens) };
  const fresh: Given = { ...kept, refresh_token: refreshToken, ...came, client_id: used.client_id };
  const loggedIn = await loginAsIs(context, api, { given: fresh, app });
  if (loggedIn === null)
    throw new PublishingError(
      "reauthentication_required",
      "access_token: LinkedIn rejects the token that it has just renewed.",
    );
  return loggedIn;
}

/** The app that issued the tokens; only it can renew or revoke them. Null: it is not ours. */
async function ownApp(
  setting: LinkedinAppSetting | undefined,
  accountId: string,
  clientId: string | undefined,
): Promise<OAuthClient | null> {
  if (setting === undefined) return null;
  const app = await findApp(setting, accountId);
  return clientId === undefined || clientId === app.client_id ? app : null;
}

/** The client id of the app that issued a profile's tokens. Undefined: unknown. */
function clientIn({ secret: { client_id } }: NetworkContext): string | undefined {
  return typeof client_id === "string" ? client_id : undefined;
}

/** Revokes only tokens from the service's own sign-in. A token from a caller, without its app, may be in use elsewhere. */
async function revoke(context: NetworkContext, setting: LinkedinAppSetting): Promise<void> {
  const clientId = clientIn(context);
  const app = clientId === undefined ? null : await ownApp(setting, context.accountId, clientId);
  if (app !== null) await revokeToken(oauth, context, { app, token: String(context.secret.access_token) });
}

/** @throws PublishingError `invalid_request` naming the organisations that can be chosen */
async function chosen(reading: Parameters<typeof readRoles>[0], organizationId: string): Promise<Account> {
  const urn = organizationUrn.parse(`urn:li:organization:${organizationId.replace(/\D/g, "")}`);
  const roles = await readRoles(reading);
  const account = roles.includes(urn) ? await readOrganization(reading, urn) : null;
  if (account !== null) return account;
  const ids = roles.map((each) => each.replace("urn:li:organization:", "")).join(", ");
  const found = ids === "" ? "none" : ids;
  throw new PublishingError(
    "invalid_request",
    `organization_id: the member may not post for it. The member may post for: ${found}.`,
  );
}

/** @throws PublishingError `profile_unavailable` when the member has lost the role */
async function administered(context: NetworkContext, api: Api, urn: string): Promise<Account> {
  const reading = { request: context.request, api };
  const account = (await readRoles(reading)).includes(urn) ? await readOrganization(reading, urn) : null;
  if (account !== null) return account;
  throw new PublishingError(
    "profile_unavailable",
    "The member who connected it may no longer post for this organisation: ask an administrator to restore the role, or reconnect it as another member.",
  );
}

function assertScopes({ scopes, organization_id }: Given): void {
  const wanted = publishScope({ isOrganization: organization_id !== undefined });
  if (scopes === undefined || scopes.includes(wanted)) return;
  throw new PublishingError("invalid_request", `scopes: the token lacks ${wanted}. Sign in again and allow it.`);
}
