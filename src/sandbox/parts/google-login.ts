import { bearerOf, formBody, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createLoginPages, type LoginApp, type Person } from "./login-pages.ts";
import { type Grant, type IssuedTokens, oauthError } from "./login-tokens.ts";

export const googleLoginHosts = { page: "accounts.google.com", tokens: "oauth2.googleapis.com" } as const;

/** https://developers.google.com/identity/protocols/oauth2/web-server (2026-09): a code lives for ten minutes (unconfirmed), a token for an hour. */
const rules = { codeSeconds: 600, accessSeconds: 3_600, refresh: "kept", pkce: "required" } as const;

/** Of an app in testing. https://developers.google.com/identity/protocols/oauth2#expiration (2026-11) */
const testingSeconds = 7 * 86_400;

/** Google's login, as all of its APIs have it. */
export interface GoogleLogin {
  /** The page for the browser. */
  authorize(request: SandboxRequest): SandboxAnswer;
  token(request: SandboxRequest): Promise<SandboxAnswer>;
  tokenInfo(request: SandboxRequest): SandboxAnswer;
  revoke(request: SandboxRequest): Promise<SandboxAnswer>;
  /** Whose token the request carries, and what it allows; null: none that lives. */
  grantOf(request: SandboxRequest): Grant | null;
  /** Is a request to Google's login about an app, or a token, of this network? */
  owns(request: SandboxRequest): boolean;
  /** Tokens as a login of the first app gives them. */
  issue(email: string, scopes: readonly string[]): IssuedTokens;
  expireAccess(): void;
  /** The apps are in testing: logins from now on end after a week. @default false */
  setTesting(isTesting: boolean): void;
  /** The person takes back what the apps were allowed. */
  takeBack(email: string): void;
}

export function createGoogleLogin(
  { apps, scopes, people }: { apps: readonly LoginApp[]; scopes: readonly string[]; people(): readonly Person[] },
  ports: SandboxPorts,
): GoogleLogin {
  const pages = createLoginPages({ ...rules, scopes, apps }, ports);
  /** Accounts whose last page asked for a lasting login, and showed what is allowed. */
  const lasting = new Set<string>();
  /** By refresh token: one revoked ends the whole grant. */
  const accountOf = new Map<string, string>();
  /** When refresh tokens of apps in testing end, milliseconds. */
  const endOf = new Map<string, number>();
  let isTesting = false;

  return {
    authorize(request) {
      const query = request.url.searchParams;
      const isLasting = query.get("access_type") === "offline" && query.get("prompt") === "consent";
      const answer = pages.visit(request, people());
      for (const { account } of people()) {
        if (isLasting) lasting.add(account);
        else lasting.delete(account);
      }
      return answer;
    },

    async token(request) {
      const form = await formBody(request);
      const isRenewal = form?.get("grant_type") === "refresh_token";
      const end = endOf.get(String(form?.get("refresh_token") ?? ""));
      if (isRenewal && end !== undefined && ports.clock.now() >= end) return oauthError("invalid_grant");
      const answer = await pages.token(request);
      if (answer.status !== 200) return answer;
      const { refresh_token, ...json } = answer.json as { access_token: string; refresh_token: string };
      const account = pages.grantOf(json.access_token)?.account ?? "";
      accountOf.set(refresh_token, account);
      // A renewal brings no new refresh token, and a login one only where it asked for it.
      if (isRenewal || !lasting.has(account)) return { ...answer, json };
      if (!isTesting) return { ...answer, json: { ...json, refresh_token } };
      endOf.set(refresh_token, ports.clock.now() + testingSeconds * 1000);
      return { ...answer, json: { ...json, refresh_token, refresh_token_expires_in: testingSeconds - 1 } };
    },

    tokenInfo({ url }) {
      const grant = pages.grantOf(url.searchParams.get("access_token") ?? "");
      if (grant === null) return invalidToken;
      const { client_id: azp, scopes: granted } = grant;
      const json = { azp, aud: azp, scope: granted.join(" "), expires_in: "3599", access_type: "offline" };
      return { status: 200, json };
    },

    async revoke(request) {
      const given = String((await formBody(request))?.get("token") ?? "");
      const account = accountOf.get(given) ?? pages.grantOf(given)?.account;
      if (account === undefined) return invalidToken;
      pages.revoke(account);
      return { status: 200, json: {} };
    },

    grantOf: (request) => pages.grantOf(bearerOf(request)),

    owns({ url, bytes }) {
      const form = new URLSearchParams(new TextDecoder().decode(bytes));
      const given = (name: string): string => form.get(name) ?? url.searchParams.get(name) ?? "";
      if (apps.some(({ client_id }) => client_id === given("client_id"))) return true;
      const token = given("access_token") || given("token");
      return accountOf.has(token) || pages.grantOf(token) !== null;
    },

    issue(email, granted) {
      const tokens = pages.issue({ account: email, client_id: apps[0]?.client_id ?? "", scopes: granted });
      accountOf.set(tokens.refresh_token ?? "", email);
      return tokens;
    },

    expireAccess: pages.expireAccess,
    setTesting(isNow) {
      isTesting = isNow;
    },
    takeBack: pages.revoke,
  };
}

const invalidToken: SandboxAnswer = {
  status: 400,
  json: { error: "invalid_token", error_description: "Invalid Value" },
};
