import type { JsonObject } from "../../wire/json.ts";
import { formBody, jsonBody, ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createLoginPages, decisionIn, type LoginApp, type LoginPages } from "../parts/login-pages.ts";
import type { Accounts } from "./accounts.ts";
import { createLoginsByApp, type LoginsByApp } from "./logins-by-app.ts";
import { Refusal } from "./refusal.ts";
import type { InstanceWays } from "./ways.ts";

export interface Logins {
  /** `POST /api/v1/apps` */
  register(request: SandboxRequest): SandboxAnswer;
  /** The server's OAuth metadata. */
  metadata(request: SandboxRequest): SandboxAnswer;
  /** The page for the browser. */
  authorize(request: SandboxRequest): SandboxAnswer;
  token(request: SandboxRequest): Promise<SandboxAnswer>;
  revoke(request: SandboxRequest): Promise<SandboxAnswer>;
  /** The server forgets all apps. */
  forgetApps(host: string): void;
  /** The server redirects browsers to another server's page. */
  hijack(host: string, page: string): void;
  /** The codes that such a server has received. */
  stolenCodes(host: string): readonly string[];
}

interface Server {
  apps: LoginApp[];
  pages: LoginPages;
  byApp: LoginsByApp;
  /** The other server's page, to which it redirects browsers; null: it is honest. */
  elsewhere: string | null;
  stolenCodes: string[];
}

/** https://docs.joinmastodon.org/api/oauth-scopes/ (2026-07) */
const scopes = [
  ...["read", "write", "push", "profile"],
  ...["accounts", "statuses", "notifications"].map((what) => `read:${what}`),
  ...["statuses", "media", "conversations", "favourites"].map((what) => `write:${what}`),
];

/** A code is valid for ten minutes, a token forever. https://docs.joinmastodon.org/methods/oauth/ (2026-07) */
const rules = { codeSeconds: 600, accessSeconds: Number.MAX_SAFE_INTEGER / 1000, refresh: "none" } as const;

