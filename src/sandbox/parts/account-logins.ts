import { bearerOf, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createLoginPages, type LoginApp, type LoginPages, type LoginRules, type Person } from "./login-pages.ts";
import type { Grant, IssuedTokens } from "./login-tokens.ts";

/** Whose token a request carries, and what it allows which app. */
export interface Holder<Account> extends Pick<Grant, "client_id" | "scopes"> {
  account: Account;
}

/** The logins of a network: its apps, and its accounts, among which somebody chooses on the page. */
export interface AccountLogins<Account> extends Omit<LoginPages, "issue" | "visit"> {
  apps: LoginApp[];
  /** The page for the browser. */
  visit(request: Pick<SandboxRequest, "url">): SandboxAnswer;
  /** Tokens past the page. @param clientId of which app. @default the one that is there from the start */
  issue(account: string, scopes: readonly string[], clientId?: string): IssuedTokens;
  /** @throws what the network refuses a token with that does not live */
  holderOf(request: Pick<SandboxRequest, "headers">): Holder<Account>;
  /** Whose token it is, which allows all of this. @throws what the network refuses with where it does not */
  accountFor(request: Pick<SandboxRequest, "headers">, ...scopes: readonly string[]): Account;
  /** What tests may do: register an app; take back what an account's apps were allowed; let all access tokens run out. */
  switches: {
    addApp(app: LoginApp): void;
    revoke(account: string): void;
    expireTokens(): void;
  };
}

export interface AccountLoginRules<Account> extends Omit<LoginRules, "apps"> {
  /** Registered from the start. */
  app: LoginApp;
  /** Everybody who can log in. */
  accounts: readonly Account[];
  /** Under which id tokens stand for an account, and how the page calls it. */
  person(account: Account): Person;
  /** How the network refuses a token that does not live, or lacks a scope. */
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
