import { bearerOf, formBody, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createLoginPages, type LoginPages } from "../parts/login-pages.ts";
import type { IssuedTokens } from "../parts/login-tokens.ts";
import { refusal } from "./refusal.ts";
import type { Account, State } from "./state.ts";

/** https://developers.tiktok.com/doc/tiktok-api-scopes (2026-11) */
export const everyScope = [
  "user.info.basic",
  "user.info.profile",
  "user.info.stats",
  "video.publish",
  "video.upload",
  "video.list",
];

/** https://developers.tiktok.com/docs/en/oauth-refresh-a-user-access-token (2026-11); how long a code lives is said nowhere (unconfirmed). */
const rules = {
  codeSeconds: 600,
  accessSeconds: 7_200,
  refresh: "single_use",
  pkce: "ignored",
  separator: ",",
} as const;
const refreshSeconds = 15_552_000;

export interface Logins extends Pick<LoginPages, "expireAccess" | "wasReused" | "revoke"> {
  /** The page for the browser. */
  authorize(request: SandboxRequest): SandboxAnswer;
  token(request: SandboxRequest): Promise<SandboxAnswer>;
  end(request: SandboxRequest): Promise<SandboxAnswer>;
  /** Whose token the request carries, and that it allows all of this. @throws Refusal */
  accountFor(request: SandboxRequest, ...scopes: readonly string[]): Account;
  /** Tokens as a login of the first app gives them. */
  issue(openId: string, scopes: readonly string[]): IssuedTokens;
}

export function createLogins(state: State, ports: SandboxPorts): Logins {
  const pages = createLoginPages({ ...rules, scopes: everyScope, apps: state.apps }, ports);

  function refused(error: string, description: string): SandboxAnswer {
    const json = { error, error_description: description, log_id: "20261121120000010245030153023A1B" };
    return { status: state.ways.refusesLoginWith200 ? 200 : 400, json };
  }

  function isKnownApp(form: FormData | undefined): boolean {
    const [key, secret] = [form?.get("client_key"), form?.get("client_secret")];
    return state.apps.some(({ client_id, client_secret }) => client_id === key && client_secret === secret);
  }

  return {
    ...pages,

    authorize({ url }) {
      const people = state.accounts.map(({ open_id, username }) => ({ account: open_id, name: username }));
      return pages.visit({ url: renamed(url) }, people);
    },

    async token(request) {
      // Not even with a charset behind it. https://github.com/gitroomhq/postiz-app (2026-08)
      if (request.headers.get("content-type") !== "application/x-www-form-urlencoded")
        return refused("invalid_request", "The request parameters are malformed.");
      const answer = await pages.token(await withClientId(request));
      if (answer.status !== 200) {
        const { error } = answer.json as { error: string };
        return refused(error, "Refused.");
      }
      const { access_token, scope, ...json } = answer.json as { access_token: string; scope: string };
      const open_id = pages.grantOf(access_token)?.account ?? "";
      const more = { open_id, scope: scope.replaceAll(" ", ","), refresh_expires_in: refreshSeconds };
      return { ...answer, json: { ...json, access_token, ...more } };
    },

    async end(request) {
      const form = await formBody(request);
      const token = String(form?.get("token") ?? "");
      if (!isKnownApp(form)) return refused("invalid_client", "Client key or secret is incorrect.");
      const account = pages.grantOf(token)?.account;
      if (account !== undefined) pages.revoke(account);
      return { status: 200, json: {} };
    },

    accountFor(request, ...scopes) {
      const grant = pages.grantOf(bearerOf(request));
      if (grant === null)
        throw refusal(401, "access_token_invalid", "The access token is invalid or not found in the request.");
      if (scopes.some((scope) => !grant.scopes.includes(scope)))
        throw refusal(
          401,
          "scope_not_authorized",
          "The user did not authorize the scope required for completing this request.",
        );
      const account = state.accounts.find(({ open_id }) => open_id === grant.account);
      if (account === undefined) throw refusal(401, "access_token_invalid", "There is no such account.");
      return account;
    },

    issue: (account, scopes) => pages.issue({ account, client_id: state.apps[0]?.client_id ?? "", scopes }),
  };
}

/** What OAuth calls `client_id` is `client_key` here. */
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
