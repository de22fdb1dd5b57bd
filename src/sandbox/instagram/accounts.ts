import type { SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { graphRefusal } from "../parts/graph.ts";
import {
  createGraphTokens,
  type GraphHolding,
  longSeconds,
  type RenewedToken,
  tokenIn,
} from "../parts/graph-tokens.ts";

/** Which login a token came from. */
export type Login = "instagram" | "facebook";

export interface SandboxAccount {
  /** What stands in paths: 17 digits. */
  id: string;
  /** What this app alone calls it. */
  app_scoped_id: string;
  username: string;
  name: string;
  account_type: "BUSINESS" | "MEDIA_CREATOR" | "PERSONAL";
  /** The Facebook Page that it is linked to. */
  page: { id: string; name: string };
  status: "active" | "restricted";
  /** Posts within 24 hours. */
  quota_total: number;
}

export interface NewAccount {
  username: string;
  /** @default the username */
  name?: string;
  /** @default "BUSINESS" */
  account_type?: SandboxAccount["account_type"];
  /** Which login its token comes from. @default "instagram" */
  login?: Login;
  /** What its token may do. @default all */
  scopes?: readonly string[];
  /** https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/content_publishing_limit (2026-09) @default 100 */
  quota_total?: number;
}

/** Somebody at Facebook, with the accounts behind the Pages of their own, and of their business. */
export interface FacebookPerson {
  id: string;
  name: string;
  accounts: readonly SandboxAccount[];
  business: { id: string; owned: readonly SandboxAccount[]; clients: readonly SandboxAccount[] };
}

/** What a token is for. */
interface Holding extends GraphHolding {
  /** `user`: of a person, who reaches several Pages. */
  kind: "instagram" | "page" | "user";
  /** Those that it reaches. */
  accounts: readonly SandboxAccount[];
  scopes: readonly string[];
  /** Whose it is, of a person's. */
  person?: FacebookPerson | undefined;
}

export interface Caller {
  token: Holding;
  login: Login;
}

/** https://developers.facebook.com/docs/instagram-platform/overview (2026-09) */
export const allScopes: Readonly<Record<Login, readonly string[]>> = {
  instagram: [
    "instagram_business_basic",
    "instagram_business_content_publish",
    "instagram_business_manage_comments",
    "instagram_business_manage_messages",
  ],
  facebook: [
    "instagram_basic",
    "instagram_content_publish",
    "instagram_manage_comments",
    "pages_show_list",
    "pages_read_engagement",
    "business_management",
    "instagram_shopping_tag_products",
    "catalog_management",
  ],
};

export interface Accounts {
  add(given: NewAccount): { account: SandboxAccount; token: string };
  /** The account of this id. */
  named(id: string): SandboxAccount;
  all(): readonly SandboxAccount[];
  issue(given: Holding & { seconds: number | null }): string;
  /** Whose token the request carries. @throws Refusal */
  authenticate(request: SandboxRequest): Caller;
  /** A token for one that is a day old. @throws Refusal */
  renew(text: string): RenewedToken & { permissions: string };
  /** The token of this text, if it lives. @throws Refusal */
  tokenOf(text: string, login: Login): Holding & { ends_at: number | null };
  setRevoked(text: string, revoked: boolean): void;
  /** As `GraphTokens.wasReused`, of an account that logged in at Instagram. */
  wasReused(id: string): boolean;
}

export function createAccounts(ports: SandboxPorts, nextId: () => string): Accounts {
  const accounts: SandboxAccount[] = [];
  const tokens = createGraphTokens<Holding>(ports);

  const issue: Accounts["issue"] = ({ seconds, ...holding }) =>
    tokens.issue(holding, { start: holding.kind === "instagram" ? "IGAA" : "EAAB", seconds });

  const tokenOf: Accounts["tokenOf"] = (text, login) => ({
    ...tokens.find(text, ({ kind }) => (kind === "instagram") === (login === "instagram")),
    ends_at: tokens.endOf(text),
  });

  return {
    issue,
    tokenOf,
    add({ username, name = username, account_type = "BUSINESS", login = "instagram", quota_total = 100, scopes }) {
      const page = { id: nextId(), name: `${name}'s Page` };
      const account: SandboxAccount = {
        ...{ id: nextId(), app_scoped_id: nextId(), username, name, account_type, page, quota_total },
        status: "active",
      };
      accounts.push(account);
      const isOwn = login === "instagram";
      const token = issue({
        kind: isOwn ? "instagram" : "page",
        accounts: [account],
        scopes: scopes ?? allScopes[login],
        seconds: isOwn ? longSeconds : null,
      });
      return { account, token };
    },
    named(id) {
      const account = accounts.find((each) => each.id === id);
      if (account === undefined) throw new Error(`The sandbox has no account ${id}.`);
      return account;
    },
    all: () => accounts,
    authenticate({ url, headers }) {
      const login: Login = url.hostname === "graph.instagram.com" ? "instagram" : "facebook";
      return { token: tokenOf(tokenIn({ url, headers }), login), login };
    },
    renew(text) {
      const { scopes } = tokenOf(text, "instagram");
      return { ...tokens.renew(text, { start: "IGAA" }), permissions: scopes.join(",") };
    },
    setRevoked: tokens.setRevoked,
    wasReused: (id) =>
      tokens.wasReused(({ kind, accounts: reached }) => kind === "instagram" && reached.some((each) => each.id === id)),
  };
}

/** @throws Refusal when the token does not allow what this scope is for */
export function demandScope({ token, login }: Caller, purpose: "basic" | "publish" | "comments"): void {
  const names = {
    instagram: {
      basic: "instagram_business_basic",
      publish: "instagram_business_content_publish",
      comments: "instagram_business_manage_comments",
    },
    facebook: {
      basic: "instagram_basic",
      publish: "instagram_content_publish",
      comments: "instagram_manage_comments",
    },
  } as const;
  const name = names[login][purpose];
  if (!token.scopes.includes(name)) throw graphRefusal(10, `(#10) Requires ${name} permission`, { status: 403 });
}
