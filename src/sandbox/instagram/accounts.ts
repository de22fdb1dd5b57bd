import type { SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { longTokenSeconds } from "../parts/facebook-login.ts";
import { graphRefusal } from "../parts/graph.ts";
import { randomText } from "../parts/random-text.ts";

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

interface Token {
  text: string;
  /** `user`: of a person, who reaches several Pages. */
  kind: "instagram" | "page" | "user";
  /** Those that it reaches. */
  accounts: readonly SandboxAccount[];
  scopes: readonly string[];
  /** Whose it is, of a person's. */
  person?: FacebookPerson | undefined;
  issued_at: number;
  /** Null: never. */
  ends_at: number | null;
  revoked: boolean;
}

export interface Caller {
  token: Token;
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
  ],
};

/** 60 days. https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login (2026-03) */
export const longSeconds = longTokenSeconds;
/** A token can be renewed a day after it was issued. Same source. */
const youngestMs = 24 * 3_600_000;

const tokenLength = 60;

export interface Accounts {
  add(given: NewAccount): { account: SandboxAccount; token: string };
  /** The account of this id. */
  named(id: string): SandboxAccount;
  all(): readonly SandboxAccount[];
  issue(given: Pick<Token, "kind" | "accounts" | "scopes" | "person"> & { seconds: number | null }): string;
  /** Whose token the request carries. @throws Refusal */
  authenticate(request: SandboxRequest): Caller;
  /** A token for one that is a day old. @throws Refusal */
  renew(text: string): { access_token: string; token_type: "bearer"; expires_in: number; permissions: string };
  /** The token of this text, if it lives. @throws Refusal */
  tokenOf(text: string, login: Login): Token;
  setRevoked(text: string, revoked: boolean): void;
}

export function createAccounts(ports: SandboxPorts, nextId: () => string): Accounts {
  const accounts: SandboxAccount[] = [];
  const tokens = new Map<string, Token>();

  const issue: Accounts["issue"] = ({ seconds, ...given }) => {
    const text = (given.kind === "instagram" ? "IGAA" : "EAAB") + randomText(ports, tokenLength);
    const issued_at = ports.clock.now();
    const ends_at = seconds === null ? null : issued_at + seconds * 1000;
    tokens.set(text, { ...given, text, issued_at, ends_at, revoked: false });
    return text;
  };

  const tokenOf: Accounts["tokenOf"] = (text, login) => {
    const token = tokens.get(text);
    const isOfLogin = token !== undefined && (token.kind === "instagram") === (login === "instagram");
    if (!isOfLogin) throw graphRefusal(190, "Invalid OAuth access token - Cannot parse access token", { status: 401 });
    if (token.revoked)
      throw graphRefusal("190/460", "Error validating access token: The session has been invalidated", { status: 401 });
    if (token.ends_at !== null && ports.clock.now() >= token.ends_at)
      throw graphRefusal("190/463", "Error validating access token: Session has expired", { status: 401 });
    return token;
  };

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
      const header = /^Bearer (.+)$/.exec(headers.get("authorization") ?? "")?.[1];
      const text = header ?? url.searchParams.get("access_token") ?? "";
      return { token: tokenOf(text, login), login };
    },
    renew(text) {
      const token = tokenOf(text, "instagram");
      if (ports.clock.now() < token.issued_at + youngestMs)
        throw graphRefusal(100, "The token must be at least 24 hours old to be refreshed");
      const { kind, accounts: reached, scopes } = token;
      tokens.delete(text);
      return {
        access_token: issue({ kind, accounts: reached, scopes, seconds: longSeconds }),
        token_type: "bearer",
        expires_in: longSeconds,
        permissions: scopes.join(","),
      };
    },
    setRevoked(text, revoked) {
      const token = tokens.get(text);
      if (token === undefined) throw new Error("The sandbox has no such token.");
      token.revoked = revoked;
    },
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