export function createLogins(
  ports: SandboxPorts,
  { accounts, waysOf }: { accounts: Accounts; waysOf: (host: string) => InstanceWays },
): Logins {
  const servers = new Map<string, Server>();

  function serverOf(host: string): Server {
    const known = servers.get(host);
    if (known !== undefined) return known;
    const apps: LoginApp[] = [];
    // Before 4.3 the challenge is ignored; later versions check it if there is one.
    const pages = createLoginPages({ ...rules, scopes, apps, pkce: "required" }, ports);
    const byApp = createLoginsByApp({ apps, accounts, scopes, newText, clock: ports.clock });
    const server: Server = { apps, pages, byApp, elsewhere: null, stolenCodes: [] };
    servers.set(host, server);
    return server;
  }

  function newText(kind: string): string {
    return `${kind}-${Math.floor(ports.random() * Number.MAX_SAFE_INTEGER).toString(36)}`;
  }

  return {
    register(request) {
      const given = (jsonBody(request) ?? {}) as JsonObject;
      const { client_name, redirect_uris, scopes: asked = "read" } = given;
      if (typeof client_name !== "string" || client_name === "")
        throw new Refusal(422, "Validation failed: Name can't be blank");
      if (typeof redirect_uris !== "string" || !URL.canParse(redirect_uris))
        throw new Refusal(422, "Validation failed: Redirect URI must be an absolute URI.");
      const app = { client_id: newText("client"), client_secret: newText("secret"), redirect_uris: [redirect_uris] };
      serverOf(request.url.hostname).apps.push(app);
      const shown = { id: "1", name: client_name, website: null, scopes: String(asked).split(" ") };
      const secrets = { client_id: app.client_id, client_secret: app.client_secret, client_secret_expires_at: 0 };
      return ok({ ...shown, redirect_uri: redirect_uris, redirect_uris: [redirect_uris], vapid_key: "", ...secrets });
    },

    metadata: ({ url }) => ok(metadataOf(url.hostname, waysOf(url.hostname))),

    authorize(request) {
      const { hostname, searchParams } = request.url;
      const { elsewhere } = serverOf(hostname);
      if (elsewhere !== null) return sentElsewhere(elsewhere, searchParams.get("state") ?? "");
      const decision = decisionIn(request.url);
      if (decision !== null && decision !== "deny")
        serverOf(hostname).byApp.note(searchParams.get("client_id") ?? "", decision.account);
      const people = accounts.all().filter(({ instance }) => instance.host === hostname);
      const answer = serverOf(hostname).pages.visit(
        request,
        people.map(({ id, username }) => ({ account: id, name: username })),
      );
      return waysOf(hostname).namesItself ? withIssuer(answer, hostname) : answer;
    },

    async token(request) {
      const { hostname } = request.url;
      const { pages, apps, byApp, elsewhere, stolenCodes } = serverOf(hostname);
      const form = await formBody(request);
      if (elsewhere !== null && form?.has("code") === true) stolenCodes.push(String(form.get("code")));
      if (form?.get("grant_type") === "client_credentials") {
        const isKnown = apps.some(({ client_id }) => client_id === form.get("client_id"));
        if (!isKnown) return { status: 401, json: { error: "invalid_client" } };
        return ok(shownToken(newText("app"), "read", ports));
      }
      if (waysOf(hostname).logins === "by_app") return byApp.token(form);
      const answer = await pages.token(request);
      if (answer.status !== 200) return answer;
      const { access_token } = answer.json as { access_token: string };
      const grant = pages.grantOf(access_token);
      const account = accounts.all().find(({ id }) => id === grant?.account);
      if (grant === null || account === undefined) throw new Error("The sandbox gave a token for nobody.");
      accounts.allow(access_token, { account, scopes: grant.scopes });
      return ok(shownToken(access_token, grant.scopes.join(" "), ports));
    },

    async revoke(request) {
      const form = await formBody(request);
      const token = String(form?.get("token") ?? "");
      const { pages, byApp } = serverOf(request.url.hostname);
      if (waysOf(request.url.hostname).logins === "by_app") return byApp.revoke(form);
      const grant = pages.grantOf(token);
      if (grant === null || grant.client_id !== form?.get("client_id"))
        return { status: 403, json: { error: "unauthorized_client" } };
      accounts.revoke(token);
      return ok({});
    },

    forgetApps(host) {
      serverOf(host).apps.length = 0;
    },

    hijack(host, page) {
      serverOf(host).elsewhere = page;
    },

    stolenCodes: (host) => serverOf(host).stolenCodes,
  };
}

function sentElsewhere(page: string, state: string): SandboxAnswer {
  const location = new URL(page);
  location.searchParams.set("state", state);
  return { status: 302, headers: { location: location.href } };
}

/**
 * Mastodon's issuer, with the trailing slash.
 * https://github.com/mastodon/mastodon/blob/main/app/presenters/oauth_metadata_presenter.rb (2026-11)
 */
function issuerOf(host: string): string {
  return `https://${host}/`;
}

function withIssuer(answer: SandboxAnswer, host: string): SandboxAnswer {
  const { location } = answer.headers ?? {};
  if (location === undefined) return answer;
  const back = new URL(location);
  back.searchParams.set("iss", issuerOf(host));
  return { ...answer, headers: { ...answer.headers, location: back.href } };
}

/** https://docs.joinmastodon.org/methods/oauth/#authorization-server-metadata (2026-07) */
function metadataOf(host: string, { namesItself }: InstanceWays): JsonObject {
  return {
    issuer: issuerOf(host),
    authorization_endpoint: `https://${host}/oauth/authorize`,
    token_endpoint: `https://${host}/oauth/token`,
    revocation_endpoint: `https://${host}/oauth/revoke`,
    app_registration_endpoint: `https://${host}/api/v1/apps`,
    scopes_supported: scopes,
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "client_credentials"],
    code_challenge_methods_supported: ["S256"],
    ...(namesItself ? { authorization_response_iss_parameter_supported: true } : {}),
  };
}

/** Without an expiry or a refresh token. https://docs.joinmastodon.org/entities/Token/ (2026-07) */
function shownToken(access_token: string, scope: string, { clock }: SandboxPorts): JsonObject {
  return { access_token, token_type: "Bearer", scope, created_at: Math.floor(clock.now() / 1000) };
}
