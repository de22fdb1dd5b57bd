import type * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { Connector } from "../contract/adapter.ts";
import type { Credentials } from "../contract/profile.ts";
import type { NetworkContext } from "../contract/request.ts";
import { appFor } from "../shared/app.ts";
import { bearerToken, withBearer } from "../shared/bearer.ts";
import { clientId, endOf, endTime, scopeList } from "../shared/credential-fields.ts";
import { loginEnd } from "../shared/login-end.ts";
import { tradeRefreshToken } from "../shared/oauth2.ts";
import { identityOf, readAccount } from "./account.ts";
import { browserLogin } from "./browser.ts";
import { readKnown } from "./known.ts";
import {
  appSchema,
  oauth,
  type PinterestApp,
  type PinterestAppSetting,
  publishScopes,
  renewIdleAfterDays,
} from "./oauth.ts";

export const credentialsSchema = documentedObject({
  /** An access token of the account, which begins with `pina_`. It runs out after 30 days. */
  access_token: bearerToken.describe(
    "An access token of the account, which begins with `pina_`. It runs out after 30 days.",
  ),
  /**
   * The refresh token that came with it, which begins with `pinr_`. From now on it is used here: each use brings
   * another.
   */
  refresh_token: bearerToken
    .optional()
    .describe(
      "The refresh token that came with it, which begins with `pinr_`. From now on it is used here: each use brings another.",
    ),
  /** When the access token runs out, ISO 8601. Default: found out when Pinterest refuses it. */
  expires_at: endTime
    .optional()
    .describe("When the access token runs out, ISO 8601. Default: found out when Pinterest refuses it."),
  /** Id of the app that the tokens came from. Default: the app that the adapter was given. */
  client_id: clientId
    .optional()
    .describe("Id of the app that the tokens came from. Default: the app that the adapter was given."),
  /** What the tokens allow, as Pinterest's answer said it: `pins:write`, … Default: not known. */
  scopes: scopeList
    .optional()
    .describe("What the tokens allow, as Pinterest's answer said it: `pins:write`, … Default: not known."),
});

type Given = z.infer<typeof credentialsSchema>;

/**
 * How accounts are connected. There is no `revoke`: Pinterest has one for system users alone; a person takes the app
 * out in the settings there.
 */
export function createConnector(
  app: PinterestAppSetting | undefined,
  wanted: readonly string[],
): Connector<typeof credentialsSchema> {
  return {
    credentials: credentialsSchema,
    ...(app === undefined ? {} : { browser: browserLogin(app, wanted) }),

    async login(context, input) {
      const given = credentialsSchema.parse(input);
      assertScopes(given);
      const { access_token, refresh_token, client_id } = given;
      const account = await readAccount(context, { headers: { authorization: `Bearer ${access_token}` } });
      const identity = identityOf(account, given.scopes ?? null);
      const secret: JsonObject = {
        access_token,
        ...(refresh_token === undefined ? {} : { refresh_token }),
        ...(client_id === undefined ? {} : { client_id }),
      };
      const expires_at = endOf(given.expires_at);
      return {
        identity: client_id === undefined ? identity : { ...identity, app: client_id },
        credentials: {
          ...{ secret, expires_at, ...loginEnd(app === undefined ? {} : secret, { expires_at }) },
          ...idleEnd(refresh_token, context.now()),
        },
      };
    },

    async inspect(context) {
      return identityOf(await readAccount(context), readKnown(context.profile).scopes);
    },

    sign: (request, { secret }) => withBearer(request, String(secret.access_token)),

    refresh: (context) => renewed(context, app),
  };
}

function assertScopes({ scopes }: Given): void {
  const missing = publishScopes.filter((scope) => scopes !== undefined && !scopes.includes(scope));
  if (missing.length > 0)
    throw new PublishingError(
      "invalid_request",
      `scopes: the tokens lack ${missing.join(", ")}: log in again with them.`,
    );
}

/** The new refresh token replaces the old one, which would end the login two months later; where none came, it stays. */
async function renewed(context: NetworkContext, setting: PinterestAppSetting | undefined): Promise<Credentials> {
  const { refresh_token: refreshToken, client_id } = context.secret;
  const ended = (message: string) => new PublishingError("reauthentication_required", message);
  if (typeof refreshToken !== "string") throw ended("The access token has run out: connect the account again.");
  const app = await appOf(context, setting);
  if (app === null || (client_id !== undefined && client_id !== app.client_id))
    throw ended("The login came from another app than the adapter has: connect the account again.");
  const tokens = await tradeRefreshToken(oauth, context, { app, refreshToken });
  const refresh_token = tokens.refresh_token ?? refreshToken;
  return {
    secret: { access_token: tokens.access_token, refresh_token, client_id: app.client_id },
    expires_at: tokens.expires_at,
    ...idleEnd(refresh_token, context.now()),
  };
}

async function appOf(
  { accountId }: NetworkContext,
  setting: PinterestAppSetting | undefined,
): Promise<PinterestApp | null> {
  return setting === undefined ? null : appFor(setting, { schema: appSchema, accountId, name: oauth.name });
}

function idleEnd(refreshToken: string | undefined, now: number): Pick<Credentials, "refresh_at"> {
  return refreshToken === undefined ? {} : { refresh_at: now + renewIdleAfterDays * 24 * 3_600_000 };
}
