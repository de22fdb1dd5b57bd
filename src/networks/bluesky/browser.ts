import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { TokenEndpointResponse } from "oauth4webapi";
import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import { withRemedy } from "../../wire/remedy.ts";
import {
  type AccountChoice,
  type BrowserLogin,
  type BrowserLoginContext,
  LoginFailed,
  type LoginReturn,
} from "../contract/browser-login.ts";
import { assertIssuer } from "../shared/issuer.ts";
import { assertScopes } from "../shared/oauth2.ts";
import type { Purpose } from "../shared/scopes.ts";
import { type BlueskyApp, type Client, clientOf, documentsOf } from "./app.ts";
import { type AuthorizationServer, openServer } from "./authorization-server.ts";
import { findIssuer } from "./discovery.ts";
import { expiryOf, type Grant, type GrantTools } from "./grant.ts";
import { confirmHandle } from "./handle.ts";
import { OAuthRefusal } from "./oauth-answer.ts";
import { loadOAuth, type OAuthLibrary } from "./oauth-library.ts";
import { tidyIdentifier } from "./password.ts";
import { defaultService, findDid, findServer, isOperators, operatorsOf, readPlace } from "./server.ts";
import { newSigningKey, type SigningKey, signingKeySchema, thumbprintOf } from "./signing-key.ts";

/** Random bytes of a PKCE verifier. In base64url they are 43 characters, the allowed minimum. */
const verifierBytes = 32;

/** The data that `begin` keeps for `finish`. */
const keptSchema = z.object({
  issuer: z.string(),
  /** The expected user; null: any user. */
  did: z.string().nullable(),
  secret: z.object({ verifier: z.string(), key: signingKeySchema }),
});

/** A browser sign-in by the AT Protocol. https://atproto.com/specs/oauth (2026-11) */
export function browserLogin(
  app: BlueskyApp,
  { purposes, tools }: { purposes: readonly Purpose[]; tools: GrantTools },
): Required<Omit<BrowserLogin, "input" | "errors" | "server">> {
  const { service, prover, loadLibrary } = tools;

  function open(
    context: BrowserLoginContext,
    given: { library: OAuthLibrary; client: Client; issuer: string; key: SigningKey },
  ): Promise<AuthorizationServer> {
    return openServer(context, { ...given, prover, allowsHttp: isOperators(given.issuer, service) });
  }

  return {
    documents: async ({ redirectUri }) => documentsOf(app, { redirectUri, purposes }),

    async begin(context, given) {
      const client = clientOf(app, { redirectUri: context.redirectUri, purposes });
      const library = await loadOAuth(loadLibrary);
      const { did, hint, issuer } = await place(library, context, { service, name: String(given.handle) });
      const key = newSigningKey(context.randomBytes);
      const verifier = Buffer.from(context.randomBytes(verifierBytes)).toString("base64url");
      context.conceal({ secret: { verifier, key } });
      const server = await open(context, { library, client, issuer, key });
      const asked = {
        response_type: "code",
        redirect_uri: client.redirectUri,
        scope: client.scopes.join(" "),
        state: context.state,
        code_challenge: challengeOf(verifier),
        code_challenge_method: "S256",
        ...(hint === null ? {} : { login_hint: hint }),
      };
      const requestUri = await server.push(asked).catch(refusedApp);
      const page = pageOf(server, { ...tools, issuer });
      page.searchParams.set("client_id", client.id);
      page.searchParams.set("request_uri", requestUri);
      return { url: page.href, keep: { issuer, did, secret: { verifier, key: { ...key } } } };
    },

    async finish(context, back) {
      const { issuer, did, secret } = keptSchema.parse(back.keep);
      assertIssuer(back, issuer);
      assertCode(back);
      const library = await loadOAuth(loadLibrary);
      const client = clientOf(app, { redirectUri: context.redirectUri, purposes });
      const server = await open(context, { library, client, issuer, key: secret.key });
      const { verifier, key } = secret;
      const tokens = await server.trade(back.parameters, { state: context.state, verifier }).catch(refusedCode);
      context.conceal(tokens);
      const trust = { library, issuer, did, service, client };
      try {
        return [await choiceFrom(context, tokens, { ...trust, key })];
      } catch (error) {
        // The tokens will not be used.
        await server.revoke(tokens.refresh_token ?? tokens.access_token).catch(() => undefined);
        throw error;
      }
    },
  };
}

function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

/** The expected user, the hint for the sign-in page, and the authorization server. */
interface Beginning {
  did: string | null;
  hint: string | null;
  issuer: string;
}

