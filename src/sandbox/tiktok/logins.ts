import { formBody, ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createAccountLogins } from "../parts/account-logins.ts";
import type { LoginApp } from "../parts/login-pages.ts";
import { route } from "../parts/routes.ts";
import { refusal } from "./refusal.ts";
import { api, type State } from "./state.ts";

/** https://developers.tiktok.com/doc/tiktok-api-scopes (2026-11) */
export const everyScope = [
  "user.info.basic",
  "user.info.profile",
  "user.info.stats",
  "video.publish",
  "video.upload",
  "video.list",
];

/**
 * https://developers.tiktok.com/docs/en/oauth-refresh-a-user-access-token (2026-11); how long a code is valid is not
 * documented (unconfirmed).
 */
const rules = {
  codeSeconds: 600,
  accessSeconds: 7_200,
  refresh: "single_use",
  pkce: "ignored",
  separator: ",",
} as const;
const refreshSeconds = 15_552_000;

/** An app that is registered from the start. */
export const sandboxApp: LoginApp = {
  client_id: "awsandboxkey",
  client_secret: "sandbox-secret",
  redirect_uris: ["https://app.example.com/connect/tiktok/callback"],
};

export type Logins = ReturnType<typeof createLogins>;

export function createLogins({ accounts, ways }: State, ports: SandboxPorts) {
  const logins = createAccountLogins(
    {
      ...rules,
      app: sandboxApp,
      scopes: everyScope,
      accounts,
      person: ({ open_id, username }) => ({ account: open_id, name: username }),
      refused: (what) =>
        what === "token"
          ? refusal(401, "access_token_invalid", "The access token is invalid or not found in the request.")
          : refusal(401, "scope_not_authorized", lacksScope),
    },
    ports,
  );

  function refused(error: string, description: string): SandboxAnswer {
    const json = { error, error_description: description, log_id: "20261121120000010245030153023A1B" };
    return { status: ways.refusesLoginWith200 ? 200 : 400, json };
  }

  async function token(request: SandboxRequest): Promise<SandboxAnswer> {
    // A charset after the type is rejected, too. https://github.com/gitroomhq/postiz-app (2026-08)
    if (request.headers.get("content-type") !== "application/x-www-form-urlencoded")
      return refused("invalid_request", "The request parameters are malformed.");
    const answer = await logins.token(await withClientId(request));
    if (answer.status !== 200) return refused((answer.json as { error: string }).error, "Refused.");
    const { access_token, scope, ...json } = answer.json as { access_token: string; scope: string };
    const open_id = logins.grantOf(access_token)?.account ?? "";
    const more = { open_id, scope: scope.replaceAll(" ", ","), refresh_expires_in: refreshSeconds };
    return { ...answer, json: { ...json, access_token, ...more } };
  }

  async function revoke(request: SandboxRequest): Promise<SandboxAnswer> {
    const form = await formBody(request);
    const [key, secret] = [form?.get("client_key"), form?.get("client_secret")];
    if (!logins.apps.some(({ client_id, client_secret }) => client_id === key && client_secret === secret))
      return refused("invalid_client", "Client key or secret is incorrect.");
    const account = logins.grantOf(String(form?.get("token")))?.account;
    if (account !== undefined) logins.revoke(account);
    return ok({});
  }

  return {
    ...logins,
    routes: [
      route("authorize", "GET www.tiktok.com/v2/auth/authorize/", ({ url }) => logins.visit({ url: renamed(url) })),
      route("token", `POST ${api}/oauth/token/`, token),
      route("revoke", `POST ${api}/oauth/revoke/`, revoke),
    ],
  };
}

const lacksScope = "The user did not authorize the scope required for completing this request.";

/** OAuth's `client_id` is named `client_key` here. */
function renamed(url: URL): URL {
  const other = new URL(url);
  other.searchParams.set("client_id", url.searchParams.get("client_key") ?? "");
  return other;
}

async function withClientId(request: SandboxRequest): Promise<SandboxRequest> {
  const form = new URLSearchParams(new TextDecoder().decode(request.bytes));
  form.delete("client_id");
  form.set("client_id", form.get("client_key") ?? "");
  return { ...request, bytes: new TextEncoder().encode(form.toString()) };
}
