import { z } from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { Connector } from "../contract/adapter.ts";
import type { Credentials, Identity } from "../contract/profile.ts";
import type { NetworkContext } from "../contract/request.ts";
import { idleRefreshDays, readTokenInfo, type TokenInfo } from "../shared/google/login.ts";
import { revokeToken, tradeRefreshToken } from "../shared/oauth2.ts";
import type { Purpose } from "../shared/scopes.ts";
import { withBearer } from "./api.ts";
import { browserLogin, findApp } from "./browser.ts";
import { readChannel, toIdentity } from "./channel.ts";
import { oauth, type YoutubeAppSetting } from "./oauth.ts";
import { missingScopes } from "./scopes.ts";

/** They go into headers and forms. */
const token = z
  .string()
  .regex(/^[\x21-\x7e]+$/, "A token has no spaces.")
  .max(4_096);

export const credentialsSchema = documentedObject({
  /** An access token of the channel, with the scopes youtube.upload and youtube.readonly. It lives for an hour. */
  access_token: token.describe(
    "An access token of the channel, with the scopes youtube.upload and youtube.readonly. It lives for an hour.",
  ),
  /** What it is renewed with, by the app that it came from. Without one the login ends within the hour. */
  refresh_token: token
    .optional()
    .describe("What it is renewed with, by the app that it came from. Without one the login ends within the hour."),
  /** The app that it came from by a login in the browser. By hand it is left out. */
  client_id: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe("The app that it came from by a login in the browser. By hand it is left out."),
});

/** @param options.app the host's app; undefined: accounts are connected by their tokens alone, which then cannot be renewed */
export function createConnector(options: {
  app: YoutubeAppSetting | undefined;
  purposes: readonly Purpose[];
}): Connector<typeof credentialsSchema> {
  const { app, purposes } = options;
  if (app === undefined) return connector;
  return {
    ...connector,
    browser: browserLogin(app, purposes),
    refresh: (context) => refresh(context, app),
    revoke: (context) => revoke(context, app),
  };
}

const connector: Connector<typeof credentialsSchema> = {
  credentials: credentialsSchema,

  async login(context, input) {
    const given = credentialsSchema.parse(input);
    const { access_token } = given;
    const info = await readTokenInfo(context, access_token);
    if (info === null)
      throw new PublishingError("reauthentication_required", "access_token: Google does not know it, or not any more.");
    const missing = missingScopes(info.scopes);
    if (missing.length > 0)
      throw new PublishingError("invalid_request", `access_token: it lacks the scope ${missing.join(" and ")}.`);
    const channel = await readChannel(context, (request) => withBearer(request, access_token));
    const identity = identityOf(channel, info);
    return { identity, credentials: toCredentials({ ...given }, info.expires_at, context.now()) };
  },

  async inspect(context) {
    // A token that has run out is renewed by this first request.
    const channel = await readChannel(context, (request) => request);
    const info = await readTokenInfo(context, String(context.secret.access_token));
    if (info === null) throw new PublishingError("network_error", "Google does not say what the login allows.");
    return identityOf(channel, info);
  },

  sign: (request, { secret }) => withBearer(request, String(secret.access_token)),
};

function identityOf(channel: Awaited<ReturnType<typeof readChannel>>, info: TokenInfo): Identity {
  if (channel !== null) return toIdentity(channel, info);
  throw new PublishingError("profile_unavailable", "This Google account has no YouTube channel, or not any more.");
}

const dayMs = 86_400_000;

function toCredentials(secret: JsonObject, expires_at: number | null, now: number): Credentials {
  const idle = secret.refresh_token === undefined ? {} : { refresh_at: now + idleRefreshDays * dayMs };
  return { secret, expires_at, ...idle };
}

async function refresh(context: NetworkContext, setting: YoutubeAppSetting): Promise<Credentials> {
  const { secret } = context;
  const refreshToken = secret.refresh_token;
  if (typeof refreshToken !== "string")
    throw new PublishingError(
      "reauthentication_required",
      "The access token has run out, and there is nothing to renew it with: connect the channel again.",
    );
  const app = await findApp(setting, context.accountId);
  const { access_token, refresh_token, expires_at } = await tradeRefreshToken(oauth, context, { app, refreshToken });
  // Google rarely gives a new one: the old one stays good.
  const renewed = { ...secret, access_token, refresh_token: refresh_token ?? refreshToken };
  return toCredentials(renewed, expires_at, context.now());
}

/** Of a login of ours alone: a token that was handed in may be in use elsewhere. */
async function revoke(context: NetworkContext, setting: YoutubeAppSetting): Promise<void> {
  const { client_id, refresh_token, access_token } = context.secret;
  if (client_id === undefined) return;
  const app = await findApp(setting, context.accountId);
  await revokeToken(oauth, context, { app, token: String(refresh_token ?? access_token) });
}
