import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { SignedPart, Signing } from "../contract/adapter.ts";
import type { Credentials, Identity } from "../contract/profile.ts";
import type { LoginContext, NetworkContext } from "../contract/request.ts";
import { token } from "../shared/credential-fields.ts";
import { accountSchema, assertActive } from "./account.ts";
import { isPublic, readAnswer, xrpc } from "./api.ts";
import { type BlueskyApp, keyOf } from "./app.ts";
import { type AuthorizationServer, openServer } from "./authorization-server.ts";
import { readIdentity } from "./identity.ts";
import { OAuthRefusal } from "./oauth-answer.ts";
import { loadOAuth, type OAuthLibrary } from "./oauth-library.ts";
import type { Prover } from "./prover.ts";
import { findServer, isOperators, operatorsOf } from "./server.ts";
import { type SigningKey, signingKeySchema } from "./signing-key.ts";

/** The dependencies of browser sign-ins and their tokens. */
export interface GrantTools {
  /** Undefined: browser sign-ins are (no longer) enabled. */
  app: BlueskyApp | undefined;
  /** The URL of the accounts' server. */
  service: string;
  prover: Prover;
  /** Loads oauth4webapi; replaced only in tests. */
  loadLibrary?: (() => Promise<OAuthLibrary>) | undefined;
}

/** The result of a browser sign-in, used to connect an account. */
export const grantSchema = z.object({
  did: z.string().max(2048),
  /** The authorization server that issued the tokens. */
  issuer: z.url(),
  /** The app's client id. */
  client_id: z.url(),
  /** The id of the app's key that was used. Null: none. */
  key_id: z.string().nullable(),
  /** The granted scopes. */
  scopes: z.array(z.string()),
  access_token: token.min(1),
  refresh_token: token.min(1),
  /** When the access token expires, milliseconds since 1970. Null: unknown. */
  expires_at: z.number().int().nullable(),
  /** The private key that both tokens are bound to. */
  key: signingKeySchema,
});

/** The result of a browser sign-in. */
export type Grant = z.infer<typeof grantSchema>;

/** The public part of a grant, kept as `account_facts.oauth`. */
const knownSchema = z.object({
  issuer: z.string(),
  client_id: z.string(),
  key_id: z.string().nullable(),
  scopes: z.array(z.string()),
});

const secretSchema = z.object({ access: z.string(), refresh: z.string(), key: signingKeySchema });

type GrantSecret = z.infer<typeof secretSchema>;

/** Signs with a token that only the holder of the key can use. https://www.rfc-editor.org/rfc/rfc9449#section-7 (2026-11) */
export function signWithGrant<Request extends SignedPart>(
  request: Request,
  { secret, now }: Pick<Signing, "secret" | "now">,
  prover: Prover,
): Request {
  const { access, key } = secretSchema.parse(secret);
  const proof = prover.proof(request, { key, token: access, at: prover.timeAt(request.url, now()) });
  return { ...request, headers: { ...request.headers, authorization: `DPoP ${access}`, dpop: proof } };
}

/** Connects an account. The token goes only to the server that the account's DID document names. */
export async function loginWithGrant(
  context: LoginContext,
  grant: Grant,
  { service, prover }: GrantTools,
): Promise<{ identity: Identity; credentials: Credentials }> {
  const pds = operatorsOf(service) ?? (await findServer(context, grant.did));
  const secret = { access: grant.access_token, refresh: grant.refresh_token, key: grant.key };
  const own = withGrant(context, secret, prover);
  const session = await own.request({ method: "GET", url: xrpc(pds, "com.atproto.server.getSession") });
  const account = readAnswer(accountSchema, session);
  assertActive(account);
  if (account.did !== grant.did)
    throw new PublishingError(
      "invalid_request",
      `login_secrets: the access token belongs to ${account.did}, not ${grant.did}.`,
    );
  const { issuer, client_id, key_id, scopes } = grant;
  const identity = await readIdentity(own, { pds, account, service, scopes, sign: (request) => request });
  return {
    identity: {
      ...identity,
      account_facts: { ...identity.account_facts, oauth: { issuer, client_id, key_id, scopes } },
    },
    credentials: {
      ...toCredentials(secret, { expires_at: grant.expires_at, hasKey: key_id !== null, now: context.now() }),
      reconnect_by: context.now() + (key_id === null ? longestWithoutKeyMs : longestWithKeyMs),
    },
  };
}

