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

/** The product that issued a token: Instagram Login or Facebook Login. */
export type Login = "instagram" | "facebook";

export interface SandboxAccount {
  /** The id in paths: 17 digits. */
  id: string;
  /** The account's id for this app alone. */
  app_scoped_id: string;
  username: string;
  name: string;
  account_type: "BUSINESS" | "MEDIA_CREATOR" | "PERSONAL";
  /** The linked Facebook Page. */
  page: { id: string; name: string };
  status: "active" | "restricted";
  /** The maximum number of posts within 24 hours. */
  quota_total: number;
}

/** An account to create. */
export interface NewAccount {
  /** Its username. */
  username: string;
  /** Its name. @default the username */
  name?: string;
  /** Its type; only professional accounts can publish. @default "BUSINESS" */
  account_type?: SandboxAccount["account_type"];
  /** Which login issues its token. @default "instagram" */
  login?: Login;
  /** The scopes of its token. @default all */
  scopes?: readonly string[];
  /** https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/content_publishing_limit (2026-09) @default 100 */
  quota_total?: number;
}

/** A person at Facebook, with the accounts linked to their own Pages and to those of their business. */
export interface FacebookPerson {
  id: string;
  name: string;
  accounts: readonly SandboxAccount[];
  business: { id: string; owned: readonly SandboxAccount[]; clients: readonly SandboxAccount[] };
}

/** What a token gives access to. */
interface Holding extends GraphHolding {
  /** `user`: the token of a person, who has access to several Pages. */
  kind: "instagram" | "page" | "user";
  /** The accounts that it gives access to. */
  accounts: readonly SandboxAccount[];
  scopes: readonly string[];
  /** The person, for a person's token. */
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

  /** The token with this text, if it is valid. @throws Refusal */
  function tokenOf(text: string, login: Login): Holding & { ends_at: number | null } {
    const holding = tokens.find(text, ({ kind }) => (kind === "instagram") === (login === "instagram"));
    return { ...holding, ends_at: tokens.endOf(text) };
  }

  return {
    all: accounts,
    issue,
    tokenOf,
    named: (id: string): SandboxAccount => withId(accounts, id, "account"),
    /** The caller of the request, by its token. @throws Refusal */
    authenticate(request: SandboxRequest): Caller {
      const login: Login = request.url.hostname === "graph.instagram.com" ? "instagram" : "facebook";
      return { token: tokenOf(tokenIn(request), login), login };
    },
    /** Exchanges a token that is at least a day old for a new one. @throws Refusal */
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
      /** As `GraphTokens.wasReused`, for an account connected by Instagram Login. */
      wasLockedOut: (externalId: string) =>
        tokens.wasReused(
          ({ kind, accounts: reached }) => kind === "instagram" && reached.some(({ id }) => id === externalId),
        ),
    },
  };
}

/** @throws Refusal if the token lacks the scope for this purpose */
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
