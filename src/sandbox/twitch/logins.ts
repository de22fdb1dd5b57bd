import type { JsonObject } from "../../wire/json.ts";
import { formBody, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createLoginPages, type LoginApp } from "../parts/login-pages.ts";
import type { Grant, IssuedTokens } from "../parts/login-tokens.ts";
import { refusal } from "./refusal.ts";
import type { State } from "./state.ts";

/** An app that is registered from the start. */
export const sandboxApp: LoginApp = {
  client_id: "sandboxclient0000000000000000",
  client_secret: "sandboxsecret0000000000000000",
  redirect_uris: ["https://app.example.com/connect/twitch/callback"],
};

const everyScope: readonly string[] = [
  "user:read:chat",
  "user:write:chat",
  "user:bot",
  "channel:bot",
  "user:manage:whispers",
];

export interface Logins {
  apps: LoginApp[];
  authorize(request: SandboxRequest): SandboxAnswer;
  token(request: SandboxRequest): Promise<SandboxAnswer>;
  validate(request: SandboxRequest): SandboxAnswer;
  revoke(request: SandboxRequest): Promise<SandboxAnswer>;
  issue(account: string, clientId: string): IssuedTokens;
  /** The account's owner takes back what all apps were allowed. */
  end(account: string): void;
  expireAccess(): void;
  /** Has the account allowed this app these scopes? */
  hasAllowed(clientId: string, account: string, scopes: readonly string[]): boolean;
  /** Whose request it is, by its token and the header that names the token's app. @throws Refusal */
  demandUser(request: SandboxRequest, scope?: string): Grant;
  /** Which app's request it is. @throws Refusal */
  demandApp(request: SandboxRequest): string;
}

/** https://dev.twitch.tv/docs/authentication/refresh-tokens/ (2026-09): a token lives for about four hours. That a refresh token is good for one use: stricter than it. */
const rules = { codeSeconds: 600, accessSeconds: 14_124, refresh: "single_use", pkce: "ignored" } as const;

export function createLogins(state: State, ports: SandboxPorts): Logins {
  const apps: LoginApp[] = [{ ...sandboxApp }];
  const pages = createLoginPages({ ...rules, scopes: everyScope, apps }, ports);
  const appTokens = new Map<string, string>();
  const allowed = new Map<string, readonly string[]>();

  const allowedKey = (clientId: string, account: string): string => `${clientId} ${account}`;

  function remember({ client_id, account, scopes }: Grant): void {
    allowed.set(allowedKey(client_id, account), scopes);
  }

  function tokenIn({ headers }: SandboxRequest, scheme: string): string {
    const [given, token = ""] = (headers.get("authorization") ?? "").split(" ");
    return given === scheme ? token : "";
  }

  async function newAppToken(form: FormData): Promise<SandboxAnswer> {
    const [id, secret] = [form.get("client_id"), form.get("client_secret")];
    const app = apps.find(({ client_id }) => client_id === id);
    if (app === undefined) throw refusal(400, "invalid client");
    if (app.client_secret !== secret) throw refusal(403, "invalid client secret");
    const access_token = `app-${state.uuid()}`;
    appTokens.set(access_token, app.client_id);
    return { status: 200, json: { access_token, expires_in: 5_011_271, token_type: "bearer" } };
  }

  return {
    apps,
    authorize(request) {
      const people = state.users.map(({ id, display_name }) => ({ account: id, name: display_name }));
      return pages.visit(request, people);
    },
    async token(request) {
      const form = await formBody(request);
      if (form?.get("grant_type") === "client_credentials") return newAppToken(form);
      const answer = await pages.token(request);
      const json = answer.json as JsonObject;
      if (answer.status !== 200) throw refusedToken(String(json.error), form?.get("grant_type") === "refresh_token");
      const grant = pages.grantOf(String(json.access_token));
      if (grant !== null) remember(grant);
      return { ...answer, json: { ...json, scope: [...(grant?.scopes ?? [])] } };
    },
    validate(request) {
      const grant = pages.grantOf(tokenIn(request, "OAuth"));
      if (grant === null) throw refusal(401, "invalid access token");
      const { client_id, account, scopes } = grant;
      const { login } = state.user(account);
      return {
        status: 200,
        json: { client_id, login, scopes: [...scopes], user_id: account, expires_in: rules.accessSeconds },
      };
    },
    async revoke(request) {
      const form = await formBody(request);
      if (!apps.some(({ client_id }) => client_id === form?.get("client_id")))
        throw refusal(404, "client does not exist");
      const token = String(form?.get("token") ?? "");
      if (pages.grantOf(token) === null) throw refusal(400, "Invalid token");
      pages.end(token);
      return { status: 200 };
    },
    issue(account, client_id) {
      const grant = { account, client_id, scopes: everyScope };
      remember(grant);
      return pages.issue(grant);
    },
    end(account) {
      pages.revoke(account);
      for (const { client_id } of apps) allowed.delete(allowedKey(client_id, account));
    },
    expireAccess: pages.expireAccess,
    hasAllowed(clientId, account, scopes) {
      const given = allowed.get(allowedKey(clientId, account)) ?? [];
      return scopes.every((scope) => given.includes(scope));
    },
    demandUser(request, scope) {
      const grant = pages.grantOf(tokenIn(request, "Bearer"));
      if (grant === null) throw refusal(401, "Invalid OAuth token");
      if (request.headers.get("client-id") !== grant.client_id)
        throw refusal(401, "Client ID and OAuth token do not match");
      if (scope !== undefined && !grant.scopes.includes(scope)) throw refusal(401, `Missing scope: ${scope}`);
      return grant;
    },
    demandApp(request) {
      const clientId = appTokens.get(tokenIn(request, "Bearer"));
      if (clientId === undefined) throw refusal(401, "Invalid OAuth token");
      if (request.headers.get("client-id") !== clientId) throw refusal(401, "Client ID and OAuth token do not match");
      return clientId;
    },
  };
}

/** Twitch has words of its own in place of OAuth's. */
function refusedToken(error: string, isRefresh: boolean): Error {
  if (error === "invalid_client") return refusal(403, "invalid client secret");
  return refusal(400, isRefresh ? "Invalid refresh token" : "Invalid authorization code");
}
