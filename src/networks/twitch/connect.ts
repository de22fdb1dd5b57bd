import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { PublishingError } from "../../wire/errors.ts";
import type { Connector } from "../contract/adapter.ts";
import type { Credentials } from "../contract/profile.ts";
import type { LoginContext, NetworkContext } from "../contract/request.ts";
import { endOf, endTime } from "../shared/credential-fields.ts";
import { defined } from "../shared/defined.ts";
import { revokeToken } from "../shared/oauth2.ts";
import { renewTokens } from "../shared/renew-tokens.ts";
import { tokenCredentials } from "../shared/token-credentials.ts";
import { asLogin, identityOf, readMe, signed, type Valid, validateToken } from "./account.ts";
import { browserLogin } from "./browser.ts";
import { readKnown } from "./known.ts";
import { chatScopes, findApp, oauth, type TwitchApp, type TwitchAppSetting } from "./oauth.ts";

/** A token, which is sent in a header. */
const token = z.string().regex(/^[\x21-\x7e]{10,500}$/, "A token must not contain spaces.");

export const credentialsSchema = documentedObject({
  /** An access token of the channel's owner, issued to the adapter's app. It expires after a few hours. */
  access_token: token.describe(
    "An access token of the channel's owner, issued to the adapter's app. It expires after a few hours.",
  ),
  /** The refresh token that was issued with it. Without one the profile works until the access token expires. */
  refresh_token: token
    .optional()
    .describe(
      "The refresh token that was issued with it. Without one the profile works until the access token expires.",
    ),
  /** When the access token expires, ISO 8601. Default: Twitch reports it. */
  expires_at: endTime.optional().describe("When the access token expires, ISO 8601. Default: Twitch reports it."),
});

type Given = z.infer<typeof credentialsSchema>;

/** Connects channels. Twitch also requires a header with the client id of the token's app. */
export function createConnector(setting: TwitchAppSetting): Connector<typeof credentialsSchema> {
  return {
    credentials: credentialsSchema,
    browser: browserLogin(setting),

    async login(context, input) {
      const given = credentialsSchema.parse(input);
      const valid = await validateToken(context, given.access_token);
      if (valid === null)
        throw new PublishingError("reauthentication_required", "access_token: Twitch rejects it; it may have expired.");
      assertUsable(valid, setting);
      const me = await readMe(asLogin(context, defined({ ...given, client_id: valid.client_id })));
      const identity = identityOf(me, valid.scopes ?? []);
      return { identity: { ...identity, app: valid.client_id }, credentials: credentialsOf(given, valid, context) };
    },

    async inspect(context) {
      return identityOf(await readMe(context), readKnown(context.profile).scopes);
    },

    sign: (request, { secret }) => signed(request, secret),

    async refresh(context) {
      const { client, secret, expires_at } = await renewTokens(oauth, context, {
        client: () => ownApp(context, setting),
        ended: "The access token has expired: reconnect the account.",
      });
      return { secret: { ...secret, client_id: client.client_id }, expires_at };
    },

    /**
     * Revokes only this access token. The owner's grant to the app stays, because the app's other tokens may depend on
     * it.
     */
    async revoke({ secret, request }: NetworkContext) {
      const app = { client_id: String(secret.client_id) };
      await revokeToken(oauth, { request }, { app, token: String(secret.access_token) });
    },
  };
}

async function ownApp({ accountId, secret }: NetworkContext, setting: TwitchAppSetting): Promise<TwitchApp> {
  const app = await findApp(setting, accountId);
  if (app.client_id === secret.client_id) return app;
  throw new PublishingError(
    "reauthentication_required",
    "The access token was issued to a different app: reconnect the account.",
  );
}

function credentialsOf(given: Given, { client_id, expires_in }: Valid, context: LoginContext): Credentials {
  const { access_token, refresh_token } = given;
  const expires_at = endOf(given.expires_at) ?? context.now() + expires_in * 1000;
  return tokenCredentials(defined({ access_token, client_id, refresh_token }), { expires_at });
}

function assertUsable({ client_id, scopes: granted }: Valid, setting: TwitchAppSetting): void {
  if (typeof setting !== "function" && setting.client_id !== client_id)
    throw new PublishingError("invalid_request", "access_token: it was issued to a different app than the adapter's.");
  const missing = chatScopes.filter((scope) => granted?.includes(scope) !== true);
  if (missing.length > 0)
    throw new PublishingError(
      "invalid_request",
      `access_token: it lacks ${missing.join(", ")}. Sign in again and allow them.`,
    );
}
