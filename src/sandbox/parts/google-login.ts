import { formBody, ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { type AccountLoginRules, type AccountLogins, createAccountLogins } from "./account-logins.ts";
import { oauthError } from "./login-tokens.ts";
import { type Route, route } from "./routes.ts";

export const googleLoginHosts = { page: "accounts.google.com", tokens: "oauth2.googleapis.com" } as const;

/**
 * https://developers.google.com/identity/protocols/oauth2/web-server (2026-09): a code is valid for ten minutes
 * (unconfirmed), a token for an hour.
 */
const rules = { codeSeconds: 600, accessSeconds: 3_600, refresh: "kept", pkce: "required" } as const;

/**
 * The lifetime of refresh tokens for apps in testing.
 * https://developers.google.com/identity/protocols/oauth2#expiration (2026-11)
 */
const testingSeconds = 7 * 86_400;

/** Google's sign-in, shared by all of its APIs. */
export interface GoogleLogin<Account> extends Pick<AccountLogins<Account>, "issue" | "holderOf" | "accountFor"> {
  /** The page for the browser, and the requests of apps to Google itself. */
  routes: Route[];
  /** True: a request to Google's sign-in is about an app or a token of this network. */
  owns(request: SandboxRequest): boolean;
  switches: AccountLogins<Account>["switches"] & {
    /** Sets whether the apps are in testing: then the refresh tokens of later sign-ins expire after a week. */
    setTesting(isTesting: boolean): void;
  };
}

export function createGoogleLogin<Account>(
  given: Omit<AccountLoginRules<Account>, keyof typeof rules>,
  ports: SandboxPorts,
): GoogleLogin<Account> {
  const logins = createAccountLogins({ ...rules, ...given }, ports);
  /** Accounts whose last page requested offline access and showed the permissions. */
  const lasting = new Set<string>();
  /** The account of each refresh token: revoking one ends the whole grant. */
  const accountOf = new Map<string, string>();
  /** When refresh tokens of apps in testing end, milliseconds. */
  const endOf = new Map<string, number>();
  let isTesting = false;

  function authorize(request: SandboxRequest): SandboxAnswer {
    const query = request.url.searchParams;
    const isLasting = query.get("access_type") === "offline" && query.get("prompt") === "consent";
    for (const { account } of given.accounts.map(given.person)) {
      if (isLasting) lasting.add(account);
      else lasting.delete(account);
    }
    return logins.visit(request);
  }

  async function token(request: SandboxRequest): Promise<SandboxAnswer> {
    const form = await formBody(request);
    const isRenewal = form?.get("grant_type") === "refresh_token";
    const end = endOf.get(String(form?.get("refresh_token") ?? ""));
    if (isRenewal && end !== undefined && ports.clock.now() >= end) return oauthError("invalid_grant");
    const answer = await logins.token(request);
    if (answer.status !== 200) return answer;
    const { refresh_token, ...json } = answer.json as { access_token: string; refresh_token: string };
    const account = logins.grantOf(json.access_token)?.account ?? "";
    accountOf.set(refresh_token, account);
    // A renewal returns no new refresh token; a sign-in returns one only if it requested one.
    if (isRenewal || !lasting.has(account)) return { ...answer, json };
    if (!isTesting) return { ...answer, json: { ...json, refresh_token } };
    endOf.set(refresh_token, ports.clock.now() + testingSeconds * 1000);
    return { ...answer, json: { ...json, refresh_token, refresh_token_expires_in: testingSeconds - 1 } };
  }

  function tokenInfo({ url }: SandboxRequest): SandboxAnswer {
    const grant = logins.grantOf(url.searchParams.get("access_token") ?? "");
    if (grant === null) return invalidToken;
    const { client_id: azp, scopes } = grant;
    return ok({ azp, aud: azp, scope: scopes.join(" "), expires_in: "3599", access_type: "offline" });
  }

  async function revoke(request: SandboxRequest): Promise<SandboxAnswer> {
    const token = String((await formBody(request))?.get("token") ?? "");
    const account = accountOf.get(token) ?? logins.grantOf(token)?.account;
    if (account === undefined) return invalidToken;
    logins.revoke(account);
    return ok({});
  }

  return {
    routes: [
      route("authorize", `GET ${googleLoginHosts.page}/o/oauth2/v2/auth`, authorize),
      route("token", `POST ${googleLoginHosts.tokens}/token`, token),
      route("tokenInfo", `GET ${googleLoginHosts.tokens}/tokeninfo`, tokenInfo),
      route("revoke", `POST ${googleLoginHosts.tokens}/revoke`, revoke),
    ],
    holderOf: logins.holderOf,
    accountFor: logins.accountFor,
    owns({ url, bytes }) {
      const form = new URLSearchParams(new TextDecoder().decode(bytes));
      const value = (name: string): string => form.get(name) ?? url.searchParams.get(name) ?? "";
      if (logins.apps.some(({ client_id }) => client_id === value("client_id"))) return true;
      const token = value("access_token") || value("token");
      return accountOf.has(token) || logins.grantOf(token) !== null;
    },
    issue(email, scopes) {
      const tokens = logins.issue(email, scopes);
      accountOf.set(tokens.refresh_token ?? "", email);
      return tokens;
    },
    switches: {
      ...logins.switches,
      setTesting(isNow) {
        isTesting = isNow;
      },
    },
  };
}

const invalidToken: SandboxAnswer = {
  status: 400,
  json: { error: "invalid_token", error_description: "Invalid Value" },
};
