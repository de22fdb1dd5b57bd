import { createHash } from "node:crypto";
import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import { withRemedy } from "../../wire/remedy.ts";
import { type BrowserLoginContext, LoginFailed, type LoginPage, type LoginReturn } from "../contract/browser-login.ts";
import type { LoginContext, NetworkRequest, NetworkResponse } from "../contract/request.ts";
import { token } from "./credential-fields.ts";

/** A network's OAuth 2.0, as data. */
export interface OAuthTable {
  /** The network's own spelling of its name. */
  name: string;
  /** The authorization page for the browser. */
  authorize: string;
  /** The token endpoint, for codes and refresh tokens. */
  token: string;
  /** The revocation endpoint. Absent: there is none. https://www.rfc-editor.org/rfc/rfc7009 (2026-11) */
  revoke?: string;
  /**
   * How the app authenticates: in a header, or in the form. https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1
   * (2026-11)
   */
  clientAuth: "basic" | "form";
  /** True: the network supports PKCE, which binds the code to the client that requested it. https://www.rfc-editor.org/rfc/rfc7636 (2026-11) */
  pkce: boolean;
  /** The parameter that holds the app's id. @default "client_id" */
  clientIdName?: "client_id" | "client_key";
  /** The separator between scopes in the page's URL. @default " " */
  scopeSeparator?: " " | ",";
  /** Additional parameters of the authorization page. */
  parameters?: Readonly<Record<string, string>>;
  /** Additional parameters when a code is exchanged. */
  codeParameters?: Readonly<Record<string, string>>;
  /** True: the network's own error says that a refresh token is no longer valid. Absent: only OAuth's error codes say so. */
  endsToken?(body: unknown): boolean;
  /** The object in a success that holds the tokens. @default the body */
  tokensIn?(body: unknown): unknown;
  /** True: the network's own error says that it rejects the app. Absent: only OAuth's error codes say so. */
  refusesApp?(body: unknown): boolean;
}

/** An app that is registered at the network. */
export interface OAuthApp {
  client_id: string;
  client_secret: string;
}

/** The schema of an app with an id and a secret. */
export const oauthAppSchema = z.strictObject({
  client_id: z.string().min(1).max(300),
  client_secret: z.string().min(1).max(1_000),
}) satisfies z.ZodType<OAuthApp>;

/** An app without a secret is a public client, which sends only its id. https://www.rfc-editor.org/rfc/rfc6749#section-2.1 (2026-11) */
export type OAuthClient = Pick<OAuthApp, "client_id"> & Partial<OAuthApp>;

/** Random bytes of a PKCE verifier. In base64url they are 43 characters, the allowed minimum. */
const verifierBytes = 32;

/** The page that requests these scopes. */
export function loginPage(
  table: OAuthTable,
  context: BrowserLoginContext,
  { app, scopes }: { app: Pick<OAuthApp, "client_id">; scopes: readonly string[] },
): LoginPage {
  const verifier = table.pkce ? Buffer.from(context.randomBytes(verifierBytes)).toString("base64url") : null;
  const url = new URL(table.authorize);
  const parameters = {
    response_type: "code",
    [table.clientIdName ?? "client_id"]: app.client_id,
    redirect_uri: context.redirectUri,
    scope: scopes.join(table.scopeSeparator ?? " "),
    state: context.state,
    ...(verifier === null ? {} : { code_challenge: challengeOf(verifier), code_challenge_method: "S256" }),
    ...table.parameters,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, keep: verifier === null ? {} : { verifier } };
}

function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

/** https://www.rfc-editor.org/rfc/rfc6749#section-5.1 (2026-11); some networks omit `token_type`. */
const tokenSchema = z.looseObject({
  access_token: token.min(1),
  refresh_token: token.nullish(),
  expires_in: z.number().nullish(),
  // Not part of OAuth. Networks use one of two names.
  refresh_token_expires_in: z.number().positive().nullish().catch(null),
  refresh_expires_in: z.number().positive().nullish().catch(null),
  scope: z.string().nullish(),
});

/** The tokens from a code or a refresh token. */
export interface Tokens {
  access_token: string;
  /** Null: none was returned. After a refresh: the old one stays valid. */
  refresh_token: string | null;
  /** When the access token expires, milliseconds since 1970. Null: the network does not say. */
  expires_at: number | null;
  /** When the refresh token expires, milliseconds since 1970. Null: the network does not say. */
  refresh_expires_at: number | null;
  /** Null: all requested scopes. */
  scopes: string[] | null;
  /** The whole response, because some networks return more fields. */
  answer: Readonly<Record<string, unknown>>;
}

/**
 * Exchanges the code of the redirect for tokens. A code can be used once.
 *
 * @throws LoginFailed when the network rejects it
 */
export async function tradeCode(
  table: OAuthTable,
  context: BrowserLoginContext,
  { app, back }: { app: OAuthClient; back: LoginReturn },
): Promise<Tokens> {
  const { code } = back.parameters;
  if (code === undefined) throw new LoginFailed("login_failed", `${table.name} redirected the browser without a code.`);
  const { verifier } = back.keep;
  const response = await context.request({
    ...tokenRequest(table.token, table, app, {
      grant_type: "authorization_code",
      code,
      redirect_uri: context.redirectUri,
      ...table.codeParameters,
      ...(typeof verifier === "string" ? { code_verifier: verifier } : {}),
    }),
    repeat: false,
  });
  if (isRefusal(response)) throw refusedLogin(table, response.body);
  context.conceal(response.body);
  return readTokens(table, response.body, context.now());
}

