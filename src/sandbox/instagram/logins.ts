import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createFacebookLogin, dataMs } from "../parts/facebook-login.ts";
import { graphRefusal, withTail } from "../parts/graph.ts";
import { longSeconds } from "../parts/graph-tokens.ts";
import { createLoginPages, type LoginApp } from "../parts/login-pages.ts";
import { type Accounts, allScopes, type Caller, type FacebookPerson, type SandboxAccount } from "./accounts.ts";

const callback = "https://app.example.com/connect/instagram/callback";

/** The apps that exist from the start: an app has a different id for each login. */
export const sandboxApps: Readonly<Record<"instagram" | "facebook", LoginApp>> = {
  instagram: { client_id: "990602627938098", client_secret: "instagram-app-secret", redirect_uris: [callback] },
  facebook: { client_id: "1130245678901234", client_secret: "meta-app-secret", redirect_uris: [callback] },
};

/**
 * Codes are valid for an hour and for one use.
 * https://developers.facebook.com/documentation/instagram-platform/instagram-api-with-instagram-login/business-login
 * (2026-03)
 */
const rules = { separator: ",", pkce: "ignored", codeSeconds: 3_600, accessSeconds: 3_600, refresh: "none" } as const;

export type Logins = ReturnType<typeof createLogins>;

export function createLogins(ports: SandboxPorts, accounts: Accounts) {
  const people: FacebookPerson[] = [];
  const redirect_uris = [callback];
  const apps = [{ ...sandboxApps.instagram, redirect_uris }];
  const instagram = createLoginPages({ ...rules, apps, scopes: allScopes.instagram }, ports);
  const facebook = createFacebookLogin(
    {
      app: { ...sandboxApps.facebook, redirect_uris },
      scopes: allScopes.facebook,
      people: () => people.map(({ id, name }) => ({ account: id, name })),
      issue({ account, scopes }) {
        const person = people.find(({ id }) => id === account);
        if (person === undefined) return null;
        const reached = [...person.accounts, ...person.business.owned, ...person.business.clients];
        const data_ends_at = ports.clock.now() + dataMs;
        return accounts.issue({ kind: "user", accounts: reached, scopes, person, data_ends_at, seconds: longSeconds });
      },
    },
    ports,
  );

  function personOf({ token }: Caller): FacebookPerson {
    if (token.person === undefined) throw graphRefusal(100, "(#100) Tried accessing nonexisting field (accounts)");
    return token.person;
  }

  /** Its tokens are wrapped, and its errors have their own format. */
  async function shortToken(request: SandboxRequest): Promise<SandboxAnswer> {
    const { status, json } = await instagram.token(request);
    if (status === 200) {
      const { access_token } = json as { access_token: string };
      const grant = instagram.grantOf(access_token);
      const permissions = grant?.scopes.join(",") ?? "";
      return { status, json: { data: [{ access_token, user_id: grant?.account, permissions }] } };
    }
    const isApp = (json as { error?: string }).error === "invalid_client";
    const error_message = isApp ? "Invalid platform app" : "This authorization code has expired or been used";
    return { status: 400, json: { error_type: "OAuthException", code: 400, error_message } };
  }

  function longToken(url: URL): SandboxAnswer {
    const grant = instagram.grantOf(url.searchParams.get("access_token") ?? "");
    if (url.searchParams.get("client_secret") !== sandboxApps.instagram.client_secret)
      throw graphRefusal(101, "Error validating client secret");
    if (url.searchParams.get("grant_type") !== "ig_exchange_token" || grant === null)
      throw graphRefusal(190, "Invalid OAuth access token", { status: 401 });
    const reached = [accounts.named(grant.account)];
    const access_token = accounts.issue({
      kind: "instagram",
      accounts: reached,
      scopes: grant.scopes,
      seconds: longSeconds,
    });
    return ok({ access_token, token_type: "bearer", expires_in: longSeconds });
  }

  const routes: Readonly<Record<string, (request: SandboxRequest) => SandboxAnswer | Promise<SandboxAnswer>>> = {
    "www.instagram.com/oauth/authorize": (request) =>
      withTail(
        instagram.visit(
          request,
          accounts.all.map(({ id, name }) => ({ account: id, name })),
        ),
      ),
    "www.facebook.com/dialog/oauth": facebook.page,
    "api.instagram.com/oauth/access_token": shortToken,
    "graph.instagram.com/access_token": ({ url }) => longToken(url),
    "graph.facebook.com/oauth/access_token": facebook.token,
    "graph.facebook.com/debug_token": (request) =>
      facebook.inspect(request, (text) => accounts.tokenOf(text, "facebook")),
  };

  return {
    /** Null: the request does not belong to a sign-in. */
    answer(request: SandboxRequest): Promise<SandboxAnswer> | SandboxAnswer | null {
      const { hostname, pathname } = request.url;
      return routes[`${hostname}${pathname.replace(/^\/v\d+\.\d+/, "")}`]?.(request) ?? null;
    },
    addPerson: (person: FacebookPerson) => void people.push(person),
    /** Adds a URL to which browsers may return, from either login. */
    addCallback: (address: string) => void redirect_uris.push(address),
    /** The Pages of a person's token. @throws Refusal */
    pages(caller: Caller, which: "accounts" | "owned_pages" | "client_pages"): SandboxAnswer {
      const person = personOf(caller);
      const { owned, clients } = person.business;
      const reached = { accounts: person.accounts, owned_pages: owned, client_pages: clients }[which];
      const data = reached.map((account) => pageEntity(account, caller, accounts));
      return ok({ data });
    },
    permissions(caller: Caller): SandboxAnswer {
      personOf(caller);
      return facebook.permissions(caller.token.scopes);
    },
    businesses(caller: Caller): SandboxAnswer {
      const { business } = personOf(caller);
      return ok({ data: [{ id: business.id, name: "A business" }] });
    },
  };
}

function pageEntity(account: SandboxAccount, { token }: Caller, accounts: Accounts): Record<string, unknown> {
  const { id, username, name, page } = account;
  const { scopes, data_ends_at = null } = token;
  const access_token = accounts.issue({ kind: "page", accounts: [account], scopes, data_ends_at, seconds: null });
  return { ...page, access_token, instagram_business_account: { id, username, name } };
}
