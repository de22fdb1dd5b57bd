import type * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { Credentials, Identity } from "../contract/profile.ts";
import type { LoginContext, NetworkContext, NetworkResponse } from "../contract/request.ts";
import { withBearer } from "../shared/bearer.ts";
import { token } from "../shared/credential-fields.ts";
import { accountSchema, assertActive } from "./account.ts";
import { readAnswer, xrpc } from "./api.ts";
import type { PasswordCredentials } from "./credentials.ts";
import { errorCode } from "./errors.ts";
import { readIdentity } from "./identity.ts";
import { defaultService, findDid, findServer, operatorsOf } from "./server.ts";
import { readClaims } from "./token.ts";

/** https://docs.bsky.app/docs/api/com-atproto-server-create-session (2026-08) */
const sessionSchema = accountSchema.extend({ accessJwt: token.min(1), refreshJwt: token.min(1) });

type Session = z.infer<typeof sessionSchema>;

/** @param service the URL of the accounts' server; other than the default, it is used directly, without a look-up */
export async function loginWithPassword(
  context: LoginContext,
  service: string,
  { identifier, app_password, service: own }: PasswordCredentials,
): Promise<{ identity: Identity; credentials: Credentials }> {
  const account = tidyIdentifier(identifier);
  const operators = operatorsOf(service);
  const named = own === null || new URL(own).origin === defaultService ? operators : new URL(own).origin;
  const server = named ?? (await serverOf(context, account));
  const session = await createSession(context, server ?? service, account, app_password);
  const pds = server !== null && server === operators ? server : await vouchedServer(context, session.did, server);
  const { accessJwt } = session;
  const identity = await readIdentity(context, {
    pds,
    account: session,
    service,
    scopes: scopesOf(accessJwt),
    sign: (request) => withBearer(request, accessJwt),
  });
  return { identity, credentials: toCredentials(session, context.now()) };
}

/** The scopes that the token itself states. */
export function scopesOf(accessToken: string): string[] {
  const { scope } = readClaims(accessToken);
  return scope === null ? [] : [scope];
}

export async function refreshSession(context: NetworkContext): Promise<Credentials> {
  const response = await withRefreshToken(context, "com.atproto.server.refreshSession");
  if (response.status !== 200) throw refusedSession(response, "Bluesky has ended this session: reconnect the profile.");
  const session = readSession(response);
  if (session.did !== context.profile.external_id)
    throw new PublishingError("reauthentication_required", "The access token now belongs to another account.");
  return toCredentials(session, context.now());
}

export async function deleteSession(context: NetworkContext): Promise<void> {
  await withRefreshToken(context, "com.atproto.server.deleteSession");
}

/**
 * The server that the account's DID document names. Without this check, a server could create a session for an account
 * that it does not host, and impersonate it.
 */
async function vouchedServer(context: LoginContext, did: string, server: string | null): Promise<string> {
  const pds = await findServer(context, did);
  if (server === null || server === pds) return pds;
  throw new PublishingError("invalid_request", `service: the account ${did} is not hosted on ${server}.`);
}

/** The account's own server. Null: the identifier is an e-mail address, which only the login endpoint can look up. */
async function serverOf(context: LoginContext, account: string): Promise<string | null> {
  if (account.includes("@")) return null;
  return findServer(context, await findDid(context, defaultService, account));
}

/** Copied handles have an @ in front and contain invisible direction marks. */
export function tidyIdentifier(identifier: string): string {
  const plain = identifier.replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, "").trim();
  const bare = plain.startsWith("@") ? plain.slice(1) : plain;
  return bare.startsWith("did:") ? bare : bare.toLowerCase();
}

async function createSession(
  context: LoginContext,
  server: string,
  identifier: string,
  password: string,
): Promise<Session> {
  const url = xrpc(server, "com.atproto.server.createSession");
  const body = { json: { identifier, password } };
  const response = await context.request({ method: "POST", url, body, accept: [400, 401] });
  if (response.status !== 200)
    throw refusedSession(response, "Bluesky rejects this identifier with this app password.");
  return readSession(response);
}

function readSession(response: NetworkResponse): Session {
  const session = readAnswer(sessionSchema, response);
  assertActive(session);
  return session;
}

const closedAccounts: ReadonlySet<string | null> = new Set([
  "AccountTakedown",
  "AccountDeactivated",
  "AccountSuspended",
]);

/** Only these errors say that credentials are wrong or have expired. Any other may be temporary. */
const deadSessions: ReadonlySet<string | null> = new Set([
  "ExpiredToken",
  "InvalidToken",
  "AuthMissing",
  "AuthenticationRequired",
]);

function refusedSession(response: NetworkResponse, message: string): PublishingError {
  const code = errorCode(response.body);
  if (closedAccounts.has(code))
    return new PublishingError("profile_unavailable", "This Bluesky account is closed or suspended.");
  if (code === "AuthFactorTokenRequired")
    return new PublishingError(
      "reauthentication_required",
      "app_password: the account uses two-factor authentication; create an app password and use it here.",
    );
  if (deadSessions.has(code)) return new PublishingError("reauthentication_required", message);
  return new PublishingError("network_error", `Bluesky returned ${code ?? `status ${response.status}`}.`);
}

/** Both methods for refresh tokens reject any body, even an empty object. */
function withRefreshToken(context: NetworkContext, method: string): Promise<NetworkResponse> {
  const url = xrpc(String(context.profile.account_facts.pds), method);
  return context.request(withBearer({ method: "POST", url, accept: [400, 401] }, String(context.secret.refresh)));
}

/** A refresh token expires after 90 unused days. It is used when half of its time is over. */
function toCredentials(session: Session, now: number): Credentials {
  const secret: JsonObject = { access: session.accessJwt, refresh: session.refreshJwt };
  const { expires_at } = readClaims(session.accessJwt);
  const diesAt = readClaims(session.refreshJwt).expires_at;
  return { secret, expires_at, ...(diesAt === null ? {} : { refresh_at: Math.floor((now + diesAt) / 2) }) };
}