async function place(
  library: OAuthLibrary,
  context: BrowserLoginContext,
  { service, name }: { service: string; name: string },
): Promise<Beginning> {
  if (/^https?:\/\//i.test(name)) {
    const server = originOf(name, service);
    return { did: null, hint: null, issuer: (await findIssuer(library, context, server)) ?? server };
  }
  const hint = tidyIdentifier(name);
  const operators = operatorsOf(service);
  const did = await atHandle(() => findDid(context, operators ?? defaultService, hint));
  const pds = operators ?? (await atHandle(() => findServer(context, did)));
  return { did, hint, issuer: await assertIssuerOf(library, context, pds) };
}

function originOf(address: string, service: string): string {
  const isGood = URL.canParse(address) && (address.startsWith("https://") || isOperators(address, service));
  if (isGood) return new URL(address).origin;
  throw new PublishingError("invalid_request", "handle: must be a handle, a DID, or the https URL of a server.");
}

/** App passwords use the same look-ups, with another field name. */
async function atHandle<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!PublishingError.is(error) || !error.message.startsWith("identifier: ")) throw error;
    throw new PublishingError(error.code, error.message.replace("identifier: ", "handle: "), { cause: error });
  }
}

async function assertIssuerOf(library: OAuthLibrary, context: BrowserLoginContext, pds: string): Promise<string> {
  const issuer = await findIssuer(library, context, pds);
  if (issuer !== null) return issuer;
  const message = `handle: ${new URL(pds).host} supports no browser sign-in; connect the account with an app password.`;
  throw new PublishingError("invalid_request", message);
}

/** Returns the sign-in page. Only web URLs may open in a browser. */
function pageOf({ metadata }: AuthorizationServer, { issuer, service }: GrantTools & { issuer: string }): URL {
  const address = metadata.authorization_endpoint ?? "";
  const allowed = isOperators(issuer, service) ? ["https:", "http:"] : ["https:"];
  if (URL.canParse(address) && allowed.includes(new URL(address).protocol)) return new URL(address);
  throw new PublishingError("network_error", `${new URL(issuer).host} reports no sign-in page.`);
}

function assertCode({ parameters }: LoginReturn): void {
  if (!parameters.code) throw new LoginFailed("login_failed", "Bluesky redirected the browser without a code.");
}

/** An error before the sign-in page means that the server cannot use the app's metadata. */
function refusedApp(error: unknown): never {
  if (!(error instanceof OAuthRefusal)) throw error;
  const said = error.message === "" ? error.code : `${error.code}: ${error.message}`;
  throw new LoginFailed(
    "app_refused",
    withRemedy(
      `The server rejects this service's app (${said}).`,
      "The server must be able to fetch the app's metadata from baseUrl.",
    ),
  );
}

function refusedCode(error: unknown): never {
  if (!(error instanceof OAuthRefusal)) throw error;
  if (error.code.startsWith("invalid_client") || error.code === "unauthorized_client") refusedApp(error);
  throw new LoginFailed(
    "login_failed",
    "Bluesky rejected the code of this sign-in; it may have expired: sign in again.",
  );
}

/** Trusts the tokens for an account only if its own DID document leads to the server that issued them. */
async function choiceFrom(
  context: BrowserLoginContext,
  tokens: TokenEndpointResponse,
  trust: {
    library: OAuthLibrary;
    issuer: string;
    did: string | null;
    service: string;
    client: Client;
    key: SigningKey;
  },
): Promise<AccountChoice> {
  const { library, issuer, client, key } = trust;
  const { access_token, refresh_token, token_type, scope = "", expires_in } = tokens;
  const did = typeof tokens.sub === "string" ? tokens.sub : "";
  if (token_type !== "dpop" || refresh_token === undefined || did === "")
    throw new LoginFailed("login_failed", `${new URL(issuer).host} did not return the requested tokens.`);
  if (trust.did !== null && trust.did !== did)
    throw new LoginFailed("login_failed", `Another account signed in: ${did}. Sign in as ${trust.did}.`);
  const operators = operatorsOf(trust.service);
  const place = operators === null ? await readPlace(context, did) : { pds: operators, handle: null };
  if ((await findIssuer(library, context, place.pds)) !== issuer)
    throw new LoginFailed("login_failed", `${new URL(issuer).host} is not the server of ${did}.`);
  const granted = scope.split(" ").filter(Boolean);
  assertScopes({ name: "Bluesky" }, { wanted: client.scopes, granted });
  const grant: Grant = {
    did,
    issuer,
    client_id: client.id,
    key_id: client.key === null ? null : thumbprintOf(client.key),
    scopes: granted,
    access_token,
    refresh_token,
    key,
    expires_at: expiryOf(expires_in, context.now()),
  };
  const handle = place.handle === null ? null : await confirmHandle(context, { did, claimed: place.handle });
  return {
    id: did,
    name: handle ?? did,
    handle,
    avatar_url: null,
    credentials: { identifier: did, login_secrets: grant },
  };
}
