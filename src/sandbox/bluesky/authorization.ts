import type { JsonObject } from "../../wire/json.ts";
import { formBody, ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { type Decision, decisionIn, errorPage, pageOf, sendBack } from "../parts/login-pages.ts";
import { Refusal } from "../parts/refusal.ts";
import { type Accounts, randomBytes, type SandboxAccount } from "./accounts.ts";
import { type ClientApp, createClients, type Form, oauthRefusal, type Reached } from "./clients.ts";
import { createGrants, type Grant } from "./grants.ts";
import { BadProof, createProofs } from "./proofs.ts";
import { refusal } from "./refusal.ts";
import { assertHere, isForChat } from "./sessions.ts";
import { hashOf } from "./tokens.ts";

/**
 * The authorization servers of all accounts: bsky.social for accounts on Bluesky's own servers, otherwise the account's
 * server itself.
 */
export interface Authorization {
  /** Null: the request is for another host. */
  answer(request: SandboxRequest): Promise<SandboxAnswer | null>;
  /** The operation's name in the sandbox; null: the request is for another host. */
  operation(request: SandboxRequest): string | null;
  /** The account of the request's token; null: the request has no such token. @throws Refusal */
  authenticate(request: SandboxRequest): SandboxAccount | null;
  /** The headers of every response to a request with a proof. */
  headers(request: SandboxRequest): Record<string, string>;
  /** Creates a grant without a browser, as if the user had signed in. */
  grant(grant: Grant): SandboxAnswer;
  reach(host: string, answer: Reached): void;
  rotateNonces(): void;
  expireAll(): void;
  wasReplayed(did: string): boolean;
  revoke(did: string): void;
}

/** A pushed authorization request that the browser has not opened yet. */
interface Pushed {
  app: ClientApp;
  keyId: string | null;
  thumbprint: string;
  form: Form;
  issuer: string;
  ends_at: number;
}

interface Code {
  grant: Grant;
  pushed: Pushed;
  ends_at: number;
  isUsed: boolean;
}

/** https://atproto.com/specs/permission#transitional-scopes (2026-11) */
const knownScopes = ["atproto", "transition:generic", "transition:chat.bsky", "transition:email"];
/**
 * Both are valid for five minutes.
 * https://github.com/bluesky-social/atproto/blob/main/packages/oauth/oauth-provider/src/constants.ts (2026-11)
 */
const pushedMs = 300_000;
const codeMs = 300_000;

export function issuerOf(server: string): string {
  return server.endsWith(".host.bsky.network") ? "https://bsky.social" : `https://${server}`;
}

export function createAuthorization(ports: SandboxPorts, accounts: Accounts): Authorization {
  const clients = createClients(ports);
  const proofs = createProofs(ports);
  const grants = createGrants(ports);
  const pushed = new Map<string, Pushed>();
  const codes = new Map<string, Code>();

  function newText(kind: string): string {
    return `${kind}-${hashOf(String.fromCharCode(...randomBytes(ports, 16)))}`;
  }

  /** The app that sends the request, and its keys. Proofs are checked first, as on the reference server. */
  async function asker(
    request: SandboxRequest,
  ): Promise<{ app: ClientApp; keyId: string | null; thumbprint: string; form: Form }> {
    const thumbprint = proofs.check(request, null);
    const { form, app, keyId } = await client(request);
    return { app, keyId, thumbprint, form };
  }

  async function client(request: SandboxRequest): Promise<{ app: ClientApp; keyId: string | null; form: Form }> {
    const body = await formBody(request);
    if (body === undefined) throw oauthRefusal("invalid_request", "Unsupported content-type");
    const form = Object.fromEntries([...body].map(([name, value]) => [name, String(value)]));
    const app = await clients.read(form.client_id ?? "");
    return { form, app, keyId: await clients.authenticate(app, form, request.url.origin) };
  }

  async function push(request: SandboxRequest): Promise<SandboxAnswer> {
    const asked = await asker(request);
    const { app, form } = asked;
    const wanted = (form.scope ?? "").split(" ");
    if (form.response_type !== "code") throw oauthRefusal("unsupported_response_type", "response_type must be code");
    if (!app.redirectUris.includes(form.redirect_uri ?? ""))
      throw oauthRefusal("invalid_request", `Invalid redirect_uri ${form.redirect_uri}`);
    if (!wanted.includes("atproto")) throw oauthRefusal("invalid_scope", 'The "atproto" scope is required');
    for (const scope of wanted)
      if (!app.scopes.includes(scope) || !knownScopes.includes(scope))
        throw oauthRefusal("invalid_scope", `Scope "${scope}" is not declared in the client metadata`);
    if (form.code_challenge_method !== "S256" || !/^[\w-]{43}$/.test(form.code_challenge ?? ""))
      throw oauthRefusal("invalid_request", "Use of PKCE is required");
    const uri = `urn:ietf:params:oauth:request_uri:${newText("req")}`;
    pushed.set(uri, { ...asked, issuer: request.url.origin, ends_at: ports.clock.now() + pushedMs });
    return { status: 201, json: { request_uri: uri, expires_in: pushedMs / 1000 - 1 } };
  }

  function authorize({ url }: SandboxRequest): SandboxAnswer {
    const uri = url.searchParams.get("request_uri") ?? "";
    const asked = pushed.get(uri);
    const isRight = asked !== undefined && asked.issuer === url.origin && ports.clock.now() < asked.ends_at;
    if (!isRight || asked.app.id !== url.searchParams.get("client_id")) return errorPage("This login is not known.");
    const decision = decisionIn(url);
    if (decision === null) return pageOf(url, { people: peopleAt(url.origin), scopes: scopesIn(asked) });
    pushed.delete(uri);
    const back = { iss: asked.issuer, ...(asked.form.state === undefined ? {} : { state: asked.form.state }) };
    const answer: Record<string, string> =
      decision === "deny" ? { error: "access_denied" } : { code: newCode(asked, decision) };
    return sendBack(asked.form.redirect_uri ?? "", { ...back, ...answer });
  }

  function peopleAt(issuer: string): { account: string; name: string }[] {
    const here = accounts.all().filter(({ server }) => issuerOf(server) === issuer);
    return here.map(({ did, handle }) => ({ account: did, name: handle }));
  }

  function newCode(asked: Pushed, { account, unticked = [] }: Exclude<Decision, "deny">): string {
    const { app, keyId, thumbprint } = asked;
    const scopes = scopesIn(asked).filter((scope) => !unticked.includes(scope));
    const grant = { account: accounts.byHandle(account), clientId: app.id, keyId, thumbprint, scopes };
    const code = newText("cod");
    codes.set(code, { grant, pushed: asked, ends_at: ports.clock.now() + codeMs, isUsed: false });
    return code;
  }

  async function token(request: SandboxRequest): Promise<SandboxAnswer> {
    const { app, keyId, thumbprint, form } = await asker(request);
    const by = { clientId: app.id, keyId, thumbprint };
    if (form.grant_type === "refresh_token") return grants.refresh(form.refresh_token ?? "", by);
    if (form.grant_type !== "authorization_code") throw oauthRefusal("unsupported_grant_type", "Not supported");
    const code = codes.get(form.code ?? "");
    if (code === undefined) throw oauthRefusal("invalid_grant", "Invalid code");
    // A code that is used twice was stolen: the tokens issued for it are revoked.
    // https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2 (2026-11)
    if (code.isUsed) grants.end((grant) => grant === code.grant);
    const { grant, pushed: asked } = code;
    const isOwn = grant.clientId === by.clientId && grant.keyId === keyId && grant.thumbprint === thumbprint;
    const isRight = !code.isUsed && ports.clock.now() < code.ends_at && asked.form.redirect_uri === form.redirect_uri;
    code.isUsed = true;
    if (!isOwn || !isRight) throw oauthRefusal("invalid_grant", "Invalid code");
    if (hashOf(form.code_verifier ?? "") !== asked.form.code_challenge)
      throw oauthRefusal("invalid_grant", "Invalid code_verifier");
    return grants.begin(grant);
  }

  async function revoke(request: SandboxRequest): Promise<SandboxAnswer> {
    const { form } = await client(request);
    grants.revoke(form.token ?? "");
    return ok({});
  }

  const endpoints: Readonly<Record<string, (request: SandboxRequest) => SandboxAnswer | Promise<SandboxAnswer>>> = {
    "GET /.well-known/oauth-authorization-server": ({ url }) => ok(metadataOf(url.origin)),
    "GET /.well-known/oauth-protected-resource": ({ url }) => protectedResource(url),
    "GET /oauth/authorize": authorize,
    "POST /oauth/par": push,
    "POST /oauth/token": token,
    "POST /oauth/revoke": revoke,
  };

  function accountBehind(request: SandboxRequest, accessToken: string): SandboxAccount {
    const thumbprint = proofs.check(request, accessToken);
    const found = grants.find(accessToken);
    if (found === null || found.server !== request.url.hostname || found.grant.thumbprint !== thumbprint)
      throw badToken("invalid_token", '"exp" claim timestamp check failed');
    const { account, scopes } = found.grant;
    assertHere(account, request);
    if (!request.url.pathname.endsWith(".getSession") && !scopes.includes("transition:generic"))
      throw refusal(403, "ScopeMissingError", 'Missing required scope "transition:generic"');
    if (isForChat(request) && !scopes.includes("transition:chat.bsky"))
      throw refusal(403, "ScopeMissingError", 'Missing required scope "transition:chat.bsky"');
    return account;
  }

  return {
    async answer(request) {
      const endpoint = endpoints[`${request.method} ${request.url.pathname}`];
      if (endpoint === undefined) return null;
      try {
        return await endpoint(request);
      } catch (error) {
        if (error instanceof BadProof) return oauthRefusal(error.code, error.message).answer;
        if (error instanceof Refusal) return error.answer;
        throw error;
      }
    },
    operation({ method, url }) {
      const isOurs = Object.hasOwn(endpoints, `${method} ${url.pathname}`);
      return isOurs ? url.pathname.slice(url.pathname.lastIndexOf("/") + 1) : null;
    },
    authenticate(request) {
      const [, accessToken] = /^DPoP (.+)$/.exec(request.headers.get("authorization") ?? "") ?? [];
      if (accessToken === undefined) return null;
      try {
        return accountBehind(request, accessToken);
      } catch (error) {
        throw error instanceof BadProof ? badToken(error.code, error.message) : error;
      }
    },
    headers({ headers }) {
      const answered: Record<string, string> = {};
      if (headers.has("dpop")) answered["dpop-nonce"] = proofs.nonce();
      return answered;
    },
    grant: grants.begin,
    reach: clients.reach,
    rotateNonces: proofs.rotate,
    expireAll: grants.expireAll,
    wasReplayed: grants.wasReplayed,
    revoke: (did) => grants.end(({ account }) => account.did === did),
  };
}

function scopesIn({ form }: Pushed): string[] {
  return (form.scope ?? "").split(" ");
}

/**
 * A rejected token, as a server with accounts responds. https://www.rfc-editor.org/rfc/rfc9449#section-7.1 (2026-11)
 */
function badToken(error: string, message: string): Refusal {
  return refusal(401, error, message, { "www-authenticate": `DPoP error="${error}"` });
}

/** bsky.social has no accounts. */
function protectedResource({ origin, hostname }: URL): SandboxAnswer {
  if (hostname === "bsky.social") return { status: 404, json: { error: "NotFound", message: "Not Found" } };
  return ok({ resource: origin, authorization_servers: [issuerOf(hostname)] });
}

/** https://atproto.com/specs/oauth#authorization-server (2026-11) */
function metadataOf(issuer: string): JsonObject {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    pushed_authorization_request_endpoint: `${issuer}/oauth/par`,
    require_pushed_authorization_requests: true,
    scopes_supported: knownScopes,
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
    token_endpoint_auth_signing_alg_values_supported: ["ES256"],
    dpop_signing_alg_values_supported: ["ES256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}
