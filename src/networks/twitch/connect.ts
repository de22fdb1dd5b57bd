import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { Connector, SignedPart } from "../contract/adapter.ts";
import type { Credentials } from "../contract/profile.ts";
import type { LoginContext, NetworkContext } from "../contract/request.ts";
import { appFor } from "../shared/app.ts";
import { endOf, endTime } from "../shared/credential-fields.ts";
import { loginEnd } from "../shared/login-end.ts";
import { revokeToken, type Tokens, tradeRefreshToken } from "../shared/oauth2.ts";
import { identityOf, readMe, type Valid, validateToken } from "./account.ts";
import { browserLogin } from "./browser.ts";
import { readKnown } from "./known.ts";
import { appSchema, loginHost, oauth, scopes, type TwitchApp, type TwitchAppSetting } from "./oauth.ts";

/** It goes into a header. */
const token = z.string().regex(/^[\x21-\x7e]{10,500}$/, "A token has no spaces.");

export const credentialsSchema = documentedObject({
  /** An access token of the channel's owner, from the app that the adapter was given. It runs out after some hours. */
  access_token: token.describe(
    "An access token of the channel's owner, from the app that the adapter was given. It runs out after some hours.",
  ),
  /** The refresh token that came with it. Without one the profile works until the access token runs out. */
  refresh_token: token
    .optional()
    .describe("The refresh token that came with it. Without one the profile works until the access token runs out."),
  /** When the access token runs out, ISO 8601. Default: as Twitch says. */
  expires_at: endTime.optional().describe("When the access token runs out, ISO 8601. Default: as Twitch says."),
});

type Given = z.infer<typeof credentialsSchema>;

/** How channels are connected. Twitch asks for its own header beside the token, which names the token's app. */
export function createConnector(setting: TwitchAppSetting): Connector<typeof credentialsSchema> {
  const appOf = (accountId: string): Promise<TwitchApp> =>
    appFor(setting, { schema: appSchema, accountId, name: oauth.name });
  return {
    credentials: credentialsSchema,
    browser: browserLogin(setting),

    async login(context, input) {
      const given = credentialsSchema.parse(input);
      const valid = await validateToken(context, given.access_token);
      if (valid === null)
        throw new PublishingError(
          "reauthentication_required",
          "access_token: Twitch does not take it, or not any more.",
        );
      assertUsable(valid, setting);
      const headers = { authorization: `Bearer ${given.access_token}`, "client-id": valid.client_id };
      const identity = identityOf(await readMe(context, { headers }), valid.scopes ?? []);
      return { identity: { ...identity, app: valid.client_id }, credentials: credentialsOf(given, valid, context) };
    },

    async inspect(context) {
      return identityOf(await readMe(context), readKnown(context.profile).scopes);
    },

    sign: (request, { secret }) => signed(request, secret),

    async refresh(context) {
      const { refresh_token: refreshToken, client_id } = context.secret;
      if (typeof refreshToken !== "string")
        throw new PublishingError("reauthentication_required", "The login has run out: connect the account again.");
      const app = await appOf(context.accountId);
      if (app.client_id !== client_id)
        throw new PublishingError("reauthentication_required", "The login came from another app: connect again.");
      return renewed(await tradeRefreshToken(oauth, context, { app, refreshToken }), { refreshToken, app });
    },

    /** Takes back this login alone: what its owner has allowed the app stays, for others of the app's may live of it. */
    async revoke({ secret, request }: NetworkContext) {
      const app = { client_id: String(secret.client_id) };
      await revokeToken(oauth, { request }, { app, token: String(secret.access_token) });
    },
  };
}

function credentialsOf(given: Given, { client_id, expires_in }: Valid, context: LoginContext): Credentials {
  const { access_token, refresh_token } = given;
  const secret: JsonObject = { access_token, client_id, ...(refresh_token === undefined ? {} : { refresh_token }) };
  const expires_at = endOf(given.expires_at) ?? context.now() + expires_in * 1000;
  return { secret, expires_at, ...loginEnd(secret, { expires_at }) };
}

function renewed(
  { access_token, refresh_token, expires_at }: Tokens,
  { refreshToken, app }: { refreshToken: string; app: TwitchApp },
): Credentials {
  const secret = { access_token, refresh_token: refresh_token ?? refreshToken, client_id: app.client_id };
  return { secret, expires_at };
}

/** Twitch's login has a word of its own before the token. https://dev.twitch.tv/docs/authentication/validate-tokens (2026-09) */
function signed<Request extends SignedPart>(request: Request, { access_token, client_id }: JsonObject): Request {
  const scheme = new URL(request.url).host === loginHost ? "OAuth" : "Bearer";
  const own = { authorization: `${scheme} ${access_token}`, "client-id": String(client_id) };
  return { ...request, headers: { ...request.headers, ...own } };
}

function assertUsable({ client_id, scopes: granted }: Valid, setting: TwitchAppSetting): void {
  if (typeof setting !== "function" && setting.client_id !== client_id)
    throw new PublishingError("invalid_request", "access_token: it came from another app than the adapter was given.");
  const missing = scopes.filter((scope) => granted?.includes(scope) !== true);
  if (missing.length > 0)
    throw new PublishingError(
      "invalid_request",
      `access_token: it lacks ${missing.join(", ")}: log in again with them.`,
    );
}
