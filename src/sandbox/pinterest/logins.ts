import { bearerOf, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createLoginPages, type LoginApp, type LoginPages } from "../parts/login-pages.ts";
import { refusal } from "./refusal.ts";
import type { PinterestAccount, State } from "./state.ts";

/** An app that is there from the start. */
export const sandboxApp: LoginApp = {
  client_id: "1482650",
  client_secret: "sandbox-secret",
  redirect_uris: ["https://app.example.com/connect/pinterest/callback"],
};

/** https://github.com/pinterest/api-description (2025-12) */
export const allScopes: readonly string[] = [
  ...["boards:read", "boards:write", "pins:read", "pins:write", "user_accounts:read"],
  ...["boards:read_secret", "boards:write_secret", "pins:read_secret", "pins:write_secret"],
];

export interface Logins extends Pick<LoginPages, "visit" | "issue" | "revoke" | "expireAccess" | "wasReused"> {
  apps: LoginApp[];
  token(request: SandboxRequest): Promise<SandboxAnswer>;
  /** Whose token the request carries, and that it allows this. @throws Refusal */
  authenticate(request: SandboxRequest, ...scopes: readonly string[]): PinterestAccount;
}

/** Access for 30 days; each refresh brings a new refresh token. https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/ (2026-10) */
export function createLogins(state: State, ports: SandboxPorts): Logins {
  const apps: LoginApp[] = [sandboxApp];
  const pages = createLoginPages(
    {
      ...{ apps, scopes: allScopes, separator: ",", pkce: "ignored" },
      ...{ codeSeconds: 600, accessSeconds: 2_592_000, refresh: "single_use" },
    },
    ports,
  );
  return {
    ...pages,
    apps,
    async token(request) {
      const basic = request.headers.get("authorization")?.startsWith("Basic ") === true;
      const answer = basic ? await pages.token(request) : { status: 401, json: { error: "invalid_client" } };
      if (answer.status === 200) return answer;
      const { error } = answer.json as { error: string };
      // In which words it refuses a token is written nowhere (unconfirmed).
      if (error === "invalid_client") throw refusal(401, 2, "Authentication failed.");
      throw refusal(
        400,
        1,
        error === "invalid_grant" ? "The code or refresh token is invalid." : "Invalid parameters.",
      );
    },
    authenticate(request, ...scopes) {
      const grant = pages.grantOf(bearerOf(request));
      const account = grant === null ? undefined : state.accounts.get(grant.account);
      if (grant === null || account === undefined) throw refusal(401, 2, "Authentication failed.");
      const missing = scopes.filter((scope) => !grant.scopes.includes(scope));
      if (missing.length > 0)
        throw refusal(401, 3, "Your token does not have sufficient permissions for this operation.");
      return account;
    },
  };
}
