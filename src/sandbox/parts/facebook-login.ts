import type { SandboxAnswer, SandboxRequest } from "../exchange.ts";
import { formBody } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { graphRefusal } from "./graph.ts";
import { type GraphHolding, longSeconds, tokenIn } from "./graph-tokens.ts";
import { createLoginPages, type LoginApp, type Person } from "./login-pages.ts";
import type { Grant } from "./login-tokens.ts";

/**
 * Codes are valid for an hour and for one use; their tokens for an hour.
 * https://developers.facebook.com/docs/facebook-login/guides/access-tokens/get-long-lived (2026-09)
 */
const rules = { separator: ",", pkce: "ignored", codeSeconds: 3_600, accessSeconds: 3_600, refresh: "none" } as const;

/**
 * How long after a sign-in the app may read the person's data.
 * https://developers.facebook.com/docs/facebook-login/auth-vs-data (2026-11)
 */
export const dataMs = 90 * 86_400_000;

/** A token as the app sees it. */
type Inspected = GraphHolding & { scopes: readonly string[]; ends_at: number | null };

/** Facebook Login, for networks whose accounts belong to Pages. */
export interface FacebookLogin {
  /** The page at `www.facebook.com/{version}/dialog/oauth`. */
  page(request: Pick<SandboxRequest, "url">): SandboxAnswer;
  /** Exchanges a code for a short-lived token, and that for a long-lived one. @throws Refusal */
  token(request: SandboxRequest): Promise<SandboxAnswer>;
  /**
   * Shows the app one of its own tokens.
   *
   * @param tokenOf returns the token of this text @throws Refusal
   */
  inspect(request: SandboxRequest, tokenOf: (text: string) => Inspected): SandboxAnswer;
  /** The rows that a user with these permissions sees. */
  permissions(granted: readonly string[]): SandboxAnswer;
}

export function createFacebookLogin(
  {
    app,
    scopes,
    people,
    issue,
  }: {
    app: LoginApp;
    scopes: readonly string[];
    people(): readonly Person[];
    /** Issues a long-lived token; null: there is no such person. */
    issue(grant: Grant): string | null;
  },
  ports: SandboxPorts,
): FacebookLogin {
  const pages = createLoginPages({ ...rules, apps: [app], scopes }, ports);

  function exchanged(form: FormData): SandboxAnswer {
    const grant = pages.grantOf(String(form.get("fb_exchange_token")));
    if (form.get("client_secret") !== app.client_secret) throw graphRefusal(101, "Error validating client secret");
    const access_token = grant === null ? null : issue(grant);
    if (access_token === null) throw graphRefusal(190, "Invalid OAuth access token", { status: 401 });
    return { status: 200, json: { access_token, token_type: "bearer", expires_in: longSeconds } };
  }

  return {
    page: (request) => pages.visit(request, people()),
    async token(request) {
      const form = await formBody(request);
      if (form?.get("grant_type") === "fb_exchange_token") return exchanged(form);
      const { status, json } = await pages.token(request);
      if (status === 200) return { status, json };
      const isApp = (json as { error?: string }).error === "invalid_client";
      throw graphRefusal(
        isApp ? 101 : 100,
        isApp ? "Error validating application" : "This authorization code has been used",
      );
    },
    inspect({ url, headers }, tokenOf) {
      if (tokenIn({ url, headers }) !== `${app.client_id}|${app.client_secret}`)
        throw graphRefusal(100, "(#100) You must provide an app access token, or a user access token of a developer");
      const token = tokenOf(url.searchParams.get("input_token") ?? "");
      const seconds = (ms: number | null | undefined): number => Math.floor((ms ?? 0) / 1000);
      const ends = { expires_at: seconds(token.ends_at), data_access_expires_at: seconds(token.data_ends_at) };
      return { status: 200, json: { data: { app_id: app.client_id, is_valid: true, ...ends, scopes: token.scopes } } };
    },
    permissions(granted) {
      const data = scopes.map((permission) => ({
        permission,
        status: granted.includes(permission) ? "granted" : "declined",
      }));
      return { status: 200, json: { data } };
    },
  };
}
