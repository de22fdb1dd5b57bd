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

/** Browser logins, and what can be done with what they brought. */
export interface Logins extends Required<Pick<Connector, "sign" | "onResponse" | "refresh" | "revoke">> {
  /** How one is made, for an app. */
  browser(app: BlueskyApp): Required<Omit<BrowserLogin, "input" | "errors" | "server">>;
  /** @param secrets what one has brought */
  login(context: LoginContext, secrets: unknown): ReturnType<Connector["login"]>;
}

/** What logins are made with. */
export interface LoginSettings {
  /** Where accounts log in; an address other than the default is asked directly, without looking further. */
  service: string;
  /** Undefined: accounts are connected by app passwords alone. */
  app: BlueskyApp | undefined;
  /** What a browser login asks for. */
  purposes: readonly Purpose[];
  /** How oauth4webapi is loaded; replaced in tests only. */
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
      const message = "login_secrets: this is not the result of a browser login.";
      throw new PublishingError("invalid_request", message);
    },
    sign: (request, signing) => signWithGrant(request, signing, prover),
    onResponse: prover.onResponse,
    refresh: (context) => refreshGrant(context, tools),
    revoke: (context) => revokeGrant(context, tools),
  };
}
