import type { SandboxAnswer, SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createAccountLogins } from "../parts/account-logins.ts";
import type { LoginApp } from "../parts/login-pages.ts";
import { route } from "../parts/routes.ts";
import { refusal } from "./refusal.ts";
import { call, type State } from "./state.ts";

/** An app that exists from the start. */
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

/**
 * Access tokens are valid for 30 days; each refresh returns a new refresh token.
 * https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/ (2026-10)
 */
const rules = { codeSeconds: 600, accessSeconds: 2_592_000, refresh: "single_use", pkce: "ignored" } as const;

export type Logins = ReturnType<typeof createLogins>;

export function createLogins({ accounts }: State, ports: SandboxPorts) {
  const logins = createAccountLogins(
    {
      ...rules,
      app: sandboxApp,
      scopes: allScopes,
      separator: ",",
      accounts,
      person: ({ id, username }) => ({ account: id, name: username }),
      refused: (what) =>
        what === "token"
          ? refusal(401, 2, "Authentication failed.")
          : refusal(401, 3, "Your token does not have sufficient permissions for this operation."),
    },
    ports,
  );

  async function token(request: SandboxRequest): Promise<SandboxAnswer> {
    const basic = request.headers.get("authorization")?.startsWith("Basic ") === true;
    const answer = basic ? await logins.token(request) : { status: 401, json: { error: "invalid_client" } };
    if (answer.status === 200) return answer;
    const { error } = answer.json as { error: string };
    // The message for a rejected token is not documented (unconfirmed).
    if (error === "invalid_client") throw refusal(401, 2, "Authentication failed.");
    throw refusal(400, 1, error === "invalid_grant" ? "The code or refresh token is invalid." : "Invalid parameters.");
  }

  return {
    ...logins,
    routes: [route("GET /oauth", "GET www.pinterest.com/oauth/", logins.visit), call("POST /oauth/token", token)],
  };
}
