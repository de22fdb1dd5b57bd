import type { JsonObject } from "../../wire/json.ts";
import { bearerOf, formBody, ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createAccountLogins } from "../parts/account-logins.ts";
import type { LoginApp } from "../parts/login-pages.ts";
import type { Grant } from "../parts/login-tokens.ts";
import { route } from "../parts/routes.ts";
import { refusal } from "./refusal.ts";
import type { State, TwitchUser } from "./state.ts";

export const loginHost = "id.twitch.tv";

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

/**
 * https://dev.twitch.tv/docs/authentication/refresh-tokens/ (2026-09): a token is valid for about four hours. Refresh
 * tokens are for one use here, which is stricter than at Twitch.
 */
const rules = { codeSeconds: 600, accessSeconds: 14_124, refresh: "single_use", pkce: "ignored" } as const;

export type Logins = ReturnType<typeof createLogins>;

export function createLogins(state: State, ports: SandboxPorts) {
  const logins = createAccountLogins(
    {
      ...rules,
      app: { ...sandboxApp },
      scopes: everyScope,
      accounts: state.users,
      person: ({ id, display_name }) => ({ account: id, name: display_name }),
      refused: () => refusal(401, "Invalid OAuth token"),
    },
    ports,
  );
  const { apps } = logins;
  const appTokens = new Map<string, string>();
  const allowed = new Map<string, readonly string[]>();

  const allowedKey = (clientId: string, account: string): string => `${clientId} ${account}`;

  function remember({ client_id, account, scopes }: Grant): void {
    allowed.set(allowedKey(client_id, account), scopes);
  }

  function newAppToken(form: FormData): SandboxAnswer {
    const app = apps.find(({ client_id }) => client_id === form.get("client_id"));
    if (app === undefined) throw refusal(400, "invalid client");
    if (app.client_secret !== form.get("client_secret")) throw refusal(403, "invalid client secret");
    const access_token = `app-${state.uuid()}`;
    appTokens.set(access_token, app.client_id);
    return ok({ access_token, expires_in: 5_011_271, token_type: "bearer" });
  }

  async function token(request: SandboxRequest): Promise<SandboxAnswer> {
    const form = await formBody(request);
    if (form?.get("grant_type") === "client_credentials") return newAppToken(form);
    const answer = await logins.token(request);
    const json = answer.json as JsonObject;
    if (answer.status !== 200) throw refusedToken(String(json.error), form?.get("grant_type") === "refresh_token");
    const grant = logins.grantOf(String(json.access_token));
    if (grant !== null) remember(grant);
    return { ...answer, json: { ...json, scope: [...(grant?.scopes ?? [])] } };
  }

  function validate({ headers }: SandboxRequest): SandboxAnswer {
    const [, text = ""] = /^OAuth (.+)$/.exec(headers.get("authorization") ?? "") ?? [];
    const grant = logins.grantOf(text);
    if (grant === null) throw refusal(401, "invalid access token");
    const { client_id, account, scopes } = grant;
    const { login } = state.user(account);
    return ok({ client_id, login, scopes: [...scopes], user_id: account, expires_in: rules.accessSeconds });
  }

  async function revoke(request: SandboxRequest): Promise<SandboxAnswer> {
    const form = await formBody(request);
    if (!apps.some(({ client_id }) => client_id === form?.get("client_id")))
      throw refusal(404, "client does not exist");
    const text = String(form?.get("token") ?? "");
    if (logins.grantOf(text) === null) throw refusal(400, "Invalid token");
    logins.end(text);
    return { status: 200 };
  }

  function assertApp({ headers }: SandboxRequest, clientId: string): void {
    if (headers.get("client-id") !== clientId) throw refusal(401, "Client ID and OAuth token do not match");
  }

  return {
    apps,
    routes: [
      route("authorize", `GET ${loginHost}/oauth2/authorize`, logins.visit),
      route("token", `POST ${loginHost}/oauth2/token`, token),
      route("validate", `GET ${loginHost}/oauth2/validate`, validate),
      route("revoke", `POST ${loginHost}/oauth2/revoke`, revoke),
    ],
    switches: { addApp: logins.switches.addApp, expireTokens: logins.expireAccess },
    /** Issues tokens of this app. */
    issue(account: string, client_id: string, scopes: readonly string[] = everyScope) {
      remember({ account, client_id, scopes });
      const { access_token, refresh_token } = logins.issue(account, scopes, client_id);
      return { access_token, refresh_token: refresh_token ?? "" };
    },
    /** The account's owner revokes the access of all apps. */
    end(account: string): void {
      logins.revoke(account);
      for (const { client_id } of apps) allowed.delete(allowedKey(client_id, account));
    },
    /** True: the account has granted this app these scopes. */
    hasAllowed(clientId: string, account: string, scopes: readonly string[]): boolean {
      const given = allowed.get(allowedKey(clientId, account)) ?? [];
      return scopes.every((scope) => given.includes(scope));
    },
    /** The user of the request, by its token and the header that names the token's app. @throws Refusal */
    assertUser(request: SandboxRequest, scope?: string): TwitchUser {
      const { account, client_id, scopes } = logins.holderOf(request);
      assertApp(request, client_id);
      if (scope !== undefined && !scopes.includes(scope)) throw refusal(401, `Missing scope: ${scope}`);
      return account;
    },
    /** The app of the request. @throws Refusal */
    assertApp(request: SandboxRequest): string {
      const clientId = appTokens.get(bearerOf(request));
      if (clientId === undefined) throw refusal(401, "Invalid OAuth token");
      assertApp(request, clientId);
      return clientId;
    },
  };
}

/** Twitch's own messages in place of OAuth's. */
function refusedToken(error: string, isRefresh: boolean): Error {
  if (error === "invalid_client") return refusal(403, "invalid client secret");
  return refusal(400, isRefresh ? "Invalid refresh token" : "Invalid authorization code");
}
