import { formBody, ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createAccountLogins } from "../parts/account-logins.ts";
import type { LoginApp } from "../parts/login-pages.ts";
import { oauthError } from "../parts/login-tokens.ts";
import { route } from "../parts/routes.ts";
import { refusal } from "./refusal.ts";
import type { Account, State } from "./state.ts";

/** An app that exists from the start. */
export const sandboxApp: LoginApp = {
  client_id: "sandbox-app",
  client_secret: "sandbox-secret",
  redirect_uris: ["https://app.example.com/connect/x/callback"],
};

/** https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code (2026-08) */
export const allScopes: readonly string[] = [
  ...["tweet.read", "tweet.write", "tweet.moderate.write", "users.read", "media.write"],
  ...["dm.read", "dm.write", "like.read", "offline.access"],
];

/**
 * Codes are valid for 30 seconds, access tokens for two hours, refresh tokens for one use.
 * https://docs.x.com/fundamentals/authentication/oauth-2-0/user-access-token (2026-08)
 */
const rules = { codeSeconds: 30, accessSeconds: 7_200, refresh: "single_use", pkce: "required" } as const;

export type Logins = ReturnType<typeof createLogins>;

export function createLogins({ accounts }: State, ports: SandboxPorts) {
  const logins = createAccountLogins(
    {
      ...rules,
      app: sandboxApp,
      scopes: allScopes,
      accounts,
      person: ({ id, username }) => ({ account: id, name: username }),
      refused: (what) => (what === "token" ? refusal(401, null, "Unauthorized") : refusal(403, null, "Forbidden")),
    },
    ports,
  );

  async function revoke(request: SandboxRequest): Promise<SandboxAnswer> {
    const token = (await formBody(request))?.get("token");
    if (typeof token !== "string") return oauthError("invalid_request");
    logins.end(token);
    return ok({ revoked: true });
  }

  return {
    ...logins,
    routes: [
      route("authorize", "GET /i/oauth2/authorize", logins.visit),
      route("token", "POST /2/oauth2/token", logins.token),
      route("revoke", "POST /2/oauth2/revoke", revoke),
    ],
    /** The account of the request's token, which must have these scopes. @throws Refusal */
    accountFor(request: SandboxRequest, ...scopes: readonly string[]): Account {
      const account = logins.accountFor(request, ...scopes);
      if (account.isSuspended) throw refusal(403, "user-suspended", "The account is suspended.");
      return account;
    },
  };
}