/** Sends each request once with its own proof, and once more if the server requires another nonce. */
function withGrant(context: LoginContext, secret: GrantSecret, prover: Prover): Pick<LoginContext, "request"> {
  return {
    async request(request) {
      if (isPublic(request.url)) return context.request(request);
      const signed = (): typeof request =>
        signWithGrant({ ...request, repeat: false }, { secret, now: context.now }, prover);
      const first = await context.request({ ...signed(), accept: [...(request.accept ?? []), 401] });
      prover.onResponse({ url: request.url, headers: first.headers, at: context.now() });
      return first.status === 401 ? context.request(signed()) : first;
    },
  };
}

/**
 * Renews the tokens. A refresh token can be used once. After a lost response the next call sends the same token again,
 * and the result shows whether it was used.
 */
export async function refreshGrant(context: NetworkContext, tools: GrantTools): Promise<Credentials> {
  const { secret, known, server } = await openGrant(context, tools);
  const tokens = await server.refresh(secret.refresh).catch((error: unknown) => {
    throw error instanceof OAuthRefusal ? refusedRefresh(error) : error;
  });
  if (tokens.token_type !== "dpop" || typeof tokens.sub !== "string")
    throw new PublishingError("network_error", "Bluesky did not renew the access token with tokens of the same kind.");
  if (tokens.sub !== context.profile.external_id)
    throw new PublishingError("reauthentication_required", "The access token now belongs to another account.");
  const { access_token, refresh_token = secret.refresh, expires_in } = tokens;
  const now = context.now();
  const expires_at = expiryOf(expires_in, now);
  const next = { ...secret, access: access_token, refresh: refresh_token };
  return toCredentials(next, { expires_at, hasKey: known.key_id !== null, now });
}

/** Longer than any server's access tokens are valid, seconds. https://atproto.com/specs/oauth#tokens-and-session-lifetime (2026-11) */
const longestAccessSeconds = 86_400;

/** When an access token expires, milliseconds since 1970. Null: its server does not say. */
export function expiryOf(expiresInSeconds: number | undefined, now: number): number | null {
  if (expiresInSeconds === undefined) return null;
  return Math.floor(now + Math.min(expiresInSeconds, longestAccessSeconds) * 1000);
}

export async function revokeGrant(context: NetworkContext, tools: GrantTools): Promise<void> {
  const { secret, server } = await openGrant(context, tools);
  await server.revoke(secret.refresh);
}

async function openGrant(
  context: NetworkContext,
  { app, service, prover, loadLibrary }: GrantTools,
): Promise<{ secret: GrantSecret; known: z.infer<typeof knownSchema>; server: AuthorizationServer }> {
  const secret = secretSchema.parse(context.secret);
  const known = knownSchema.parse(context.profile.account_facts.oauth);
  const client = { id: known.client_id, redirectUri: "", key: keyOf(app, known.key_id) };
  const server = await openServer(context, {
    library: await loadOAuth(loadLibrary),
    issuer: known.issuer,
    client,
    key: secret.key,
    prover,
    allowsHttp: isOperators(known.issuer, service),
  });
  return { secret, known, server };
}

/** Only this error says that access has ended. Any other may be temporary. */
function refusedRefresh({ code, message }: OAuthRefusal): PublishingError {
  if (code === "invalid_grant")
    return new PublishingError("reauthentication_required", "Bluesky has ended this session: reconnect the profile.");
  const said = message === "" ? code : `${code}: ${message}`;
  return new PublishingError(
    "network_error",
    `Bluesky did not renew the access token (${said}). Check the adapter's app.`,
  );
}

const dayMs = 86_400_000;
/**
 * How long a login lasts at most, even if renewed: for an app without a key, and for one with a key.
 * https://github.com/bluesky-social/atproto/blob/main/packages/oauth/oauth-provider/src/constants.ts (2026-11)
 */
const longestWithoutKeyMs = 14 * dayMs;
const longestWithKeyMs = 730 * dayMs;

/**
 * How long an unused refresh token stays valid, for an app with a key, milliseconds.
 * https://github.com/bluesky-social/atproto/blob/main/packages/oauth/oauth-provider/src/constants.ts (2026-11)
 */
const idleMs = 90 * dayMs;

/** The refresh token is used when half of its time is over. */
function toCredentials(
  { access, refresh, key }: GrantSecret,
  { expires_at, hasKey, now }: { expires_at: number | null; hasKey: boolean; now: number },
): Credentials {
  const secret: JsonObject = { access, refresh, key: asJson(key) };
  return { secret, expires_at, ...(hasKey ? { refresh_at: now + idleMs / 2 } : {}) };
}

function asJson(key: SigningKey): JsonObject {
  return { ...key };
}
