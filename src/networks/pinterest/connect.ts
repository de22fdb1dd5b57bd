import type * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { PublishingError } from "../../wire/errors.ts";
import type { Connector } from "../contract/adapter.ts";
import type { NetworkContext } from "../contract/request.ts";
import { bearerToken, inNameOf, signWithAccessToken } from "../shared/bearer.ts";
import { clientId, endOf, endTime, scopeList } from "../shared/credential-fields.ts";
import { defined } from "../shared/defined.ts";
import { namingToken } from "../shared/given-token.ts";
import { renewTokens } from "../shared/renew-tokens.ts";
import { tokenCredentials } from "../shared/token-credentials.ts";
import { readIdentity } from "./account.ts";
import { browserLogin } from "./browser.ts";
import { readKnown } from "./known.ts";
import {
  findApp,
  oauth,
  type PinterestApp,
  type PinterestAppSetting,
  publishScopes,
  renewIdleAfterMs,
} from "./oauth.ts";

export const credentialsSchema = documentedObject({
  /** An access token of the account; it begins with `pina_` and expires after 30 days. */
  access_token: bearerToken.describe(
    "An access token of the account; it begins with `pina_` and expires after 30 days.",
  ),
  /**
   * The refresh token that was issued with it; it begins with `pinr_`. Do not use it elsewhere: each use replaces it.
   */
  refresh_token: bearerToken
    .optional()
    .describe(
      "The refresh token that was issued with it; it begins with `pinr_`. Do not use it elsewhere: each use replaces it.",
    ),
  /** When the access token expires, ISO 8601. Default: unknown until Pinterest rejects it. */
  expires_at: endTime
    .optional()
    .describe("When the access token expires, ISO 8601. Default: unknown until Pinterest rejects it."),
  /** Id of the app that issued the tokens. Default: the adapter's app. */
  client_id: clientId.optional().describe("Id of the app that issued the tokens. Default: the adapter's app."),
  /** The tokens' scopes, as Pinterest returned them: `pins:write`, … Default: unknown. */
  scopes: scopeList
    .optional()
    .describe("The tokens' scopes, as Pinterest returned them: `pins:write`, … Default: unknown."),
});

type Given = z.infer<typeof credentialsSchema>;

/**
 * Connects accounts. There is no `revoke`: Pinterest offers one only for system users; a user removes the app in
 * Pinterest's settings.
 */
export function createConnector(
  app: PinterestAppSetting | undefined,
  wanted: readonly string[],
): Connector<typeof credentialsSchema> {
  return {
    credentials: credentialsSchema,
    ...(app && { browser: browserLogin(app, wanted) }),

    login: namingToken(async (context, input) => {
      const given = credentialsSchema.parse(input);
      assertScopes(given);
      const { access_token, refresh_token, client_id } = given;
      const identity = await readIdentity(inNameOf(context, access_token), given.scopes ?? null);
      const secret = defined({ access_token, refresh_token, client_id });
      const expires_at = endOf(given.expires_at);
      const credentials = tokenCredentials(secret, { expires_at }, context.now() + renewIdleAfterMs);
      return {
        identity: { ...identity, ...(client_id && { app: client_id }) },
        // Without the app, tokens cannot be renewed.
        credentials: { ...credentials, ...(app === undefined && { reconnect_by: expires_at }) },
      };
    }),

    inspect: (context) => readIdentity(context, readKnown(context.profile).scopes),
    sign: signWithAccessToken,

    /** Stores the new refresh token, because the old one expires two months later. */
    async refresh(context) {
      const { client, secret, expires_at } = await renewTokens(oauth, context, {
        client: () => ownApp(context, app),
        ended: "The access token has expired: reconnect the account.",
      });
      const renewed = { ...secret, client_id: client.client_id };
      return tokenCredentials(renewed, { expires_at }, context.now() + renewIdleAfterMs);
    },
  };
}

function assertScopes({ scopes }: Given): void {
  const missing = publishScopes.filter((scope) => scopes !== undefined && !scopes.includes(scope));
  if (missing.length > 0)
    throw new PublishingError(
      "invalid_request",
      `scopes: the tokens lack ${missing.join(", ")}. Sign in again and allow them.`,
    );
}

/** Only the app that issued the tokens can renew them. */
async function ownApp(
  { accountId, secret: { client_id } }: NetworkContext,
  setting: PinterestAppSetting | undefined,
): Promise<PinterestApp> {
  const app = setting && (await findApp(setting, accountId));
  if (app !== undefined && (client_id === undefined || client_id === app.client_id)) return app;
  throw new PublishingError(
    "reauthentication_required",
    "The access token was issued to a different app than the adapter's: reconnect the account.",
  );
}
