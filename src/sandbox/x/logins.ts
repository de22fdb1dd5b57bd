import { bearerOf, formBody, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createLoginPages, type LoginApp, type LoginPages } from "../parts/login-pages.ts";
import { oauthError } from "../parts/login-tokens.ts";
import { forbidden, refusal } from "./refusal.ts";
import { type Account, accountOf, type State } from "./state.ts";

/** An app that is there from the start. */
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

export interface Logins
  extends Pick<LoginPages, "visit" | "token" | "issue" | "revoke" | "expireAccess" | "wasReused"> {
  apps: LoginApp[];
  /** Takes one token back. */
  end(request: SandboxRequest): Promise<SandboxAnswer>;
  /** Whose token the request carries, and that it allows this. @throws Refusal */
  authenticate(request: SandboxRequest, ...scopes: readonly string[]): Account;
}

/** Codes for 30 seconds, access for two hours, refresh tokens for one use. https://docs.x.com/fundamentals/authentication/oauth-2-0/user-access-token (2026-08) */
export function createLogins(state: State, ports: SandboxPorts): Logins {
  const apps: LoginApp[] = [sandboxApp];
  const pages = createLoginPages(
    { apps, scopes: allScopes, pkce: "required", codeSeconds: 30, accessSeconds: 7_200, refresh: "single_use" },
    ports,
  );

  return {
    ...pages,
    apps,
    async end(request) {
      const token = (await formBody(request))?.get("token");
      if (typeof token !== "string") return oauthError("invalid_request");
      pages.end(token);
      return { status: 200, json: { revoked: true } };
    },
    authenticate(request, ...scopes) {
      const grant = pages.grantOf(bearerOf(request));
      if (grant === null) throw refusal(401, null, "Unauthorized");
      const account = accountOf(state, grant.account);
      if (scopes.some((scope) => !grant.scopes.includes(scope))) throw forbidden();
      if (account.isSuspended) throw refusal(403, "user-suspended", "The account is suspended.");
      return account;
    },
  };
}
