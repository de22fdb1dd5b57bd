import { createHash } from "node:crypto";
import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import { withRemedy } from "../../wire/remedy.ts";
import { type BrowserLoginContext, LoginFailed, type LoginPage, type LoginReturn } from "../contract/browser-login.ts";
import type { LoginContext, NetworkRequest, NetworkResponse } from "../contract/request.ts";
import { token } from "./credential-fields.ts";

/** A network's login by OAuth 2.0, as data. */
export interface OAuthTable {
  /** As the network writes itself. */
  name: string;
  /** The page for the browser. */
  authorize: string;
  /** Where a code, or a refresh token, becomes tokens. */
  token: string;
  /** Where a token is taken back; absent: nowhere. https://www.rfc-editor.org/rfc/rfc7009 (2026-11) */
  revoke?: string;
  /**
   * How the app shows who it is: in a header, or in the form.
   * https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1 (2026-11)
   */
  clientAuth: "basic" | "form";
  /** Is the code tied to who asked for it? https://www.rfc-editor.org/rfc/rfc7636 (2026-11) */
  pkce: boolean;
  /** What the network calls the app's id. @default "client_id" */
  clientIdName?: "client_id" | "client_key";
  /** What stands between scopes on the page's address. @default " " */
  scopeSeparator?: " " | ",";
  /** Parameters of the page beside OAuth's own. */
  parameters?: Readonly<Record<string, string>>;
  /** What goes along when a code is traded, beside OAuth's own. */
  codeParameters?: Readonly<Record<string, string>>;
  /** Does a refusal say, in words of the network's own, that a refresh token is dead? Absent: OAuth's words alone say so. */
  endsToken?(body: unknown): boolean;
  /** Where in a success the tokens are. @default at its top */
  tokensIn?(body: unknown): unknown;
  /** Does a refusal say, in words of the network's own, that it rejects the app? Absent: OAuth's words alone say so. */
  refusesApp?(body: unknown): boolean;
}

/** An app as the network knows it. */
export interface OAuthApp {
  client_id: string;
  client_secret: string;
}

/** What an adapter takes of an app that the network knows by an id and a secret. */
export const oauthAppSchema = z.strictObject({
  client_id: z.string().min(1).max(300),
  client_secret: z.string().min(1).max(1_000),
}) satisfies z.ZodType<OAuthApp>;

/** An app that has no secret is a public client, which only says its id. https://www.rfc-editor.org/rfc/rfc6749#section-2.1 (2026-11) */
export type OAuthClient = Pick<OAuthApp, "client_id"> & Partial<OAuthApp>;

/** Random bytes of a verifier; in base64url they are 43 characters, the fewest that are allowed. */
const verifierBytes = 32;

/** The page that asks for these scopes. */
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

/** https://www.rfc-editor.org/rfc/rfc6749#section-5.1 (2026-11); some networks leave `token_type` out. */
const tokenSchema = z.looseObject({
  access_token: token.min(1),
  refresh_token: token.nullish(),
  expires_in: z.number().nullish(),
  // No part of OAuth: networks have two names for it.
  refresh_token_expires_in: z.number().positive().nullish().catch(null),
  refresh_expires_in: z.number().positive().nullish().catch(null),
  scope: z.string().nullish(),
});

/** What a code or a refresh token brought. */
export interface Tokens {
  access_token: string;
  /** Null: none came. Of a refresh: the one that was used stays good. */
  refresh_token: string | null;
  /** When the access token runs out, milliseconds since 1970; null: the network does not say. */
  expires_at: number | null;
  /** When the refresh token runs out, milliseconds since 1970; null: the network does not say. */
  refresh_expires_at: number | null;
  /** Null: all that was asked for. */
  scopes: string[] | null;
  /** The whole answer: some networks put more into it. */
  answer: Readonly<Record<string, unknown>>;
}

/**
 * Trades the code that the browser came back with. A code is good for one try.
 *
 * @throws LoginFailed when the network refuses it
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
 * Trades a refresh token for new tokens. Sent once: where a refresh token is good for one use, a repetition would look
 * like theft. After a lost answer the next call tries the same token again.
 *
 * @throws PublishingError `reauthentication_required` when the network says that the token is dead
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

/** Takes a token back; a network that knows it no longer has nothing to do. */
export async function revokeToken(
  table: OAuthTable & { revoke: string },
  context: Pick<LoginContext, "request">,
  { app, token }: { app: OAuthClient; token: string },
): Promise<void> {
  await context.request(tokenRequest(table.revoke, table, app, { token }));
}

function readTokens({ name, tokensIn }: OAuthTable, body: unknown, now: number): Tokens {
  const parsed = tokenSchema.safeParse(tokensIn?.(body) ?? body);
  if (!parsed.success) throw new PublishingError("network_error", `${name}'s response to the login could not be read.`);
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

/** Refusals that say something about the code, the token or the app. */
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

/** Some networks refuse with a status that says yes. */
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
  return new LoginFailed("login_failed", `${name} rejected the code of this login; it may have expired: log in again.`);
}

/** Only these words say that a refresh token is dead: anything else may pass. */
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
 * @param options.granted null: the network does not tell
 * @throws LoginFailed naming what the person has not allowed
 */
export function assertScopes(
  { name }: Pick<OAuthTable, "name">,
  { wanted, granted }: { wanted: readonly string[]; granted: readonly string[] | null },
): void {
  const missing = wanted.filter((scope) => granted !== null && !granted.includes(scope));
  if (missing.length === 0) return;
  throw new LoginFailed(
    "missing_scope",
    `${name} did not grant ${missing.join(", ")}: log in again and allow all permissions.`,
  );
}
