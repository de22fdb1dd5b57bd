import { bearerOf, formBody, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createLoginPages, type LoginApp, type LoginPages } from "../parts/login-pages.ts";
import { type Grant, type IssuedTokens, oauthError } from "../parts/login-tokens.ts";
import { route } from "../parts/routes.ts";
import { forbidden, refusal } from "./refusal.ts";
import type { State } from "./state.ts";

/** The API product that LinkedIn has approved for an app. */
export type Product = "self_serve" | "community_management";

const callback = "https://app.example.com/connect/linkedin/callback";

/** The apps that exist from the start. */
export const sandboxApps: Readonly<Record<Product, LoginApp>> = {
  self_serve: { client_id: "share-app", client_secret: "share-secret", redirect_uris: [callback] },
  community_management: { client_id: "community-app", client_secret: "community-secret", redirect_uris: [callback] },
};

/**
 * Requesting a scope that the app does not have makes the whole sign-in fail.
 * https://learn.microsoft.com/en-us/linkedin/marketing/increasing-access (2026-08)
 */
export const allScopes: Readonly<Record<Product, readonly string[]>> = {
  self_serve: ["openid", "profile", "email", "w_member_social"],
  community_management: [
    ...["r_basicprofile", "w_member_social", "w_member_social_feed", "w_organization_social"],
    ...["w_organization_social_feed", "r_organization_social", "r_organization_social_feed", "rw_organization_admin"],
  ],
};

const daySeconds = 86_400;
/** https://learn.microsoft.com/en-us/linkedin/shared/authentication/programmatic-refresh-tokens (2026-08) */
const accessSeconds = 60 * daySeconds;
const refreshSeconds = 365 * daySeconds;

/** The caller of a request, and its permissions. */
export interface Caller {
  /** `urn:li:person:…` */
  member: string;
  product: Product;
  scopes: readonly string[];
  version: string;
}

export type Logins = ReturnType<typeof createLogins>;

export function createLogins({ members }: State, ports: SandboxPorts) {
  const apps: Record<Product, LoginApp[]> = {
    self_serve: [sandboxApps.self_serve],
    community_management: [sandboxApps.community_management],
  };
  const common = { pkce: "ignored", codeSeconds: 1_800, accessSeconds } as const;
  const pagesOf = (product: Product, refresh: "none" | "kept"): LoginPages =>
    createLoginPages({ ...common, refresh, apps: apps[product], scopes: allScopes[product] }, ports);
  const pages: Readonly<Record<Product, LoginPages>> = {
    self_serve: pagesOf("self_serve", "none"),
    // For an approved partner.
    community_management: pagesOf("community_management", "kept"),
  };
  /** When the user signed in, by refresh token, milliseconds. */
  const begun = new Map<string, number>();

  const productOf = (clientId: string): Product =>
    apps.community_management.some(({ client_id }) => client_id === clientId) ? "community_management" : "self_serve";

  function grantOf(token: string): { grant: Grant; product: Product } | null {
    for (const product of ["self_serve", "community_management"] as const) {
      const grant = pages[product].grantOf(token);
      if (grant !== null) return { grant, product };
    }
    return null;
  }

  /** A refresh token expires a year after the sign-in, however often it is used. */
  function withRefreshLife(answer: SandboxAnswer): SandboxAnswer {
    const json = answer.json as { refresh_token?: string };
    if (answer.status !== 200 || json.refresh_token === undefined) return answer;
    const since = begun.get(json.refresh_token) ?? ports.clock.now();
    begun.set(json.refresh_token, since);
    const left = Math.floor(refreshSeconds - (ports.clock.now() - since) / 1000);
    return { ...answer, json: { ...json, refresh_token_expires_in: left } };
  }

  function authorize(request: SandboxRequest): SandboxAnswer {
    const product = productOf(request.url.searchParams.get("client_id") ?? "");
    const people = members.map(({ urn, name }) => ({ account: urn, name }));
    return inOwnWords(pages[product].visit(request, people));
  }

  async function token(request: SandboxRequest): Promise<SandboxAnswer> {
    const form = await formBody(request);
    const product = productOf(String(form?.get("client_id") ?? ""));
    const used = begun.get(String(form?.get("refresh_token") ?? ""));
    if (used !== undefined && ports.clock.now() >= used + refreshSeconds * 1000) return oauthError("invalid_grant");
    return withRefreshLife(await pages[product].token(request));
  }

  async function revoke(request: SandboxRequest): Promise<SandboxAnswer> {
    const form = await formBody(request);
    const found = grantOf(String(form?.get("token") ?? ""));
    if (found === null || found.grant.client_id !== form?.get("client_id")) return oauthError("invalid_request");
    pages[found.product].revoke(found.grant.account);
    return { status: 200 };
  }

  return {
    routes: [
      route("authorize", "GET /oauth/v2/authorization", authorize),
      route("token", "POST /oauth/v2/accessToken", token),
      route("revoke", "POST /oauth/v2/revoke", revoke),
    ],

    /**
     * The caller of the request, by its token. @throws Refusal if the token is invalid, or has none of these scopes,
     * which `resource` accepts
     */
    callerOf(request: SandboxRequest, resource: string, ...scopes: readonly string[]): Caller {
      const bearer = bearerOf(request);
      const found = grantOf(bearer);
      if (found === null)
        throw bearer === ""
          ? refusal(401, "EMPTY_ACCESS_TOKEN", "Empty oauth2 access token")
          : refusal(401, "INVALID_ACCESS_TOKEN", "Invalid access token");
      const version = request.headers.get("linkedin-version") ?? "";
      const { account: member, scopes: granted } = found.grant;
      if (scopes.length > 0 && !scopes.some((scope) => granted.includes(scope))) throw forbidden(resource, version);
      return { member, product: found.product, scopes: granted, version };
    },

    issue(member: string, product: Product, scopes: readonly string[]): IssuedTokens {
      const { client_id } = sandboxApps[product];
      const tokens = pages[product].issue({ account: member, client_id, scopes });
      if (tokens.refresh_token !== null) begun.set(tokens.refresh_token, ports.clock.now());
      return tokens;
    },

    switches: {
      addApp: (app: LoginApp, product: Product = "self_serve") => void apps[product].push(app),
      expireTokens(): void {
        for (const each of Object.values(pages)) each.expireAccess();
      },
      revoke(member: string): void {
        for (const each of Object.values(pages)) each.revoke(member);
      },
    },
  };
}

const ownWords: Readonly<Record<string, string>> = {
  access_denied: "user_cancelled_authorize",
  invalid_scope: "unauthorized_scope_error",
};

/** https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow (2026-08) */
function inOwnWords(answer: SandboxAnswer): SandboxAnswer {
  const { location } = answer.headers ?? {};
  if (location === undefined) return answer;
  const target = new URL(location);
  const own = ownWords[target.searchParams.get("error") ?? ""];
  if (own !== undefined) target.searchParams.set("error", own);
  return { ...answer, headers: { ...answer.headers, location: target.href } };
}
