import { formBody, ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { graphOperation, graphRefusal, withTail } from "../parts/graph.ts";
import { longSeconds } from "../parts/graph-tokens.ts";
import { createLoginPages, type LoginApp } from "../parts/login-pages.ts";
import { route } from "../parts/routes.ts";
import { type Accounts, allScopes } from "./accounts.ts";

/** An app that exists from the start. */
export const sandboxApp: LoginApp = {
  client_id: "1130245678905555",
  client_secret: "threads-app-secret",
  redirect_uris: ["https://app.example.com/connect/threads/callback"],
};

/** Codes are valid for an hour and for one use. https://github.com/fbsamples/threads_api (2026-01) */
const rules = { separator: ",", pkce: "ignored", codeSeconds: 3_600, accessSeconds: 3_600, refresh: "none" } as const;

export function createLogins(ports: SandboxPorts, accounts: Accounts) {
  const apps: LoginApp[] = [sandboxApp];
  const pages = createLoginPages({ ...rules, apps, scopes: allScopes }, ports);

  /** The id is written as a JSON number, which exceeds JavaScript's safe integers. */
  async function shortToken(request: SandboxRequest): Promise<SandboxAnswer> {
    const clientId = (await formBody(request))?.get("client_id");
    const { status, json } = await pages.token(request);
    if (status !== 200) {
      const isApp = (json as { error?: string }).error === "invalid_client";
      if (!apps.some(({ client_id }) => client_id === clientId)) throw graphRefusal(100, "No app ID was provided");
      throw isApp
        ? graphRefusal(1, "Error validating client secret.")
        : graphRefusal(100, "This authorization code has been used");
    }
    const { access_token } = json as { access_token: string };
    const text = `{"access_token":${JSON.stringify(access_token)},"user_id":${pages.grantOf(access_token)?.account}}`;
    return { status, headers: { "content-type": "application/json; charset=UTF-8" }, text };
  }

  function longToken({ url: { searchParams } }: SandboxRequest): SandboxAnswer {
    const grant = pages.grantOf(searchParams.get("access_token") ?? "");
    const app = apps.find(({ client_id }) => client_id === grant?.client_id);
    if (searchParams.get("grant_type") !== "th_exchange_token" || grant === null)
      throw graphRefusal(190, "Error validating access token", { status: 401 });
    if (searchParams.get("client_secret") !== app?.client_secret)
      throw graphRefusal(1, "Error validating client secret.");
    const access_token = accounts.issueLong({ account: accounts.named(grant.account), scopes: grant.scopes });
    return ok({ access_token, token_type: "bearer", expires_in: longSeconds });
  }

  function renewed({ url: { searchParams } }: SandboxRequest): SandboxAnswer {
    if (searchParams.get("grant_type") !== "th_refresh_token") throw graphRefusal(100, "Invalid grant_type");
    return ok(accounts.tokens.renew(searchParams.get("access_token") ?? "", { start: "THAA" }));
  }

  function authorize(request: SandboxRequest): SandboxAnswer {
    const people = accounts.all.map(({ id, name }) => ({ account: id, name }));
    return withTail(pages.visit(request, people));
  }

  return {
    routes: [
      route(graphOperation, "GET threads.net/oauth/authorize", authorize),
      route(graphOperation, "POST graph.threads.net/oauth/access_token", shortToken),
      route(graphOperation, "GET graph.threads.net/access_token", longToken),
      route(graphOperation, "GET graph.threads.net/refresh_access_token", renewed),
    ],
    switches: { addApp: (app: LoginApp) => void apps.push(app) },
  };
}
