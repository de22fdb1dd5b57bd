import { documentedObject } from "../../wire/documented-object.ts";
import { PublishingError } from "../../wire/errors.ts";
import type { Connector } from "../contract/adapter.ts";
import type { Identity } from "../contract/profile.ts";
import { bearerToken, inNameOf, signWithAccessToken } from "../shared/bearer.ts";
import { clientId, endOf, endTime } from "../shared/credential-fields.ts";
import { defined } from "../shared/defined.ts";
import { infoOfGiven, infoOfStored, type TokenInfo } from "../shared/google/login.ts";
import { type GoogleAppSetting, toGoogleCredentials, withGoogleApp } from "../shared/google/tokens.ts";
import type { Purpose } from "../shared/scopes.ts";
import { browserLogin } from "./browser.ts";
import { type Channel, readChannel, toIdentity } from "./channel.ts";
import { oauth } from "./oauth.ts";
import { missingScopes } from "./scopes.ts";

export const credentialsSchema = documentedObject({
  /** An access token of the channel, with the scopes youtube.upload and youtube.readonly. It expires after an hour. */
  access_token: bearerToken.describe(
    "An access token of the channel, with the scopes youtube.upload and youtube.readonly. It expires after an hour.",
  ),
  /** The refresh token, issued by the same app. Without one the connection ends within the hour. */
  refresh_token: bearerToken
    .optional()
    .describe("The refresh token, issued by the same app. Without one the connection ends within the hour."),
  /**
   * When the refresh token expires, ISO 8601, if Google reports it: a week after the sign-in while the app is in
   * testing. Default: never.
   */
  refresh_expires_at: endTime
    .optional()
    .describe(
      "When the refresh token expires, ISO 8601, if Google reports it: a week after the sign-in while the app is in testing. Default: never.",
    ),
  /** The app of the browser sign-in that issued it. Leave it out for credentials entered by hand. */
  client_id: clientId
    .optional()
    .describe("The app of the browser sign-in that issued it. Leave it out for credentials entered by hand."),
});

/** @param options.app the host's app; undefined: accounts are connected only by tokens, which cannot be renewed */
export function createConnector(options: {
  app: GoogleAppSetting | undefined;
  purposes: readonly Purpose[];
}): Connector<typeof credentialsSchema> {
  const { app, purposes } = options;
  if (app === undefined) return connector;
  return withGoogleApp(connector, { oauth, app, what: "the channel", browser: browserLogin(app, purposes) });
}

const connector: Connector<typeof credentialsSchema> = {
  credentials: credentialsSchema,

  async login(context, input) {
    const { refresh_expires_at, ...secret } = credentialsSchema.parse(input);
    const { access_token } = secret;
    const info = await infoOfGiven(context, access_token);
    const missing = missingScopes(info.scopes);
    if (missing.length > 0)
      throw new PublishingError("invalid_request", `access_token: it lacks the scope ${missing.join(" and ")}.`);
    const channel = await readChannel(inNameOf(context, access_token));
    const identity = identityOf(channel, info);
    const ends = { expires_at: info.expires_at, refresh_expires_at: endOf(refresh_expires_at) };
    return { identity, credentials: toGoogleCredentials(defined(secret), ends, context.now()) };
  },

  async inspect(context) {
    // This first request renews an expired token.
    const channel = await readChannel(context);
    const info = await infoOfStored(context);
    return identityOf(channel, info);
  },

  sign: signWithAccessToken,
};

function identityOf(channel: Channel | null, info: TokenInfo): Identity {
  if (channel !== null) return toIdentity(channel, info);
  throw new PublishingError("profile_unavailable", "This Google account has no YouTube channel (any more).");
}
