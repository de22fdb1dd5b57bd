import type { Clock } from "../../ports/clock.ts";
import type { SandboxAnswer, SandboxRequest } from "../exchange.ts";
import { formBody } from "../exchange.ts";
import { createLoginTokens, type Grant, type LoginTokens, oauthError, type TokenRules } from "./login-tokens.ts";

/** An app that is registered with the network. */
export interface LoginApp {
  /** Its id. */
  client_id: string;
  /** Empty: a public client, which has no secret. */
  client_secret: string;
  /** Compared character by character. https://www.rfc-editor.org/rfc/rfc6749#section-3.1.2.3 (2026-11) */
  redirect_uris: readonly string[];
}

export interface LoginRules extends TokenRules {
  apps: readonly LoginApp[];
  /** The scopes that an app may request; others are `invalid_scope`. */
  scopes: readonly string[];
  /** The separator between scopes. @default " " */
  separator?: string;
  /** `required`: without a challenge the browser gets no code · `ignored`: the network does not support PKCE */
  pkce: "required" | "ignored";
}

/** The person's decision on the page. */
export type Decision = { account: string; unticked?: readonly string[] } | "deny";

/** A person who can sign in, or something that can be chosen. */
export interface Person {
  account: string;
  name: string;
}

/** The pages of a sign-in with OAuth 2.0, and its tokens. */
export interface LoginPages extends Omit<LoginTokens, "newCode" | "exchange" | "refresh"> {
  /** Handles the URL to which the app sends a person. Returns the redirect for the browser, or an error page. */
  authorize(request: Pick<SandboxRequest, "url">, decision: Decision): SandboxAnswer;
  /** The page for a browser at that URL: a link for each decision that the person may make. Then follows the link. */
  visit(request: Pick<SandboxRequest, "url">, people: readonly Person[]): SandboxAnswer;
  /** Exchanges the code, or a refresh token, for tokens. */
  token(request: SandboxRequest): Promise<SandboxAnswer>;
}

export function createLoginPages(
  rules: LoginRules,
  ports: { clock: Pick<Clock, "now">; random: () => number },
): LoginPages {
  const tokens = createLoginTokens(rules, ports);

  function authorize({ url }: Pick<SandboxRequest, "url">, decision: Decision): SandboxAnswer {
    const query = url.searchParams;
    const app = rules.apps.find(({ client_id }) => client_id === query.get("client_id"));
    const redirectUri = query.get("redirect_uri") ?? "";
    // The browser is never redirected to a URL that is not the app's.
    // https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1 (2026-11)
    if (app === undefined) return errorPage("This app is unknown.");
    if (!app.redirect_uris.includes(redirectUri)) return errorPage("The redirect_uri is not one of this app's.");
    const back = (answer: Record<string, string>): SandboxAnswer => {
      const state = query.get("state");
      return sendBack(redirectUri, state === null ? answer : { ...answer, state });
    };
    const error = errorIn(query);
    if (error !== null) return back({ error });
    if (decision === "deny") return back({ error: "access_denied" });
    const unticked = decision.unticked ?? [];
    const grant: Grant = {
      account: decision.account,
      client_id: app.client_id,
      scopes: scopesIn(query).filter((scope) => !unticked.includes(scope)),
    };
    return back({ code: tokens.newCode({ grant, redirectUri, challenge: query.get("code_challenge") }) });
  }

  function errorIn(query: URLSearchParams): string | null {
    if (query.get("response_type") !== "code") return "unsupported_response_type";
    const scopes = scopesIn(query);
    if (scopes.length === 0 || scopes.some((scope) => !rules.scopes.includes(scope))) return "invalid_scope";
    if (rules.pkce === "ignored") return null;
    const challenge = query.get("code_challenge") ?? "";
    // SHA-256 in base64url. https://www.rfc-editor.org/rfc/rfc7636#section-4.2 (2026-11)
    const isChallenge = query.get("code_challenge_method") === "S256" && /^[\w-]{43}$/.test(challenge);
    return isChallenge ? null : "invalid_request";
  }

  function scopesIn(query: URLSearchParams): string[] {
    return (query.get("scope") ?? "").split(rules.separator ?? " ").filter((scope) => scope !== "");
  }

  async function token(request: SandboxRequest): Promise<SandboxAnswer> {
    const form = request.method === "POST" ? await formBody(request) : undefined;
    if (form === undefined) return oauthError("invalid_request");
    const field = (name: string): string => {
      const value = form.get(name);
      return typeof value === "string" ? value : "";
    };
    const { client_id, client_secret } = clientOf(request.headers, field);
    const app = rules.apps.find((each) => each.client_id === client_id && each.client_secret === client_secret);
    if (app === undefined) return oauthError("invalid_client", 401);
    switch (field("grant_type")) {
      case "authorization_code":
        return tokens.exchange(app.client_id, {
          code: field("code"),
          redirectUri: field("redirect_uri"),
          verifier: rules.pkce === "ignored" ? null : field("code_verifier"),
        });
      case "refresh_token":
        return tokens.refresh(app.client_id, field("refresh_token"));
      default:
        return oauthError("unsupported_grant_type");
    }
  }

  function visit({ url }: Pick<SandboxRequest, "url">, people: readonly Person[]): SandboxAnswer {
    const decision = decisionIn(url);
    return decision === null
      ? pageOf(url, { people, scopes: scopesIn(url.searchParams) })
      : authorize({ url }, decision);
  }

  const { issue, end, expireAccess, wasReused, grantOf, revoke } = tokens;
  return { authorize, visit, token, issue, end, expireAccess, wasReused, grantOf, revoke };
}

