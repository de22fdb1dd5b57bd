import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { Connector } from "../contract/adapter.ts";
import type { Credentials } from "../contract/profile.ts";
import { bearerToken, inNameOf, signWithAccessToken } from "../shared/bearer.ts";
import { endOf, endTime, scopeList } from "../shared/credential-fields.ts";
import { defined } from "../shared/defined.ts";
import { revokeToken, type Tokens } from "../shared/oauth2.ts";
import { renewTokens } from "../shared/renew-tokens.ts";
import type { Purpose } from "../shared/scopes.ts";
import { tokenCredentials } from "../shared/token-credentials.ts";
import { identityOf, probeScopes, readAccount } from "./account.ts";
import { browserLogin } from "./browser.ts";
import { readKnown } from "./known.ts";
import { findClient, oauth, renewUnknownAfterMs, type TiktokAppSetting } from "./oauth.ts";
import { type FurtherScope, scope } from "./scopes.ts";

export const credentialsSchema = documentedObject({
  /**
   * An access token of the account, with the scopes user.info.basic and video.publish. It expires after two hours, or a
   * day.
   */
  access_token: bearerToken.describe(
    "An access token of the account, with the scopes user.info.basic and video.publish. It expires after two hours, or a day.",
  ),
  /**
   * The refresh token, issued by the same app. It is valid for one use: do not use it elsewhere. Without one the
   * connection ends with the access token.
   */
  refresh_token: bearerToken
    .optional()
    .describe(
      "The refresh token, issued by the same app. It is valid for one use: do not use it elsewhere. Without one the connection ends with the access token.",
    ),
  /** When the access token expires, ISO 8601. Default: unknown until TikTok rejects it. */
  expires_at: endTime
    .optional()
    .describe("When the access token expires, ISO 8601. Default: unknown until TikTok rejects it."),
  /** When the refresh token expires, ISO 8601. Default: unknown until it is used after 30 days. */
  refresh_expires_at: endTime
    .optional()
    .describe("When the refresh token expires, ISO 8601. Default: unknown until it is used after 30 days."),
  /** The app of the browser sign-in that issued it. Leave it out for credentials entered by hand. */
  client_key: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("The app of the browser sign-in that issued it. Leave it out for credentials entered by hand."),
  /** The token's scopes, as TikTok returned them: `video.publish`, … Default: detected by a request. */
  scopes: scopeList
    .optional()
    .describe("The token's scopes, as TikTok returned them: `video.publish`, … Default: detected by a request."),
});

/** @param options.app the host's app; undefined: accounts are connected only by tokens, which cannot be renewed */
export function createConnector(options: {
  app: TiktokAppSetting | undefined;
  purposes: readonly Purpose[];
  further: readonly FurtherScope[];
}): Connector<typeof credentialsSchema> {
  const { app } = options;
  if (app === undefined) return connector;
  return {
    ...connector,
    browser: browserLogin(app, options),

    async refresh(context) {
      const { secret, ...ends } = await renewTokens(oauth, context, {
        client: () => findClient(app, context.accountId),
        ended: "The access token has expired, and there is no refresh token: reconnect the account.",
      });
      return toCredentials(secret, ends, context.now());
    },

    /** Revokes only tokens of a browser sign-in: a token that the host supplied may be in use elsewhere. */
    async revoke(context) {
      const { client_key, access_token } = context.secret;
      if (client_key === undefined) return;
      const client = await findClient(app, context.accountId);
      await revokeToken(oauth, context, { app: client, token: String(access_token) });
    },
  };
}

const connector: Connector<typeof credentialsSchema> = {
  credentials: credentialsSchema,

  async login(context, input) {
    const { scopes: told, expires_at, refresh_expires_at, ...given } = credentialsSchema.parse(input);
    const reading = inNameOf(context, given.access_token);
    const scopes =
      told === undefined ? await probeScopes(reading) : { scopes: [...new Set(told)], scopes_are_whole: true };
    const missing = [scope.basic, scope.publish].filter((each) => !scopes.scopes.includes(each));
    if (missing.length > 0)
      throw new PublishingError("invalid_request", `access_token: it lacks the scope ${missing.join(" and ")}.`);
    const identity = identityOf(await readAccount(reading, scopes), scopes);
    const app = given.client_key === undefined ? {} : { app: given.client_key };
    const ends = { expires_at: endOf(expires_at), refresh_expires_at: endOf(refresh_expires_at) };
    return { identity: { ...identity, ...app }, credentials: toCredentials(defined(given), ends, context.now()) };
  },

  async inspect(context) {
    const { scopes, scopes_are_whole } = readKnown(context.profile);
    const known = { scopes, scopes_are_whole };
    return identityOf(await readAccount(context, known), known);
  },

  sign: signWithAccessToken,
};

function toCredentials(
  secret: JsonObject,
  ends: Pick<Tokens, "expires_at" | "refresh_expires_at">,
  now: number,
): Credentials {
  const { refresh_expires_at: end } = ends;
  const idleMs = end === null ? renewUnknownAfterMs : Math.max(0, end - now) / 2;
  return tokenCredentials(secret, ends, now + idleMs);
}
