import { PublishingError } from "../../wire/errors.ts";
import type { Connector } from "../contract/adapter.ts";
import type { BrowserLogin } from "../contract/browser-login.ts";
import type { LoginContext } from "../contract/request.ts";
import type { Purpose } from "../shared/scopes.ts";
import type { BlueskyApp } from "./app.ts";
import { browserLogin } from "./browser.ts";
import { grantSchema, loginWithGrant, refreshGrant, revokeGrant, signWithGrant } from "./grant.ts";
import type { OAuthLibrary } from "./oauth-library.ts";
import { createProver } from "./prover.ts";

/** Browser sign-ins, and the use of their tokens. */
export interface Logins extends Required<Pick<Connector, "sign" | "onResponse" | "refresh" | "revoke">> {
  /** The browser sign-in for an app. */
  browser(app: BlueskyApp): Required<Omit<BrowserLogin, "input" | "errors" | "server">>;
  /** @param secrets the result of a browser sign-in */
  login(context: LoginContext, secrets: unknown): ReturnType<Connector["login"]>;
}

/** The settings for connecting accounts. */
export interface LoginSettings {
  /** The URL of the accounts' server. Other than the default, it is used directly, without a look-up. */
  service: string;
  /** Undefined: accounts are connected only with app passwords. */
  app: BlueskyApp | undefined;
  /** The purposes for which a browser sign-in requests scopes. */
  purposes: readonly Purpose[];
  /** Loads oauth4webapi; replaced only in tests. */
  loadLibrary?: (() => Promise<OAuthLibrary>) | undefined;
}

export function createLogins({ service, app, purposes, loadLibrary }: LoginSettings): Logins {
  const prover = createProver();
  const tools = { app, service, prover, loadLibrary };
  return {
    browser: (own) => browserLogin(own, { purposes, tools }),
    async login(context, secrets) {
      const grant = grantSchema.safeParse(secrets);
      if (grant.success) return loginWithGrant(context, grant.data, tools);
      const message = "login_secrets: this is not the result of a browser sign-in.";
      throw new PublishingError("invalid_request", message);
    },
    sign: (request, signing) => signWithGrant(request, signing, prover),
    onResponse: prover.onResponse,
    refresh: (context) => refreshGrant(context, tools),
    revoke: (context) => revokeGrant(context, tools),
  };
}