/** The parameter that a link of the page adds to the page's URL. */
const decisionParameter = "sandbox_decision";

/** The decision in a link's URL; null: the URL is the page itself. */
export function decisionIn(url: URL): Decision | null {
  const text = url.searchParams.get(decisionParameter);
  return text === null ? null : (JSON.parse(text) as Decision);
}

/** A page with a link for each decision that a person may make. */
export function pageOf(
  url: URL,
  { people, scopes }: { people: readonly Person[]; scopes: readonly string[] },
): SandboxAnswer {
  const link = (decision: Decision, label: string): string => {
    const target = new URL(url);
    target.searchParams.set(decisionParameter, JSON.stringify(decision));
    return `<li><a href="${escaped(target.href)}">${escaped(label)}</a></li>`;
  };
  const links = people.flatMap(({ account, name }) => [
    link({ account }, `Allow as ${name}`),
    ...scopes.map((scope) => link({ account, unticked: [scope] }, `Allow as ${name}, but not ${scope}`)),
  ]);
  const text = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>Log in</title><h1>${escaped(url.hostname)} (simulated)</h1><p>An app asks for ${escaped(scopes.join(", "))}.</p><ul>${links.join("")}${link("deny", "Refuse")}</ul>`;
  return { status: 200, headers: { "content-type": "text/html; charset=utf-8" }, text };
}

function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (character) => names[character] ?? character);
}

/** The client, from the header or the form. https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1 (2026-11) */
function clientOf(headers: Headers, field: (name: string) => string): { client_id: string; client_secret: string } {
  const [, basic] = /^Basic (.+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  if (basic === undefined) return { client_id: field("client_id"), client_secret: field("client_secret") };
  const [id = "", ...secret] = atob(basic).split(":");
  return { client_id: decodeURIComponent(id), client_secret: decodeURIComponent(secret.join(":")) };
}

export function sendBack(redirectUri: string, answer: Record<string, string>): SandboxAnswer {
  const location = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) location.searchParams.set(name, value);
  return { status: 302, headers: { location: location.href } };
}

export function errorPage(text: string): SandboxAnswer {
  return { status: 400, headers: { "content-type": "text/html" }, text: `<p>${text}</p>` };
}
