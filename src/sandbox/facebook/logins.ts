import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createFacebookLogin, dataMs } from "../parts/facebook-login.ts";
import { graphPage, graphRefusal } from "../parts/graph.ts";
import { longSeconds } from "../parts/graph-tokens.ts";
import type { LoginApp } from "../parts/login-pages.ts";
import { allScopes, type Pages, type Person, type SandboxPage, type Token } from "./pages.ts";

/** An app that exists from the start. */
export const sandboxApp: LoginApp = {
  client_id: "2204567890123456",
  client_secret: "facebook-app-secret",
  redirect_uris: ["https://app.example.com/connect/facebook/callback"],
};

export interface Logins {
  /** Null: the request does not belong to a sign-in. */
  answer(request: SandboxRequest): Promise<SandboxAnswer> | SandboxAnswer | null;
  /** True: the request is by an app of this network. */
  knows(request: SandboxRequest): boolean;
  addPerson(person: Person): void;
  /** Adds a URL to which browsers may return. */
  addCallback(address: string): void;
  /** Responds to a request about a person; null: it is a different request. @throws Refusal */
  ofPerson(route: string, token: Token, url: URL): SandboxAnswer | null;
}

export function createLogins(ports: SandboxPorts, pages: Pages): Logins {
  const people: Person[] = [];
  const callbacks = [...sandboxApp.redirect_uris];
  const login = createFacebookLogin(
    {
      app: { ...sandboxApp, redirect_uris: callbacks },
      scopes: allScopes,
      people: () => people.map(({ id, name }) => ({ account: id, name })),
      issue({ account, scopes }) {
        const person = people.find(({ id }) => id === account) ?? null;
        if (person === null) return null;
        return pages.issue({ page: null, person, scopes, data_ends_at: ports.clock.now() + dataMs }, longSeconds);
      },
    },
    ports,
  );

  function list(
    shown: readonly SandboxPage[],
    { scopes, data_ends_at = null }: Token,
    { tasks }: Person,
    url: URL,
  ): SandboxAnswer {
    const data = shown.map((page) => ({
      ...pageJson(page),
      access_token: pages.issue({ page, person: null, scopes, data_ends_at }),
      tasks,
    }));
    return ok(graphPage(data, url));
  }

  return {
    answer(request) {
      const { hostname, pathname } = request.url;
      const path = pathname.replace(/^\/v\d+\.\d+/, "");
      if (hostname === "www.facebook.com" && path === "/dialog/oauth") return login.page(request);
      if (hostname === "graph.facebook.com" && path === "/debug_token") return login.inspect(request, pages.tokenOf);
      return hostname === "graph.facebook.com" && path === "/oauth/access_token" ? login.token(request) : null;
    },
    knows({ url, bytes }) {
      const form = new URLSearchParams(new TextDecoder().decode(bytes.subarray(0, 4_000)));
      return [url.searchParams, form].some((given) => given.get("client_id") === sandboxApp.client_id);
    },
    addPerson: (person) => void people.push(person),
    addCallback: (address) => void callbacks.push(address),
    ofPerson(route, token, url) {
      const { person } = token;
      if (person === null) {
        const isOfPeople = ["GET /me/accounts", "GET /me/permissions", "GET /me/businesses"].includes(route);
        if (isOfPeople)
          throw graphRefusal(100, "(#100) Tried accessing nonexisting field (accounts) on node type (Page)");
        return null;
      }
      const { owned, clients } = person.business;
      switch (route) {
        case "GET /me":
          return ok({ id: person.id, name: person.name });
        case "GET /me/permissions":
          return login.permissions(token.scopes);
        case "GET /me/accounts":
          return list(person.pages, token, person, url);
        case "GET /me/businesses":
          return ok({ data: [{ id: person.business.id }] });
        case "GET /:id/owned_pages":
          return list(owned, token, person, url);
        case "GET /:id/client_pages":
          return list(clients, token, person, url);
        default:
          throw graphRefusal(200, "(#200) This needs a Page's access token", { status: 403 });
      }
    },
  };
}

export function pageJson({ id, name, username, instagram }: SandboxPage): Record<string, unknown> {
  const link = `https://www.facebook.com/${username ?? id}`;
  const picture = { data: { url: `https://scontent.xx.fbcdn.net/${id}.jpg` } };
  const account = instagram === undefined ? {} : { instagram_business_account: { id: instagram } };
  return { id, name, ...(username === null ? {} : { username }), link, picture, ...account };
}