/**
 * Exchanges a refresh token for new tokens. Sent once: some refresh tokens can be used once, so a repeated request
 * would look like theft. After a lost response the next call uses the same token again.
 *
 * @throws PublishingError `reauthentication_required` when the network says that the token is no longer valid
 */
export async function tradeRefreshToken(
  table: OAuthTable,
  context: Pick<LoginContext, "request" | "now">,
  { app, refreshToken }: { app: OAuthClient; refreshToken: string },
): Promise<Tokens> {
  const form = { grant_type: "refresh_token", refresh_token: refreshToken };
  const response = await context.request({ ...tokenRequest(table.token, table, app, form), repeat: false });
  if (isRefusal(response)) throw refusedRefresh(table, response.body);
  return readTokens(table, response.body, context.now());
}

/** Revokes a token. A network that no longer knows the token does nothing. */
export async function revokeToken(
  table: OAuthTable & { revoke: string },
  context: Pick<LoginContext, "request">,
  { app, token }: { app: OAuthClient; token: string },
): Promise<void> {
  await context.request(tokenRequest(table.revoke, table, app, { token }));
}

function readTokens({ name, tokensIn }: OAuthTable, body: unknown, now: number): Tokens {
  const parsed = tokenSchema.safeParse(tokensIn?.(body) ?? body);
  if (!parsed.success)
    throw new PublishingError("network_error", `${name}'s response to the token request could not be read.`);
  const { access_token, refresh_token, expires_in, refresh_token_expires_in, refresh_expires_in, scope } = parsed.data;
  const after = (seconds: number | null | undefined): number | null => (seconds == null ? null : now + seconds * 1000);
  return {
    access_token,
    refresh_token: refresh_token || null,
    expires_at: after(expires_in),
    refresh_expires_at: after(refresh_token_expires_in ?? refresh_expires_in),
    scopes: scope == null ? null : scope.split(/[\s,]+/).filter(Boolean),
    answer: parsed.data,
  };
}

/** Statuses of errors about the code, the token or the app. */
const refusals = [400, 401, 403, 404, 422];

function tokenRequest(
  url: string,
  { clientAuth, clientIdName = "client_id" }: Pick<OAuthTable, "clientAuth" | "clientIdName">,
  { client_id, client_secret }: OAuthClient,
  form: Readonly<Record<string, string>>,
): NetworkRequest {
  const base = { method: "POST", url, accept: refusals, credential: "none" } as const;
  if (client_secret === undefined) return { ...base, body: { form: { [clientIdName]: client_id, ...form } } };
  if (clientAuth === "form") return { ...base, body: { form: { [clientIdName]: client_id, client_secret, ...form } } };
  const pair = [client_id, client_secret].map(encodeURIComponent).join(":");
  const authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
  return { ...base, headers: { authorization }, body: { form } };
}

/** https://www.rfc-editor.org/rfc/rfc6749#section-5.2 (2026-11) */
const errorSchema = z.object({ error: z.string() });

/** Some networks return errors with a success status. */
function isRefusal({ status, body }: NetworkResponse): boolean {
  return status !== 200 || errorIn(body) !== "";
}

function errorIn(body: unknown): string {
  return errorSchema.safeParse(body).data?.error ?? "";
}

/** Signs that the network rejects the app, for every user. */
const appErrors: ReadonlySet<string> = new Set(["invalid_client", "unauthorized_client"]);

function refusedLogin({ name, refusesApp }: OAuthTable, body: unknown): LoginFailed {
  if (appErrors.has(errorIn(body)) || refusesApp?.(body) === true)
    return new LoginFailed(
      "app_refused",
      withRemedy(
        `${name} rejects this service's app.`,
        "Check the app's client_id and client_secret in the adapter's options.",
      ),
    );
  return new LoginFailed(
    "login_failed",
    `${name} rejected the code of this sign-in; it may have expired: sign in again.`,
  );
}

/** Only these errors say that a refresh token is no longer valid. Any other may be temporary. */
const deadTokenErrors: ReadonlySet<string> = new Set(["invalid_grant"]);

function refusedRefresh({ name, endsToken }: OAuthTable, body: unknown): PublishingError {
  const error = errorIn(body);
  if (deadTokenErrors.has(error) || endsToken?.(body) === true)
    return new PublishingError("reauthentication_required", `${name} has ended this session: reconnect the account.`);
  const said = error === "" ? "" : ` (${error.slice(0, 100)})`;
  return new PublishingError(
    "network_error",
    withRemedy(`${name} did not renew the access token${said}.`, "Check the adapter's app."),
  );
}

/**
 * @param options.granted null: the network does not say
 * @throws LoginFailed naming the scopes that the user did not grant
 */
export function assertScopes(
  { name }: Pick<OAuthTable, "name">,
  { wanted, granted }: { wanted: readonly string[]; granted: readonly string[] | null },
): void {
  const missing = wanted.filter((scope) => granted !== null && !granted.includes(scope));
  if (missing.length === 0) return;
  throw new LoginFailed(
    "missing_scope",
    `${name} did not grant ${missing.join(", ")}: sign in again and allow all permissions.`,
  );
}
