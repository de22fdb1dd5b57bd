import { bearerOf, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createLoginPages, type LoginApp, type LoginPages, type LoginRules, type Person } from "./login-pages.ts";
import type { Grant, IssuedTokens } from "./login-tokens.ts";

/** The account that a request's token belongs to, and what the token allows which app. */
export interface Holder<Account> extends Pick<Grant, "client_id" | "scopes"> {
  account: Account;
}

/** The sign-ins of a network: its apps, and the accounts that its page offers. */
export interface AccountLogins<Account> extends Omit<LoginPages, "issue" | "visit"> {
  apps: LoginApp[];
  /** The page for the browser. */
  visit(request: Pick<SandboxRequest, "url">): SandboxAnswer;
  /** Issues tokens without the page. @param clientId the app. @default the app that exists from the start */
  issue(account: string, scopes: readonly string[], clientId?: string): IssuedTokens;
  /** @throws the network's rejection of an invalid token */
  holderOf(request: Pick<SandboxRequest, "headers">): Holder<Account>;
  /**
   * The account that the token belongs to, if the token has all these scopes. @throws the network's rejection otherwise
   */
  accountFor(request: Pick<SandboxRequest, "headers">, ...scopes: readonly string[]): Account;
  /** What tests may do: register an app; revoke what an account allowed its apps; expire all access tokens. */
  switches: {
    addApp(app: LoginApp): void;
    revoke(account: string): void;
    expireTokens(): void;
  };
}

export interface AccountLoginRules<Account> extends Omit<LoginRules, "apps"> {
  /** The app that is registered from the start. */
  app: LoginApp;
  /** All accounts that can sign in. */
  accounts: readonly Account[];
  /** The id that tokens have for an account, and the account's name on the page. */
  person(account: Account): Person;
  /** The network's rejection of an invalid token, or of one that lacks a scope. */
  refused(what: "token" | "scope"): Error;
}

export function createAccountLogins<Account>(
  { app, accounts, person, refused, ...rules }: AccountLoginRules<Account>,
  ports: SandboxPorts,
): AccountLogins<Account> {
  const apps = [app];
  const { issue, visit, ...pages } = createLoginPages({ ...rules, apps }, ports);

  function holderOf(request: Pick<SandboxRequest, "headers">): Holder<Account> {
    const grant = pages.grantOf(bearerOf(request));
    const account = accounts.find((each) => person(each).account === grant?.account);
    if (grant === null || account === undefined) throw refused("token");
    return { ...grant, account };
  }

  return {
    ...pages,
    apps,
    visit: (request) => visit(request, accounts.map(person)),
    issue: (account, scopes, client_id = app.client_id) => issue({ account, client_id, scopes }),
    holderOf,
    accountFor(request, ...wanted) {
      const { account, scopes } = holderOf(request);
      if (wanted.some((scope) => !scopes.includes(scope))) throw refused("scope");
      return account;
    },
    switches: {
      addApp: (given) => void apps.push(given),
      revoke: pages.revoke,
      expireTokens: pages.expireAccess,
    },
  };
}
