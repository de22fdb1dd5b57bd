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
import { withId } from "../parts/known.ts";

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

export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts(ports: SandboxPorts, nextId: () => string) {
  const accounts: SandboxAccount[] = [];
  const tokens = createGraphTokens<Holding>(ports);

  function issue({ seconds, ...holding }: Holding & { seconds: number | null }): string {
    return tokens.issue(holding, { start: holding.kind === "instagram" ? "IGAA" : "EAAB", seconds });
  }

  /** The token of this text, if it lives. @throws Refusal */
  function tokenOf(text: string, login: Login): Holding & { ends_at: number | null } {
    const holding = tokens.find(text, ({ kind }) => (kind === "instagram") === (login === "instagram"));
    return { ...holding, ends_at: tokens.endOf(text) };
  }

  return {
    all: accounts,
    issue,
    tokenOf,
    named: (id: string): SandboxAccount => withId(accounts, id, "account"),
    /** Whose token the request carries. @throws Refusal */
    authenticate(request: SandboxRequest): Caller {
      const login: Login = request.url.hostname === "graph.instagram.com" ? "instagram" : "facebook";
      return { token: tokenOf(tokenIn(request), login), login };
    },
    /** A token for one that is a day old. @throws Refusal */
    renew(text: string): RenewedToken & { permissions: string } {
      const { scopes } = tokenOf(text, "instagram");
      return { ...tokens.renew(text, { start: "IGAA" }), permissions: scopes.join(",") };
    },
    switches: {
      addAccount(given: NewAccount) {
        const { username, name = username, account_type = "BUSINESS", quota_total = 100 } = given;
        const { login = "instagram", scopes = allScopes[login] } = given;
        const page = { id: nextId(), name: `${name}'s Page` };
        const account: SandboxAccount = {
          id: nextId(),
          app_scoped_id: nextId(),
          username,
          name,
          account_type,
          page,
          quota_total,
          status: "active",
        };
        accounts.push(account);
        const kind = login === "instagram" ? "instagram" : "page";
        const seconds = login === "instagram" ? longSeconds : null;
        return { access_token: issue({ kind, accounts: [account], scopes, seconds }), external_id: account.id };
      },
      accounts: () => accounts.map(({ id }) => id),
      revoke: (token: string) => tokens.setRevoked(token, true),
      restore: (token: string) => tokens.setRevoked(token, false),
      restrict(externalId: string): void {
        withId(accounts, externalId, "account").status = "restricted";
      },
      /** As `GraphTokens.wasReused`, of an account that logged in at Instagram. */
      wasLockedOut: (externalId: string) =>
        tokens.wasReused(
          ({ kind, accounts: reached }) => kind === "instagram" && reached.some(({ id }) => id === externalId),
        ),
    },
  };
}

/** @throws Refusal when the token does not allow what this scope is for */
export function assertScope({ token, login }: Caller, purpose: "basic" | "publish" | "comments"): void {
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
