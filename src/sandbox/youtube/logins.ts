import { formBody, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createLoginPages } from "../parts/login-pages.ts";
import type { IssuedTokens } from "../parts/login-tokens.ts";
import { lacksScope, refusal, unauthorized } from "./refusal.ts";
import type { Account, Channel, State } from "./state.ts";

const base = "https://www.googleapis.com/auth/youtube";
export const everyScope = [base, `${base}.force-ssl`, `${base}.readonly`, `${base}.upload`];

/** Each of these is enough. */
export const scopesFor = {
  read: [base, `${base}.force-ssl`, `${base}.readonly`],
  upload: [base, `${base}.force-ssl`, `${base}.upload`],
  edit: [base, `${base}.force-ssl`],
  comment: [`${base}.force-ssl`],
} as const;

export type Right = keyof typeof scopesFor;

/** https://developers.google.com/identity/protocols/oauth2/web-server (2026-09): a code lives for ten minutes (unconfirmed), a token for an hour. */
const rules = { codeSeconds: 600, accessSeconds: 3_600, refresh: "kept", pkce: "required" } as const;

export interface Logins {
  /** The page for the browser. */
  authorize(request: SandboxRequest): SandboxAnswer;
  token(request: SandboxRequest): Promise<SandboxAnswer>;
  tokenInfo(request: SandboxRequest): SandboxAnswer;
  revoke(request: SandboxRequest): Promise<SandboxAnswer>;
  /** The channel that a request is made for. @throws Refusal */
  channelFor(request: SandboxRequest, right: Right): Channel;
  /** The account behind it, which may have no channel. @throws Refusal */
  accountFor(request: SandboxRequest, right: Right): Account;
  /** Tokens as a login of the first app gives them. */
  issue(account: string, scopes: readonly string[]): IssuedTokens;
  expireAccess(): void;
  /** The person takes back what the apps were allowed. */
  takeBack(account: string): void;
}

export function createLogins(state: State, ports: SandboxPorts): Logins {
  const pages = createLoginPages({ ...rules, scopes: everyScope, apps: state.apps }, ports);
  /** Accounts whose last page asked for a lasting login, and showed what is allowed. */
  const lasting = new Set<string>();
  /** By refresh token: one revoked ends the whole grant. */
  const accountOf = new Map<string, string>();

  function accountFor(request: SandboxRequest, right: Right): Account {
    const [, bearer = ""] = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "") ?? [];
    const grant = pages.grantOf(bearer);
    if (grant === null) throw unauthorized();
    if (!scopesFor[right].some((scope) => grant.scopes.includes(scope))) throw lacksScope();
    const account = state.accounts.find(({ email }) => email === grant.account);
    if (account === undefined) throw unauthorized();
    return account;
  }

  return {
    authorize(request) {
      const query = request.url.searchParams;
      const isLasting = query.get("access_type") === "offline" && query.get("prompt") === "consent";
      const answer = pages.visit(
        request,
        state.accounts.map(({ email, channel }) => ({ account: email, name: channel?.title ?? email })),
      );
      for (const { email } of state.accounts) {
        if (isLasting) lasting.add(email);
        else lasting.delete(email);
      }
      return answer;
    },

    async token(request) {
      const isRenewal = (await formBody(request))?.get("grant_type") === "refresh_token";
      const answer = await pages.token(request);
      if (answer.status !== 200) return answer;
      const { refresh_token, ...json } = answer.json as { access_token: string; refresh_token: string };
      const account = pages.grantOf(json.access_token)?.account ?? "";
      accountOf.set(refresh_token, account);
      // A renewal brings no new refresh token, and a login one only where it asked for it.
      return { ...answer, json: isRenewal || !lasting.has(account) ? json : { ...json, refresh_token } };
    },

    tokenInfo({ url }) {
      const grant = pages.grantOf(url.searchParams.get("access_token") ?? "");
      if (grant === null) return invalidToken;
      const { client_id: azp, scopes } = grant;
      const json = { azp, aud: azp, scope: scopes.join(" "), expires_in: "3599", access_type: "offline" };
      return { status: 200, json };
    },

    async revoke(request) {
      const given = String((await formBody(request))?.get("token") ?? "");
      const account = accountOf.get(given) ?? pages.grantOf(given)?.account;
      if (account === undefined) return invalidToken;
      pages.revoke(account);
      return { status: 200, json: {} };
    },

    accountFor,

    channelFor(request, right) {
      const { channel } = accountFor(request, right);
      if (channel === null) throw refusal(401, "youtubeSignupRequired", "Unauthorized", { domain: "youtube.header" });
      if (channel.isSuspended)
        throw refusal(403, "authenticatedUserAccountSuspended", "Suspended.", { domain: "youtube.common" });
      return channel;
    },

    issue(account, scopes) {
      const tokens = pages.issue({ account, client_id: state.apps[0]?.client_id ?? "", scopes });
      accountOf.set(tokens.refresh_token ?? "", account);
      return tokens;
    },

    expireAccess: pages.expireAccess,
    takeBack: pages.revoke,
  };
}

const invalidToken: SandboxAnswer = {
  status: 400,
  json: { error: "invalid_token", error_description: "Invalid Value" },
};
