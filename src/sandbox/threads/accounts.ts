import type { SandboxPorts } from "../network.ts";
import { graphRefusal } from "../parts/graph.ts";
import { createGraphTokens, type GraphHolding, longSeconds } from "../parts/graph-tokens.ts";
import { withId } from "../parts/known.ts";

export interface ThreadsAccount {
  /** The id in paths: 17 digits. */
  id: string;
  username: string;
  name: string;
  status: "active" | "restricted";
  may_choose_countries: boolean;
  /** The limits within 24 hours. */
  quota: { posts: number; replies: number };
}

/** An account to create. */
export interface NewThreadsAccount {
  /** Its username. */
  username: string;
  /** Its name. @default the username */
  name?: string;
  /** The scopes of its token. @default all */
  scopes?: readonly string[];
  /** True: it may restrict posts to countries. @default false */
  may_choose_countries?: boolean;
  /** https://developers.facebook.com/docs/threads/overview (2026-08) @default 250 and 1,000 */
  quota?: Partial<ThreadsAccount["quota"]>;
}

/** What a token gives access to. */
export interface Holding extends GraphHolding {
  account: ThreadsAccount;
  scopes: readonly string[];
}

/** https://developers.facebook.com/docs/threads/overview (2026-08) */
export const allScopes: readonly string[] = [
  "threads_basic",
  "threads_content_publish",
  "threads_manage_replies",
  "threads_read_replies",
  "threads_manage_mentions",
  "threads_location_tagging",
  "threads_share_to_instagram",
];

export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts(ports: SandboxPorts, nextId: () => string) {
  const accounts: ThreadsAccount[] = [];
  const tokens = createGraphTokens<Holding>(ports);
  /** Issues a token of 60 days. */
  const issueLong = (holding: Holding): string => tokens.issue(holding, { start: "THAA", seconds: longSeconds });
  return {
    all: accounts,
    tokens,
    issueLong,
    named: (id: string): ThreadsAccount => withId(accounts, id, "account"),
    switches: {
      addAccount(given: NewThreadsAccount) {
        const { username, name = username, scopes = allScopes, may_choose_countries = false, quota = {} } = given;
        const account: ThreadsAccount = {
          id: nextId(),
          username,
          name,
          status: "active",
          may_choose_countries,
          quota: { posts: 250, replies: 1_000, ...quota },
        };
        accounts.push(account);
        return { access_token: issueLong({ account, scopes }), external_id: account.id };
      },
      revoke: (token: string) => tokens.setRevoked(token, true),
      restore: (token: string) => tokens.setRevoked(token, false),
      restrict(externalId: string): void {
        withId(accounts, externalId, "account").status = "restricted";
      },
      wasLockedOut: (externalId: string) => tokens.wasReused(({ account }) => account.id === externalId),
    },
  };
}

/** @throws Refusal */
export function assertScope({ scopes }: Holding, scope: string): void {
  if (!scopes.includes(scope))
    throw graphRefusal(10, `(#10) Application does not have permission for this action: ${scope}`, { status: 403 });
}
